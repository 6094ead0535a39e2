import { join } from 'node:path'
import { reason } from '@stowage/contract'
import { sessionCalls } from '@stowage/contract/session/session'
import type { FastifyInstance } from 'fastify'
import { addStorageRoutes } from './app.ts'
import { addSessions } from './areas/session/sealed-sessions/request-session.ts'
import { signedInRoutes } from './areas/session/session-routes.ts'
import type { TenantAppParts } from './areas/tenants/screens/tenant-screens.ts'
import { addCommonPlugins, addPages, createFastifyServer } from './common-app.ts'
import type { AuditSource } from './lib/audit/search/audit-source.ts'
import { AuditStore } from './lib/audit/segments/audit-store.ts'
import { HttpError } from './lib/errors/http-errors.ts'
import { serve } from './lib/http/serve.ts'
import { createTenantUpstream } from './lib/kube/tenant-upstream.ts'
import { emptyBucketMetrics } from './lib/metrics/metrics.ts'
import { lostRight } from './lib/permissions/caller-permissions.ts'
import { WEB_FOLDER } from './lib/program/program-paths.ts'
import { StorageClientFactory } from './lib/storage/storage-clients.ts'
import { addStorageHealth } from './plugins/storage-health.ts'

/** Our own screens for one tenant: the console of a storage server, with the sessions of operators. It never listens. */
export async function buildTenantApp(parts: TenantAppParts): Promise<FastifyInstance> {
  const { at, config, origin, link, egress, sessions } = parts
  const logger = parts.logger.child({ tenant: `${at.namespace}/${at.tenant}` })
  const app = createFastifyServer(config, logger, true)
  const factory = new StorageClientFactory(createTenantUpstream(origin, link))
  app.decorate('egress', egress)
  app.decorate('checkAnswers', config.checkAnswers)
  app.decorate('mode', 'storage')
  app.decorate('storeUrl', new URL(origin))
  app.decorate('publicStoreUrl', parts.publicUrl)
  const requireStsSession = addSessions(app, sessions, parts.requireSession)
  app.decorate('storageClients', (request, signal) => factory.forSession(requireStsSession(request), request, signal))
  app.decorate('lostRight', lostRight)
  // Tenants send their records to no console of an operator, so nothing is ever found.
  const audit = new AuditStore(join(config.data, 'audit'), config.audit)
  app.decorate('audit', audit)
  const auditSource: AuditSource = audit
  app.decorate('auditSource', auditSource)
  app.addHook('onClose', async () => {
    factory.close()
    await link.close()
  })

  await addCommonPlugins(app, config)
  const tenant = { namespace: at.namespace, name: at.tenant }
  serve(app, sessionCalls.getLoginStrategy, async () => {
    const redirect = `../../../namespaces/${at.namespace}/tenants/${at.tenant}/hop`
    const rule = { redirect, displayName: at.tenant, serviceType: 'operator' }
    return { loginStrategy: 'redirect' as const, redirect, redirectRules: [rule], tenant }
  })
  const refuse = async () => {
    throw new HttpError(401, reason('sign-in-refused'), { detail: reason('tenant-screens-ended') })
  }
  serve(app, sessionCalls.login, refuse)
  serve(app, sessionCalls.loginOperator, refuse)
  signedInRoutes(app, sessions, { tenant })
  // There is no history: only a permanent credential could sample a tenant.
  addStorageRoutes(app, { source: async () => 'none', ...emptyBucketMetrics })
  addStorageHealth(app, createTenantUpstream(origin, link))
  await addPages(app, parts.webFolder ?? WEB_FOLDER)
  await app.ready()
  return app
}
