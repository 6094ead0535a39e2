import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reportCrash } from '../processes/processes.ts'
import { connectTarget, type TestTarget } from './test-target.ts'

const main = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url))

/** A console for one test, which may stop, break and restart it. */
export interface TestConsole extends TestTarget, AsyncDisposable {
  /** Process id of the console. */
  pid: number
  /** Data folder of the embedded store. */
  data: string
  /** Returns all output of the console and its store so far. */
  output(): string
  /** Called when the console has ended, for any reason; `how` is its exit code or the signal. */
  onEnd(listener: (how: number | NodeJS.Signals | null) => void): void
  /** Stops the console like Ctrl-C. @returns its exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface StartConsoleOptions {
  env?: Record<string, string>
  /** An existing data folder; otherwise a new one that is deleted at the end. */
  data?: string
  /** Node options for console and store. */
  execArgv?: string[]
  /** False: do not sign in the caller `root` (the storage server may be unreachable). */
  signIn?: boolean
}

/** The message that the console sends to its parent process. */
interface ReadyMessage {
  type: 'ready'
  url: string
  server: string
  user?: string
  password?: string
}

/**
 * Starts the built console on free ports with a new store, or with the server in `STOWAGE_TEST_SERVER`, `STOWAGE_TEST_USER` and
 * `STOWAGE_TEST_PASSWORD`.
 */
export async function startConsole(options: StartConsoleOptions = {}): Promise<TestConsole> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'stowage-test-')))
  const server = options.env?.STOWAGE_SERVER ?? process.env.STOWAGE_TEST_SERVER
  // The credentials in the environment are those of the server under test. A store of our own has others.
  const { STOWAGE_TEST_USER, STOWAGE_TEST_PASSWORD } = server ? process.env : {}
  const user = STOWAGE_TEST_USER ?? options.env?.STOWAGE_ROOT_USER ?? 'rootuser'
  const password = STOWAGE_TEST_PASSWORD ?? 'rootpassword'
  const child = fork(main, [], {
    ...(options.execArgv ? { execArgv: options.execArgv } : {}),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      STOWAGE_PORT: '0',
      STOWAGE_DATA: data,
      ...(server
        ? { STOWAGE_SERVER: server }
        : {
            STOWAGE_STORE_PORT: '0',
            STOWAGE_ROOT_USER: user,
            STOWAGE_ROOT_PASSWORD: password,
            STOWAGE_MIN_FREE: '1MiB',
          }),
      ...options.env,
    },
  })
  let written = ''
  child.stdout?.on('data', (chunk) => (written += chunk))
  child.stderr?.on('data', (chunk) => (written += chunk))
  reportCrash(child, () => written)
  const ready = await waitForReady(child, () => written)
  const target = await connectTarget(
    {
      url: ready.url,
      serverUrl: ready.server,
      rootUser: user,
      rootPassword: password,
      embedded: !server,
    },
    options.signIn,
  )
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
    return child.exitCode
  }
  return {
    ...target,
    pid: child.pid as number,
    data,
    output: () => written,
    onEnd: (listener) => child.once('exit', (code, signal) => listener(code ?? signal)),
    stop,
    async [Symbol.asyncDispose]() {
      target.s3.destroy()
      await stop()
      if (!options.data) await rm(data, { recursive: true, force: true })
    },
  }
}

export async function waitForReady(child: ChildProcess, output: () => string): Promise<ReadyMessage> {
  return await new Promise((resolve, reject) => {
    child.on('message', (message: ReadyMessage) => message.type === 'ready' && resolve(message))
    child.once('exit', (code) => reject(new Error(`The console ended with ${code} before it was ready:\n${output()}`)))
  })
}
