import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtPrograms, collectOutput } from '../processes/processes.ts'

/** A store without a console, for tests that stop, break and start it. */
export interface StandaloneStore extends AsyncDisposable {
  url: string
  /** Its data folder; by default the drives are `drives/1` to `drives/4` in it. */
  data: string
  /** Stops it, gracefully or with a signal, and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again, on the same port and data. */
  start(): Promise<void>
  output(): string
}

/** Starts the built store on a free port; its root is `rootuser` with `rootpassword`. */
export async function startStore(env: Record<string, string> = {}): Promise<StandaloneStore> {
  const data = await mkdtemp(join(tmpdir(), 'stowage-store-'))
  let port = '0'
  let running: Awaited<ReturnType<typeof launch>> | undefined
  const launch = async () => {
    const child = fork(builtPrograms.store, {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH,
        STOWAGE_DATA: data,
        STOWAGE_ROOT_USER: 'rootuser',
        STOWAGE_ROOT_PASSWORD: 'rootpassword',
        STOWAGE_MIN_FREE: '1MiB',
        ...env,
        STOWAGE_STORE_PORT: port,
      },
    })
    const output = collectOutput(child)
    const [message] = (await once(child, 'message')) as [{ type: string; port?: number }]
    if (message.type !== 'ready') throw new Error(`The store did not start: ${JSON.stringify(message)}\n${output()}`)
    port = String(message.port)
    return { child, output }
  }
  const stop = async (signal?: NodeJS.Signals) => {
    const child = running?.child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    if (signal) child.kill(signal)
    else child.send({ type: 'stop' })
    await exit
  }
  running = await launch()
  return {
    url: `http://127.0.0.1:${port}`,
    data,
    stop,
    async start() {
      running = await launch()
    },
    output: () => running?.output() ?? '',
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(data, { recursive: true, force: true })
    },
  }
}
