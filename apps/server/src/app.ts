import { createEgress } from '@stowage/egress'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { accountRoutes } from './areas/account/account-routes.ts'
import { adminRoutes } from './areas/admin/admin-routes.ts'
import { connectPrometheusRoutes } from './areas/admin/connect-prometheus.ts'
import { widgetRoutes } from './areas/admin/widget-routes.ts'
import { bucketRoutes } from './areas/buckets/bucket-routes.ts'
import { configRoutes } from './areas/configs/config-routes.ts'
import { groupRoutes } from './areas/groups/group-routes.ts'
import { healRoutes } from './areas/heal/heal-routes.ts'
import { diagnosticRoutes } from './areas/health-info/diagnostic-routes.ts'
import { healthInfoRoutes } from './areas/health-info/health-info-routes.ts'
import { licenseRoutes } from './areas/license/license-routes.ts'
import { auditReceiverRoutes } from './areas/logs/audit-receiver.ts'
import { auditRecordingRoutes } from './areas/logs/audit-recording.ts'
import { auditSearchRoutes } from './areas/logs/audit-search.ts'
import { consoleLogRoutes } from './areas/logs/console-log-routes.ts'
import { notificationTargetRoutes } from './areas/notification-targets/notification-target-routes.ts'
import { objectRoutes } from './areas/objects/index.ts'
import { policyRoutes } from './areas/policies/policy-routes.ts'
import { replicationRoutes } from './areas/replication/replication-routes.ts'
import { serviceAccountRoutes } from './areas/service-accounts/service-account-routes.ts'
import { addSessions, renewSessions } from './areas/session/sealed-sessions/request-session.ts'
import { Sealer } from './areas/session/sealed-sessions/sealer.ts'
import { SessionRenewals } from './areas/session/sealed-sessions/session-renewals.ts'
import { Sessions } from './areas/session/sealed-sessions/sessions.ts'
import { sessionRoutes } from './areas/session/session-routes.ts'
import { DirectoryChoice } from './areas/session/sign-in/directory-choice.ts'
import { KnownDevices } from './areas/session/sign-in/known-devices.ts'
import { SignInAttempts } from './areas/session/sign-in/sign-in-attempts.ts'
import { OidcSignIns } from './areas/session/sso/oidc-sign-ins.ts'
import { renewCredentials, ssoRoutes } from './areas/session/sso/sso-routes.ts'
import { offeredProviders } from './areas/session/sso/stored-providers.ts'
import { tierRoutes } from './areas/tiers/tier-routes.ts'
import { traceRoutes } from './areas/trace/trace-routes.ts'
import { userRoutes } from './areas/users/user-routes.ts'
import { watchRoutes } from './areas/watch/watch-routes.ts'
import { addCommonPlugins, addPages, createFastifyServer } from './common-app.ts'
import type { AuditKeeper, AuditSource } from './lib/audit/search/audit-source.ts'
import { LogService } from './lib/audit/search/log-service.ts'
import type { ConsoleConfig } from './lib/config/config.ts'
import { type BucketMetrics, Metrics } from './lib/metrics/metrics.ts'
import type { SamplerIdentity } from './lib/metrics/sampling/sampler-identity.ts'
import { lostRight } from './lib/permissions/caller-permissions.ts'
import type { SignInProvider } from './lib/program/embedded-store.ts'
import { WEB_FOLDER } from './lib/program/program-paths.ts'
import type { SessionPayload } from './lib/session/session-payload.ts'
import { StorageClientFactory } from './lib/storage/storage-clients.ts'
import { openUpstream } from './lib/storage/upstream.ts'
import './app-services.ts'
import { recordActions } from './plugins/record-actions.ts'
import { addStorageHealth } from './plugins/storage-health.ts'

/** Parameters of the app that are not settings. */
export interface AppParts {
  /** The storage server, embedded or not. */
  server: URL
  /** Headers that prove to the embedded store that requests come from this console, so that it trusts forwarded addresses. */
  trustHeaders?: Record<string, string> | undefined
  /** Secrets that session keys are derived from; the first one seals. */
  secrets: readonly [string, ...string[]]
  /** The credentials for sampling metrics of the embedded store; absent with another storage server. */
  sampler?: SamplerIdentity | undefined
  /** Returns the identity providers in the configuration of the embedded store. */
  storedProviders?: (() => readonly SignInProvider[]) | undefined
  /** Where audit records are kept. */
  audit: AuditKeeper
  logger: Logger
  /** Folder of the built web app; default: where the build puts it. */
  webFolder?: string
}

