import { randomBytes } from 'node:crypto'
import { CONSOLE_HEADER, CONSOLE_SECRET, ensureFolder, rootCredentials, supervise } from '@stowage/object-store'
import type { Config } from '../config/config.ts'
import type { Log } from './log.ts'
import { STORE_ENTRY } from './paths.ts'

export interface EmbeddedStore {
  /** Its address for the console, which is on the same machine. */
  url: string
  credentials: { accessKey: string; secretKey: string }
  /** By which this console proves itself, so that the store believes whose address it forwards. */
  proof: Record<string, string>
  /** Resolves when it was stopped, rejects when it died too often to be started again. */
  ended: Promise<void>
  /** Lets its running requests end, then ends it. */
  stop(): Promise<void>
}

/** The store could not start; the message is the store's own line for a person. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure'
}

/** Options of Node, in package.json, for a program that only hands bytes on; others, such as a loader, count here too. */
const CONSOLE_ONLY = /^--(max-semi-space-size|heap-growing-percent)=/

/**
 * Starts the embedded store as a child process, which is started anew when it dies.
 * @throws StoreFailure
 */
export async function startEmbeddedStore(config: Config, { logger, relay }: Log): Promise<EmbeddedStore> {
  await ensureFolder(config.data)
  const secret = randomBytes(32).toString('base64url')
  const environment: NodeJS.ProcessEnv = {
    // Beside the console's own log, its store speaks when something is wrong.
    STOWAGE_LOG_LEVEL: 'warn',
    ...config.store.environment,
    [CONSOLE_SECRET]: secret,
  }
  const stopping = new AbortController()
  let ended = Promise.resolve()
  const port = await new Promise<number>((resolve, reject) => {
    ended = supervise(
      {
        program: STORE_ENTRY,
        environment,
        execArgv: process.execArgv.filter((option) => !CONSOLE_ONLY.test(option)),
        onReady: (place) => {
          // A free port was taken at the first start: the console's connections expect it there ever after.
          environment.STOWAGE_STORE_PORT = String(place.port)
          resolve(place.port)
        },
        onLine: relay,
        onRestart: (reason) => logger.error({ reason }, 'the embedded store died and is started again'),
      },
      stopping.signal,
    )
    ended.then(
      () => reject(new StoreFailure('The embedded store ended before it was ready.')),
      (error: unknown) => reject(new StoreFailure(error instanceof Error ? error.message : String(error))),
    )
  })
  return {
    url: `http://${localHost(config.store.host)}:${port}`,
    credentials: await rootCredentials(config.data, config.store.root),
    proof: { [CONSOLE_HEADER]: secret },
    ended,
    stop: async () => {
      stopping.abort()
      // Its last failure was told when it happened.
      await ended.catch(() => {})
    },
  }
}

/** Who listens everywhere is reached here. */
function localHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
