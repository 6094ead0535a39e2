import { type ChildProcess, fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface TenantProcessOptions {
  /** The built program of the console, which starts a store of its own. */
  program: string
  /** Where the data of all tenants are. */
  folder: string
  name: string
  rootUser: string
  rootPassword: string
  onLine: (line: string) => void
}

/** Ports that Kubernetes gives to services of the type NodePort. */
const FIRST_PORT = 30_000
const LAST_PORT = 32_767

/** A store with the console before it: what runs in a tenant of the sandbox. */
export class TenantProcess implements AsyncDisposable {
  readonly #child: ChildProcess
  #isReady = false

  private constructor(
    readonly storePort: number,
    readonly consolePort: number,
    { program, folder, name, rootUser, rootPassword, onLine }: TenantProcessOptions,
    onExit: (code: number | null) => void,
  ) {
    this.#child = fork(program, [], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH,
        STOWAGE_DATA: join(folder, name),
        STOWAGE_PORT: String(consolePort),
        STOWAGE_STORE_PORT: String(storePort),
        STOWAGE_ROOT_USER: rootUser,
        STOWAGE_ROOT_PASSWORD: rootPassword,
        STOWAGE_MIN_FREE: '1MiB',
      },
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      if (stream) createInterface(stream).on('line', (line) => onLine(withoutKeys(line, [rootPassword])))
    this.#child.on('exit', (code) => onExit(code))
  }

  /** Resolves when it serves. */
  static async start(options: TenantProcessOptions, onExit: (code: number | null) => void): Promise<TenantProcess> {
    const [store = 0, console = 0] = await freePorts(2)
    const started = new TenantProcess(store, console, options, onExit)
    await new Promise<void>((resolve, reject) => {
      started.#child.on('message', (message: { type?: string }) => {
        if (message.type === 'ready') resolve()
      })
      started.#child.once('exit', (code) => reject(new Error(`The store of ${options.name} ended with ${code}`)))
    })
    started.#isReady = true
    return started
  }

  get isReady(): boolean {
    return this.#isReady
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isReady = false
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exit = once(this.#child, 'exit')
    this.#child.kill()
    await exit
  }
}

/** The console prints keys that it was given as dots; this is for what else could hold them. */
function withoutKeys(line: string, keys: readonly string[]): string {
  return keys.reduce((text, key) => text.replaceAll(key, '***'), line)
}

async function freePorts(count: number): Promise<number[]> {
  const found: number[] = []
  // Not always the first ones: other sandboxes of this machine look for ports too.
  const first = FIRST_PORT + randomInt(2_000)
  for (let port = first; port <= LAST_PORT && found.length < count; port++)
    if (!taken.has(port) && (await isFree(port))) {
      taken.add(port)
      found.push(port)
    }
  return found
}

/** Ports of this process's tenants, some of which may not listen yet. */
const taken = new Set<number>()

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
