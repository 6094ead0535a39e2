import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { examples } from '@stowage/contract/examples'
import { contract } from '@stowage/contract/schemas'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../lib/http/openapi.ts'

/** Of the API, as its paths name it: the program's own version is not told before sign-in. */
const API_VERSION = 'v1'

/** The API described by itself: `/api/v1/openapi.json`, and as a page `/api/v1/docs`. */
export async function addOpenApi(app: FastifyInstance): Promise<void> {
  const document = openApiDocument(contract, examples, API_VERSION)
  app.get('/api/v1/openapi.json', async () => document)
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: '/api/v1/docs',
    uiConfig: { docExpansion: 'list', deepLinking: true, tryItOutEnabled: false },
  })
}
