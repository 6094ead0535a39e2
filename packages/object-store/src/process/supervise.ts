import { type ChildProcess, fork } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { SignInProvider, StoreAddress, StoreCommand, StoreMessage } from './process-messages.ts'

export interface SuperviseOptions {
  /** The store's program. */
  program: string | URL
  environment: NodeJS.ProcessEnv
  onReady: (place: StoreAddress) => void
  /** Called for each unexpected exit that is followed by a restart. */
  onRestart: (reason: string) => void
  /** Called with each line of a process. Default: lines are written to the output of this process. */
  onLine?: (line: string) => void
  /** Stores audit records, one a line. Without it none are asked for. */
  onAudit?: (lines: string) => Promise<void>
  /** Called with the providers of the sign-in page, and again when they change. */
  onProviders?: (providers: SignInProvider[]) => void
  /** Called with each process. */
  onStarted?: (child: ChildProcess) => void
  /** Options of Node itself; default: those of this process. */
  execArgv?: string[]
}

/** Crashes within `WINDOW_MS` after which the process is not started again. */
const MAX_DEATHS = 5
const WINDOW_MS = 60_000

/**
 * Runs the store as a child process, and restarts it when it dies or asks for it. Resolves when it has ended for
 * good: stopped by `signal`, by the admin API, or after too many deaths (rejects).
 * @throws Error with the child's error output when it cannot start
 */
export async function supervise(options: SuperviseOptions, signal: AbortSignal): Promise<void> {
  let deaths: number[] = []
  while (!signal.aborted) {
    const end = await runStoreProcess(options, signal)
    if (end.kind === 'failed') throw new Error(end.message)
    if (end.kind === 'stopped') return
    if (end.kind === 'restart') continue
    const now = Date.now()
    deaths = [...deaths.filter((time) => now - time < WINDOW_MS), now]
    if (deaths.length >= MAX_DEATHS) throw new Error(`The store crashed ${MAX_DEATHS} times in a minute: ${end.reason}`)
    options.onRestart(end.reason)
  }
}

type StoreExit =
  | { kind: 'stopped' }
  | { kind: 'restart' }
  | { kind: 'failed'; message: string }
  | { kind: 'died'; reason: string }

function runStoreProcess(options: SuperviseOptions, signal: AbortSignal): Promise<StoreExit> {
  const { program, environment, execArgv, onReady, onLine, onAudit, onProviders, onStarted } = options
  const output = onLine ? 'pipe' : 'inherit'
  return new Promise((resolve) => {
    const child = fork(program, {
      // Four threads, Node's default, are soon all syncing large files, and the journal's syncs would wait for them.
      env: { UV_THREADPOOL_SIZE: '16', ...environment },
      stdio: ['ignore', output, output, 'ipc'],
      // Audit records are long texts of JSON, whose quotes would be escaped.
      serialization: 'advanced',
      ...(execArgv ? { execArgv } : {}),
    })
    onStarted?.(child)
    if (onLine) {
      for (const input of [child.stdout, child.stderr]) if (input) createInterface({ input }).on('line', onLine)
    }
    let end: StoreExit | undefined
    const stop = () => {
      end ??= { kind: 'stopped' }
      sendCommand(child, { type: 'stop' })
    }
    signal.addEventListener('abort', stop, { once: true })
    child.on('message', (message: StoreMessage) => {
      if (message.type === 'ready') onReady(message)
      else if (message.type === 'failed') end = { kind: 'failed', message: message.message }
      else if (message.type === 'audit') void storeAudit(child, message, onAudit)
      else if (message.type === 'providers') onProviders?.(message.providers)
      else {
        end = { kind: message.type }
        sendCommand(child, { type: 'stop' })
      }
    })
    child.on('error', (error) => {
      end ??= { kind: 'failed', message: error.message }
    })
    child.on('close', (code, killedBy) => {
      signal.removeEventListener('abort', stop)
      resolve(end ?? { kind: 'died', reason: killedBy ? `ended by ${killedBy}` : `ended with code ${code}` })
    })
  })
}

async function storeAudit(
  child: ChildProcess,
  { id, lines }: Extract<StoreMessage, { type: 'audit' }>,
  onAudit: SuperviseOptions['onAudit'],
): Promise<void> {
  try {
    if (!onAudit) throw new Error('Nobody stores audit records here.')
    await onAudit(lines)
    sendCommand(child, { type: 'audited', id })
  } catch (error) {
    sendCommand(child, { type: 'audited', id, error: error instanceof Error ? error.message : String(error) })
  }
}

function sendCommand(child: ChildProcess, command: StoreCommand): void {
  if (child.connected) child.send(command)
}
