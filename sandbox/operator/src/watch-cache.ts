import { type Kube, KubeError, type KubeObject, type KubeResource, type SavedKubeObject } from '@stowage/kube'

/** The objects of a kind, kept up to date by a watch. */
export class WatchCache<T extends KubeObject> {
  readonly #objects = new Map<string, SavedKubeObject<T>>()

  constructor(
    private readonly kube: Kube,
    private readonly kind: KubeResource<T>,
    /** Called for each object that was added, modified or deleted. */
    private readonly onChange: (object: SavedKubeObject<T>, isThere: boolean) => void,
  ) {}

  all(): SavedKubeObject<T>[] {
    return [...this.#objects.values()]
  }

  get(namespace: string | undefined, name: string): SavedKubeObject<T> | undefined {
    return this.#objects.get(`${namespace ?? ''}/${name}`)
  }

  /** Follows the kind until the signal aborts. Calls `ready` after the first list. */
  async follow(signal: AbortSignal, ready: () => void): Promise<void> {
    for await (const event of this.kube.watch(this.kind, { signal })) {
      if (event.type === 'list') {
        const before = new Map(this.#objects)
        this.#objects.clear()
        for (const object of event.objects) this.#note(object, true)
        for (const [key, object] of before) if (!this.#objects.has(key)) this.onChange(object, false)
        ready()
      } else if ('object' in event) this.#note(event.object, event.type !== 'deleted')
    }
  }

  #note(object: SavedKubeObject<T>, isThere: boolean): void {
    const key = `${object.metadata.namespace ?? ''}/${object.metadata.name}`
    if (isThere) this.#objects.set(key, object)
    else this.#objects.delete(key)
    this.onChange(object, isThere)
  }
}

/** Processes names one after the other, and retries failed ones. */
export class ReconcileQueue {
  readonly #waiting = new Set<string>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #running = false
  #closed = false

  constructor(
    private readonly work: (name: string) => Promise<void>,
    private readonly onError: (name: string, error: unknown) => void,
    private readonly retryMs = 500,
  ) {}

  add(name: string): void {
    if (this.#closed) return
    this.#waiting.add(name)
    if (!this.#running) void this.#run()
  }

  addLater(name: string, ms: number): void {
    if (this.#closed) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.add(name)
    }, ms)
    this.#timers.add(timer)
  }

  close(): void {
    this.#closed = true
    this.#waiting.clear()
    for (const timer of this.#timers) clearTimeout(timer)
  }

  async #run(): Promise<void> {
    this.#running = true
    for (const name of this.#waiting) {
      this.#waiting.delete(name)
      try {
        await this.work(name)
      } catch (error) {
        if (this.#closed) break
        // Another client changed or deleted an object meanwhile: the watch reports it.
        const isRace = error instanceof KubeError && (error.code === 'Conflict' || error.code === 'NotFound')
        if (!isRace) this.onError(name, error)
        this.addLater(name, this.retryMs)
      }
    }
    this.#running = false
  }
}

/** Returns undefined instead of the error if the object does not exist. */
export async function undefinedIfMissing<T>(run: Promise<T>): Promise<T | undefined> {
  try {
    return await run
  } catch (error) {
    if (error instanceof KubeError && error.code === 'NotFound') return undefined
    throw error
  }
}

/** Creates an object unless it exists. */
export async function createIfMissing<T extends KubeObject>(
  kube: Kube,
  kind: KubeResource<T>,
  object: T,
): Promise<void> {
  try {
    await kube.create(kind, object)
  } catch (error) {
    if (!(error instanceof KubeError) || error.code !== 'AlreadyExists') throw error
  }
}
