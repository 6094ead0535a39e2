import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { examples } from '@stowage/contract/examples'
import { contract } from '@stowage/contract/schemas'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../lib/http/openapi.ts'
import { VERSION } from '../lib/program/paths.ts'

/** The API described by itself: `/api/v1/openapi.json`, and as a page `/api/v1/docs`. */
export async function addOpenApi(app: FastifyInstance): Promise<void> {
  const document = openApiDocument(contract, examples, VERSION)
  app.get('/api/v1/openapi.json', async () => document)
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: '/api/v1/docs',
    uiConfig: { docExpansion: 'list', deepLinking: true, tryItOutEnabled: false },
  })
}