/** Builds the console's app. It does not listen yet. `close()` waits for running calls and closes connections. */
export async function buildApp(config: ConsoleConfig, parts: AppParts): Promise<FastifyInstance> {
  const app = createFastifyServer(config, parts.logger)
  const upstream = openUpstream(parts.server, config.caFile, parts.trustHeaders)
  const factory = new StorageClientFactory(upstream)
  const sessions = new Sessions(parts.secrets, config, 'sts')
  const devices = new KnownDevices(parts.secrets, sessions)

  app.decorate('egress', createEgress({ ...config.egress, ownPorts: () => ownPorts(app, parts.server) }))
  app.decorate('checkAnswers', config.checkAnswers)
  app.decorate('mode', 'storage')
  app.decorate('storeUrl', parts.server)
  app.decorate('publicStoreUrl', config.serverPublicUrl ?? parts.server)
  const requireStsSession = addSessions(app, sessions)
  app.decorate('storageClients', (request, signal) => factory.forSession(requireStsSession(request), request, signal))
  app.decorate('lostRight', lostRight)
  app.decorate('audit', parts.audit)
  const logService = config.audit.service && new LogService(config.audit.service)
  const auditSource: AuditSource = logService ?? parts.audit
  app.decorate('auditSource', auditSource)
  sessions.revoked.onEnd = (id) => {
    app.openSockets.endSession(id)
    renewals.forget(id)
  }
  const signIns = new OidcSignIns({
    providers: () => offeredProviders(config.providers, parts.storedProviders?.() ?? []),
    secrets: parts.secrets,
    sessions,
    egress: app.egress,
  })
  const renewals = new SessionRenewals<SessionPayload>((session) =>
    renewCredentials(signIns, session, { config, upstream }),
  )
  const metrics = new Metrics(config, {
    server: upstream.origin,
    embedded: parts.sampler,
    sealing: new Sealer(parts.secrets, 'key of the sampler'),
    log: parts.logger,
  })
  app.addHook('onListen', async () => metrics.start())
  app.addHook('onClose', async () => {
    await metrics.stop()
    factory.close()
    await Promise.all([upstream.close(), app.egress.close(), logService?.close()])
  })

  if (config.audit.records) recordActions(app)
  await addCommonPlugins(app, config)
  renewSessions(app, sessions, renewals, requireStsSession)
  const attempts = new SignInAttempts({ config, upstream, sessions, devices })
  sessionRoutes(app, attempts, signIns, new DirectoryChoice(config.ldap, upstream), {
    licenses: config.licenseUrl !== undefined,
  })
  ssoRoutes(app, attempts, signIns)
  accountRoutes(app, attempts)
  addStorageRoutes(app, metrics)
  widgetRoutes(app, metrics)
  connectPrometheusRoutes(app, metrics)
  auditReceiverRoutes(app, parts.secrets)
  auditRecordingRoutes(app, parts.secrets)
  auditSearchRoutes(app)
  licenseRoutes(app, config)
  addStorageHealth(app, upstream)
  await addPages(app, parts.webFolder ?? WEB_FOLDER)
  app.addHook('onListen', async () => factory.warmUp())
  return app
}

/** The calls that need a storage server and nothing of this console: those of a tenant's screens in operator mode too. */
export function addStorageRoutes(app: FastifyInstance, metrics: Pick<Metrics, 'source'> & BucketMetrics): void {
  policyRoutes(app)
  userRoutes(app)
  groupRoutes(app)
  serviceAccountRoutes(app)
  bucketRoutes(app, metrics)
  objectRoutes(app)
  adminRoutes(app, metrics)
  traceRoutes(app)
  watchRoutes(app)
  configRoutes(app)
  notificationTargetRoutes(app)
  tierRoutes(app)
  replicationRoutes(app)
  consoleLogRoutes(app)
  healthInfoRoutes(app)
  diagnosticRoutes(app)
  healRoutes(app)
}

/** The ports of this program on this machine: the console's, and the storage server's if it runs here. */
function ownPorts(app: FastifyInstance, server: URL): number[] {
  const listening = app.addresses().flatMap((address) => (typeof address === 'object' ? [address.port] : []))
  return [...listening, Number(server.port) || (server.protocol === 'https:' ? 443 : 80)]
}
