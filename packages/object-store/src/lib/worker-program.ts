import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Starts a program of this product as a worker thread: the built one, or its source in TypeScript. */
export function startProgram(program: URL, options: WorkerOptions): Worker {
  if (!program.pathname.endsWith('.ts')) return new Worker(program, options)
  // Node 20 cannot read TypeScript, and the option `--import` does not reach all threads.
  const loader = createRequire(import.meta.url)
    .resolve('tsx/esm/api')
    .replace(/\.cjs$/, '.mjs')
  const imports = [pathToFileURL(loader).href, program.href].map((url) => `import(${JSON.stringify(url)})`)
  return new Worker(`${imports[0]}.then((tsx) => { tsx.register(); return ${imports[1]} })`, { ...options, eval: true })
}

/** Calls to a worker thread that wait for their answers. */
export class WorkerCalls<About = undefined> {
  readonly #calls = new Map<
    number,
    { about: About; resolve: (result: unknown) => void; reject: (error: Error) => void }
  >()
  #last = 0

  /** @param onIdle called when no call waits any more */
  constructor(private readonly onIdle: () => void) {}

  get size(): number {
    return this.#calls.size
  }

  /** Returns what the waiting calls are about. */
  get pendingSubjects(): About[] {
    return [...this.#calls.values()].map(({ about }) => about)
  }

  /** @param send sends the call with this ID, and returns what to do when the call has ended in any way */
  add<Result>(about: About, send: (id: number) => () => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      const id = ++this.#last
      let onEnd = () => {}
      const end = () => {
        this.#calls.delete(id)
        onEnd()
        if (this.#calls.size === 0) this.onIdle()
      }
      this.#calls.set(id, {
        about,
        resolve: (result) => {
          end()
          resolve(result as Result)
        },
        reject: (error) => {
          end()
          reject(error)
        },
      })
      onEnd = send(id)
    })
  }

  /** Ignores calls that have ended. */
  resolve(id: number, result?: unknown): void {
    this.#calls.get(id)?.resolve(result)
  }

  /** Ignores calls that have ended. */
  reject(id: number, error: Error): void {
    this.#calls.get(id)?.reject(error)
  }

  rejectAll(error: Error): void {
    for (const { reject } of [...this.#calls.values()]) reject(error)
  }
}
