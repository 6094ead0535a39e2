import { tenantCalls } from '@stowage/contract/tenants/tenant'
import type { FastifyInstance } from 'fastify'
import { serveOperator } from '../../../lib/http/serve.ts'
import type { TenantScreens } from './tenant-screens.ts'

/** The call that opens our own screens for a tenant, and the way to them. */
export function tenantScreenRoutes(app: FastifyInstance, screens: TenantScreens): void {
  serveOperator(app, tenantCalls.openTenantHere, async ({ params, body }, context) => {
    const { request, reply, kube, session, signal } = context
    return await screens.open(request, reply, { kube, session }, params, body.insecure ?? false, signal)
  })

  app.register(async (scope) => {
    // Bodies are read there.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const url of ['/tenant/:namespace/:tenant', '/tenant/:namespace/:tenant/*'])
      scope.route({
        method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
        url,
        exposeHeadRoute: false,
        handler: (request, reply) => screens.answer(request, reply),
      })
  })
}
