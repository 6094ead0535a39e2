import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { Route } from '@stowage/contract/call/route'
import { examples } from '@stowage/contract/examples'
import { contract } from '@stowage/contract/schemas'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../lib/http/openapi-document.ts'

/** The version of the API, as in its paths: the program's version is not shown before sign-in. */
const API_VERSION = 'v1'

/** Our logo for the bar of Swagger UI, which is dark in both colour schemes. */
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 16">' +
  '<path d="M2 3v7a4 4 0 0 0 4 4h4a4 4 0 0 0 4-4V3" fill="none" stroke="#E6ECEE" stroke-width="2"/>' +
  '<path fill="#E6ECEE" d="M5 7h6v4H5z"/><path fill="#3AB0BD" d="M5 1h6v4H5z"/>' +
  '<text x="20" y="11.5" fill="#E6ECEE" font-family="Inter, system-ui, sans-serif" font-size="9" font-weight="600">Stowage</text>' +
  '</svg>'

/** The same logo as favicon: dark or light according to the browser's colour scheme. */
const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><style>.i{fill:#10191D}.l{stroke:#10191D}.a{fill:#00798A}' +
  '@media(prefers-color-scheme:dark){.i{fill:#E6ECEE}.l{stroke:#E6ECEE}.a{fill:#3AB0BD}}</style>' +
  '<path class="l" d="M2 3v7a4 4 0 0 0 4 4h4a4 4 0 0 0 4-4V3" fill="none" stroke-width="2"/>' +
  '<path class="i" d="M5 7h6v4H5z"/><path class="a" d="M5 1h6v4H5z"/></svg>'

/** Serves the API's description: `/api/v1/openapi.json`, and as a page `/api/v1/docs`. */
export async function addApiDocs(app: FastifyInstance): Promise<void> {
  const served = Object.entries<Route>(contract).filter(([, { endpoint }]) =>
    [app.mode, 'both'].includes(endpoint.mode),
  )
  const document = openApiDocument(Object.fromEntries(served), examples, API_VERSION)
  app.get('/api/v1/openapi.json', async () => document)
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: '/api/v1/docs',
    logo: { type: 'image/svg+xml', content: LOGO },
    theme: {
      title: 'Stowage API',
      favicon: [{ filename: 'favicon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: FAVICON }],
      // There is one document, so the field for another address is hidden.
      css: [{ filename: 'bar.css', content: '.swagger-ui .topbar .download-url-wrapper { display: none }' }],
    },
    uiConfig: { docExpansion: 'list', deepLinking: true, tryItOutEnabled: false },
  })
}
