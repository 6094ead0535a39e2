import { AsyncLocalStorage } from 'node:async_hooks'

/** An operation on a drive. */
export interface DriveOperation {
  /** `storage`: an operation on a blob, the journal or the index. `os`: a call of the system. */
  readonly layer: 'storage' | 'os'
  /** `storage.WriteBlob`, `os.Fdatasync` … */
  readonly name: string
  /** File or folder. */
  readonly path: string
  /** ms since 1970. */
  readonly startedAt: number
  readonly durationMs: number
  /** Empty on success. */
  readonly error: string
  /** The request that it was done for; empty for the store's own work. */
  readonly requestId: string
}

type Layer = DriveOperation['layer']
type Listener = (work: DriveOperation) => void

/**
 * Reports operations on drives to listeners, with the request that caused them. Callers check `isOn` first, which is the only
 * cost while there are no listeners.
 */
class DriveProbe {
  readonly #listeners = new Set<Listener>()
  readonly #request = new AsyncLocalStorage<string>()
  isOn = false

  /** Calls back with each operation. Returns a function to unsubscribe. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener)
    this.isOn = true
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.isOn = false
      // Otherwise each promise would stay more expensive forever.
      this.#request.disable()
    }
  }

  /** Runs the work of a request. */
  within<T>(requestId: string, work: () => T): T {
    return this.#request.run(requestId, work)
  }

  /** The request whose work is running; empty for the store's own. */
  get requestId(): string {
    return this.isOn ? (this.#request.getStore() ?? '') : ''
  }

  /** Runs an operation and reports it. @param requests requests that it is done for; default: the running one */
  async measure<T>(layer: Layer, name: string, path: string, work: () => Promise<T>, requests?: string[]): Promise<T> {
    const [startedAt, begin] = [Date.now(), performance.now()]
    const ids = requests && requests.length > 0 ? requests : [this.requestId]
    const report = (error: string) => {
      const durationMs = performance.now() - begin
      for (const requestId of ids)
        for (const listener of this.#listeners) listener({ layer, name, path, startedAt, durationMs, error, requestId })
    }
    try {
      const result = await work()
      report('')
      return result
    } catch (error) {
      report(error instanceof Error ? error.message : String(error))
      throw error
    }
  }
}

/** The one probe of this process: drives are the machine's, whichever store works on them. */
export const driveProbe = new DriveProbe()
