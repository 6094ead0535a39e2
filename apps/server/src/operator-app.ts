import { createEgress } from '@stowage/egress'
import type { Cluster } from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { clusterLicenseRoutes } from './areas/license/cluster-license-routes.ts'
import { operatorSessionRoutes, renewToken } from './areas/session/operator/operator-session-routes.ts'
import { isTokenRefused, TokenChecks } from './areas/session/operator/token-checks.ts'
import { addSessions, renewSessions } from './areas/session/sealed-sessions/request-session.ts'
import { SessionRenewals } from './areas/session/sealed-sessions/session-renewals.ts'
import { Sessions } from './areas/session/sealed-sessions/sessions.ts'
import { OidcSignIns } from './areas/session/sso/oidc-sign-ins.ts'
import { followClusterRoutes } from './areas/tenants/cluster/follow-cluster.ts'
import { ConsoleGrants } from './areas/tenants/console/console-grants.ts'
import { tenantConsoleRoutes } from './areas/tenants/console/console-routes.ts'
import { createTenantConsoles, type TenantConsoles } from './areas/tenants/console/console-server.ts'
import { tenantScreenRoutes } from './areas/tenants/screens/screen-routes.ts'
import { TenantScreens } from './areas/tenants/screens/tenant-screens.ts'
import { tenantRoutes } from './areas/tenants/tenant-routes.ts'
import { volumeRoutes } from './areas/volumes/volume-routes.ts'
import { addCommonPlugins, addPages, createFastifyServer } from './common-app.ts'
import type { ConsoleConfig, OperatorConfig } from './lib/config/config.ts'
import { requestLocation } from './lib/http/base-path.ts'
import { ApiServerPeers } from './lib/kube/api-server-peers.ts'
import { ClusterWatches } from './lib/kube/cluster-watches.ts'
import { TenantLinks } from './lib/kube/tenant-links.ts'
import { WEB_FOLDER } from './lib/program/program-paths.ts'
import type { KubeSession } from './lib/session/session-payload.ts'
import './app-services.ts'
import { addClusterHealth } from './plugins/cluster-health.ts'
import { buildTenantApp } from './tenant-app.ts'

/** Parameters of the app in operator mode that are not settings. */
export interface OperatorParts {
  cluster: Cluster
  /** Certificate authorities of the cluster (PEM). */
  clusterCa: string | undefined
  secrets: readonly [string, ...string[]]
  logger: Logger
  webFolder?: string
}

/** The app of operator mode, and the server that shows tenants' own consoles. Neither of them listens yet. */
export interface OperatorApp {
  app: FastifyInstance
  consoles: TenantConsoles
}

/** Builds the app of operator mode. `app.close()` closes its connections and `consoles`, but not those of the cluster. */
export async function buildOperatorApp(
  config: ConsoleConfig & { operator: OperatorConfig },
  { cluster, clusterCa, secrets, logger, webFolder }: OperatorParts,
): Promise<OperatorApp> {
  const app = createFastifyServer(config, logger)
  const sessions = new Sessions(secrets, config, 'kube', {
    // Screens of a tenant have a base path of their own below that of this console.
    basePath: ({ raw }) => requestLocation(raw).outer ?? requestLocation(raw).base,
  })
  const apiServer = await ApiServerPeers.create(config.operator.server)
  const grants = new ConsoleGrants()
  const watches = new ClusterWatches()
  const consoles = createTenantConsoles(grants, config, logger)
  // The API server too: on this machine it may have several addresses.
  const ownPorts = () => [...listeningPorts(app), consoles.port(), apiServer.port]
  const refusedPeers = () => apiServer.refusedPeers()

  app.decorate('egress', createEgress({ ...config.egress, ownPorts, refusedPeers }))
  app.decorate('checkAnswers', config.checkAnswers)
  app.decorate('mode', 'operator')
  const requireKubeSession = addSessions(app, sessions)
  sessions.revoked.onEnd = (id) => {
    app.openSockets.endSession(id)
    renewals.forget(id)
    checks.forget(id)
    grants.endSession(id)
    screens.endSession(id)
  }
  const endSession = ({ id, expires }: KubeSession) => sessions.revoked.add(id, expires)
  const checks = new TokenChecks(endSession)
  app.addHook('onError', async ({ session }, _reply, error) => {
    if (session?.kind === 'kube' && isTokenRefused(error)) endSession(session)
  })
  const signIns = new OidcSignIns({ providers: () => config.providers, secrets, sessions, egress: app.egress })
  const renewals = new SessionRenewals<KubeSession>((session, renewal) => renewToken(signIns, session, renewal))
  app.decorate('kubeClients', (request) => {
    const session = requireKubeSession(request)
    // Watches and logs last longer than a token, which is renewed.
    const token = session.renewal ? async () => (await renewals.current(session)).token : session.token
    return { session, kube: cluster.as(token) }
  })
  const links = new TenantLinks({
    rules: config.egress,
    ownPorts,
    refusedPeers,
    clusterDomain: config.operator.clusterDomain,
    template: config.operator.tenantUrl,
    clusterCa,
  })
  const screens = new TenantScreens({
    build: buildTenantApp,
    config,
    secrets,
    logger,
    webFolder,
    links,
    operators: sessions,
    checks,
    egress: app.egress,
  })
  app.addHook('onClose', async () => {
    watches.close()
    apiServer[Symbol.dispose]()
    await screens.close()
    await Promise.all([consoles.close(), links.close(), app.egress.close()])
  })

  await addCommonPlugins(app, config, (...upgrade) => screens.upgrade(...upgrade))
  renewSessions(app, sessions, renewals, requireKubeSession)
  operatorSessionRoutes(app, { cluster, sessions, sessionSeconds: config.sessionSeconds, signIns })
  tenantRoutes(app, {
    links,
    image: config.operator.tenantImage,
    ownNamespace: config.operator.namespace,
    licenseKeyFile: config.licenseKeyFile,
  })
  tenantConsoleRoutes(app, {
    links,
    grants,
    checks,
    proxyUrl: config.operator.proxy.url,
    proxyPort: consoles.port,
    publicUrl: config.publicUrl,
  })
  tenantScreenRoutes(app, screens)
  followClusterRoutes(app, watches)
  volumeRoutes(app)
  clusterLicenseRoutes(app, {
    namespace: config.operator.namespace,
    keyFile: config.licenseKeyFile,
    subnetUrl: config.operator.subnetUrl,
  })
  addClusterHealth(app, cluster)
  await addPages(app, webFolder ?? WEB_FOLDER)
  return { app, consoles }
}

function listeningPorts(app: FastifyInstance): number[] {
  return app.addresses().flatMap((address) => (typeof address === 'object' ? [address.port] : []))
}
