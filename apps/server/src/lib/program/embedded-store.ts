import { randomBytes } from 'node:crypto'
import type { ConsoleConfig } from '../config/config.ts'
import {
  CONSOLE_AUDIT,
  CONSOLE_HEADER,
  CONSOLE_SECRET,
  ensureFolder,
  loadRootCredentials,
  printableSecretKey,
  type SignInProvider,
  type StoreAddress,
  supervise,
} from '../store-package/index.ts'
import type { ProgramLog } from './program-log.ts'
import { STORE_ENTRY } from './program-paths.ts'

export type { SignInProvider }

export interface EmbeddedStore {
  /** URL for the console, on the same machine. */
  url: string
  credentials: { accessKey: string; secretKey: string }
  /** The secret key as printed: in plain text only if it was generated at this start. */
  shownSecret: string
  /** Headers that prove that a request comes from this console, so that the store trusts the client address in it. */
  trustHeaders: Record<string, string>
  /** Returns the identity providers of its configuration that the sign-in page offers. */
  providers: () => readonly SignInProvider[]
  /** Resolves if it was stopped; rejects if it crashed too often to be restarted. */
  ended: Promise<void>
  /** Waits for running requests, then stops the store. */
  stop(): Promise<void>
}

/** The store could not start; the message is the line that the store printed. */
export class StoreStartError extends Error {
  override readonly name = 'StoreStartError'
}

/** Options of Node (in package.json) that only suit the console. Others, such as a loader, are passed to the store. */
const CONSOLE_ONLY = /^--(max-semi-space-size|heap-growing-percent)=/

/**
 * Starts the embedded store as a child process, and restarts it when it crashes.
 * @param onAudit stores audit records of its requests, one per line; without it the store sends none
 * @throws StoreStartError
 */
export async function startEmbeddedStore(
  config: ConsoleConfig,
  { logger, relay }: ProgramLog,
  onAudit?: (lines: string) => Promise<void>,
): Promise<EmbeddedStore> {
  await ensureFolder(config.data)
  const secret = randomBytes(32).toString('base64url')
  const environment: NodeJS.ProcessEnv = {
    // Only problems: the console writes these lines to its own log.
    STOWAGE_LOG_LEVEL: 'warn',
    ...config.store.environment,
    [CONSOLE_SECRET]: secret,
    ...(onAudit ? { [CONSOLE_AUDIT]: 'on' } : {}),
  }
  const stopping = new AbortController()
  let ended = Promise.resolve()
  let providers: readonly SignInProvider[] = []
  const first = await new Promise<StoreAddress>((resolve, reject) => {
    ended = supervise(
      {
        program: STORE_ENTRY,
        environment,
        execArgv: process.execArgv.filter((option) => !CONSOLE_ONLY.test(option)),
        onReady: (place) => {
          // With port 0 the first start selects a port. Later starts need the same one: the console is connected to it.
          environment.STOWAGE_STORE_PORT = String(place.port)
          resolve(place)
        },
        onLine: relay,
        onProviders: (given) => {
          providers = given
        },
        ...(onAudit ? { onAudit } : {}),
        onRestart: (reason) =>
          logger.error({ reason }, 'the embedded store stopped unexpectedly and is being restarted'),
      },
      stopping.signal,
    )
    ended.then(
      () => reject(new StoreStartError('The embedded store stopped before it was ready.')),
      (error: unknown) => reject(new StoreStartError(error instanceof Error ? error.message : String(error))),
    )
  })
  const { isNew: _, ...credentials } = await loadRootCredentials(config.data, config.store.root)
  const { secretKey: given } = config.store.root
  return {
    url: `http://${localHost(config.store.host)}:${first.port}`,
    credentials,
    shownSecret: printableSecretKey(config.data, credentials, { given, isNew: first.newCredentials }),
    trustHeaders: { [CONSOLE_HEADER]: secret },
    providers: () => providers,
    ended,
    stop: async () => {
      stopping.abort()
      // Its last failure was already reported.
      await ended.catch(() => {})
    },
  }
}

/** Returns a host for connections from this machine: 0.0.0.0 and :: are not addresses to connect to. */
function localHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
