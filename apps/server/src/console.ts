import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './lib/config/config.ts'
import { storedSecret } from './lib/config/session-secret.ts'
import { startEmbeddedStore } from './lib/program/embedded-store.ts'
import type { Log } from './lib/program/log.ts'
import { closeDataFolder } from './lib/program/store-parts.ts'

export interface RunningConsole {
  /** Where a browser on this machine reaches it, without a slash at the end. */
  url: string
  /** The storage server's address. */
  server: string
  /** Of the embedded store's administrator; absent in front of another server. */
  credentials: { accessKey: string; secretKey: string; shownSecret: string } | undefined
  /** Rejects when the embedded store died too often to be started again; absent in front of another server. */
  storeEnded: Promise<void> | undefined
  /** Takes no new calls, lets running ones end, then ends the embedded store. */
  stop(): Promise<void>
}

/** Starts the console: the embedded store first where no other server is named. */
export async function createConsole(config: Config, log: Log): Promise<RunningConsole> {
  for (const warning of config.warnings) log.logger.warn(warning)
  const secrets = nonEmpty(config.secrets) ?? ([await storedSecret(config.data)] as const)
  // The embedded store does this for its own data folder.
  if (!config.secrets && config.server) {
    for (const open of await closeDataFolder(config.data)) log.logger.warn(open)
  }
  const store = config.server ? undefined : await startEmbeddedStore(config, log)
  try {
    const server = config.server ?? new URL(store?.url ?? '')
    const app = await buildApp(config, { server, proof: store?.proof, secrets, logger: log.logger })
    await app.listen({ host: config.host, port: config.port })
    return {
      url: addressOf(app, config),
      server: server.origin,
      credentials: store && { ...store.credentials, shownSecret: store.shownSecret },
      storeEnded: store?.ended,
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

function nonEmpty(list: readonly string[] | undefined): readonly [string, ...string[]] | undefined {
  const [first, ...others] = list ?? []
  return first === undefined ? undefined : [first, ...others]
}

/** The address to open: what listens on every network is opened by this machine's own name. */
function addressOf(app: FastifyInstance, config: Config): string {
  const [address] = app.addresses()
  const port = typeof address === 'object' ? address.port : config.port
  const everywhere = config.host === '0.0.0.0' || config.host === '::'
  const host = everywhere ? '127.0.0.1' : config.host.includes(':') ? `[${config.host}]` : config.host
  return `${config.tls ? 'https' : 'http'}://${host}:${port}`
}
