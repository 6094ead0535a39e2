import { assumeRole } from '@stowage/madmin'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { openAuditKeeper } from './lib/audit/open-audit-keeper.ts'
import { parseStoreRecords } from './lib/audit/records/audit-record.ts'
import type { ConsoleConfig, OperatorConfig } from './lib/config/config.ts'
import { readSessionSecret } from './lib/config/session-secret.ts'
import { openOperatorCluster } from './lib/kube/operator-cluster.ts'
import {
  createRenewingIdentity,
  SAMPLER_POLICY,
  type SamplerIdentity,
} from './lib/metrics/sampling/sampler-identity.ts'
import { type EmbeddedStore, startEmbeddedStore } from './lib/program/embedded-store.ts'
import type { ProgramLog } from './lib/program/program-log.ts'
import { closeDataFolder } from './lib/store-package/index.ts'
import { buildOperatorApp } from './operator-app.ts'

export interface RunningConsole {
  /** URL for a browser on this machine, without a trailing slash. */
  url: string
  /** Address of the storage server; in operator mode, of the cluster's API server. */
  server: string
  /** Credentials of the embedded store's administrator; undefined with another storage server. */
  credentials: { accessKey: string; secretKey: string; shownSecret: string } | undefined
  /** Rejects if the embedded store crashed too often to be restarted; undefined with another storage server. */
  storeEnded: Promise<void> | undefined
  /** Whether a request runs. Requests that go to the embedded store directly are not known here. */
  isBusy(): boolean
  /** Refuses new calls, waits for running ones, then stops the embedded store. */
  stop(): Promise<void>
}

/** Starts the console, after the embedded store if no other storage server is configured. */
export async function runConsole(config: ConsoleConfig, log: ProgramLog): Promise<RunningConsole> {
  for (const warning of config.warnings) log.logger.warn(warning)
  const secrets = asNonEmpty(config.secrets) ?? ([await readSessionSecret(config.data)] as const)
  if (config.operator) return await createOperatorConsole({ ...config, operator: config.operator }, log, secrets)
  // The embedded store does this for its own data folder.
  if (!config.secrets && config.server) {
    for (const open of await closeDataFolder(config.data)) log.logger.warn(open)
  }
  const audit = await openAuditKeeper(config, log.logger)
  // The store sends records many times a second. A sync for each batch would take the drive's time from its requests.
  const onAudit = async (lines: string) => void (await audit.append(parseStoreRecords(lines), false))
  const store = config.server
    ? undefined
    : await startEmbeddedStore(config, log, config.audit.records ? onAudit : undefined)
  try {
    const server = config.server ?? new URL(store?.url ?? '')
    const app = await buildApp(config, {
      server,
      trustHeaders: store?.trustHeaders,
      secrets,
      storedProviders: store?.providers,
      sampler: store && createSamplerIdentity(store),
      audit,
      logger: log.logger,
    })
    const isBusy = watchRequests(app)
    await app.listen({ host: config.host, port: config.port })
    return {
      url: browserUrl(app, config),
      server: server.origin,
      credentials: store && { ...store.credentials, shownSecret: store.shownSecret },
      storeEnded: store?.ended,
      isBusy,
      stop: async () => {
        await app.close()
        await store?.stop()
      },
    }
  } catch (error) {
    await store?.stop()
    throw error
  }
}

/** Returns an identity of the embedded store that may only read its metrics. */
function createSamplerIdentity({ url, credentials }: EmbeddedStore): SamplerIdentity {
  return createRenewingIdentity(() =>
    assumeRole({ endpoint: url, credentials }, { policy: SAMPLER_POLICY, durationSeconds: 43_200 }),
  )
}

/** Starts the console in operator mode, without a storage server. */
async function createOperatorConsole(
  config: ConsoleConfig & { operator: OperatorConfig },
  log: ProgramLog,
  secrets: readonly [string, ...string[]],
): Promise<RunningConsole> {
  if (!config.secrets) for (const open of await closeDataFolder(config.data)) log.logger.warn(open)
  const { cluster, ca: clusterCa } = await openOperatorCluster(config.operator)
  try {
    const { app, consoles } = await buildOperatorApp(config, { cluster, clusterCa, secrets, logger: log.logger })
    const isBusy = watchRequests(app)
    await consoles.listen(config.host, config.operator.proxy.port)
    await app.listen({ host: config.host, port: config.port })
    return {
      url: browserUrl(app, config),
      server: cluster.server,
      credentials: undefined,
      storeEnded: undefined,
      isBusy,
      stop: async () => {
        await app.close()
        await cluster[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await cluster[Symbol.asyncDispose]()
    throw error
  }
}

/** Counts the requests that are served; the result says whether there are any. */
function watchRequests({ server }: FastifyInstance): () => boolean {
  let running = 0
  server.on('request', (_, response) => {
    running += 1
    response.once('close', () => {
      running -= 1
    })
  })
  return () => running > 0
}

function asNonEmpty(list: readonly string[] | undefined): readonly [string, ...string[]] | undefined {
  const [first, ...others] = list ?? []
  return first === undefined ? undefined : [first, ...others]
}

/** Returns the URL to open. If the console listens on all networks, it uses the loopback address. */
function browserUrl(app: FastifyInstance, config: ConsoleConfig): string {
  const [address] = app.addresses()
  const port = typeof address === 'object' ? address.port : config.port
  const everywhere = config.host === '0.0.0.0' || config.host === '::'
  const host = everywhere ? '127.0.0.1' : config.host.includes(':') ? `[${config.host}]` : config.host
  return `${config.tls ? 'https' : 'http'}://${host}:${port}`
}
