import { type ChildProcess, fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Ports of the store and of its console. */
export type TenantPorts = [store: number, console: number]

export interface TenantProcessOptions {
  /** The built program of the console, which starts its own store. */
  program: string
  /** Folder for the data of all tenants. */
  folder: string
  name: string
  rootUser: string
  rootPassword: string
  /** The ports of an earlier process. Default: free ones. */
  ports?: TenantPorts | undefined
  onLine: (line: string) => void
}

/** Kubernetes' port range for services of type NodePort. */
const FIRST_PORT = 30_000
const LAST_PORT = 32_767

/** The process of a tenant in the sandbox: a store with a console. */
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

  /** Resolves when it is ready for requests. */
  static async start(options: TenantProcessOptions, onExit: (code: number | null) => void): Promise<TenantProcess> {
    const [store = 0, console = 0] = options.ports ?? (await freePorts(2))
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

/** Removes keys from a line: the console prints them as dots, but other output could contain them. */
function withoutKeys(line: string, keys: readonly string[]): string {
  return keys.reduce((text, key) => text.replaceAll(key, '***'), line)
}

async function freePorts(count: number): Promise<number[]> {
  const found: number[] = []
  // A random start, because other sandboxes on this machine look for ports too.
  const first = FIRST_PORT + randomInt(2_000)
  for (let port = first; port <= LAST_PORT && found.length < count; port++)
    if (!taken.has(port) && (await isFree(port))) {
      taken.add(port)
      found.push(port)
    }
  return found
}

/** Ports of this process's tenants, which may not be listening yet. */
const taken = new Set<number>()

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
