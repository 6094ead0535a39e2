import { hash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kube, KubeError, type KubeObject, type KubeResource } from '@stowage/kube'

/** How long a watch without readers stays open for the next page (ms). */
const LINGER_MS = 2_000

/** A change of the objects of a kind. */
export type ClusterChange =
  | { what: 'changed'; namespace: string; name: string }
  /** All objects have been listed, for the first time or again. */
  | { what: 'listed' }
  | { what: 'interrupted' | 'resumed' }

export interface WatchedKind {
  kind: KubeResource<KubeObject>
  namespace: string | undefined
}

interface Reader {
  change(change: ClusterChange): void
  end(error: unknown): void
}

interface Watch {
  readers: Set<Reader>
  stop: AbortController
  state: 'starting' | 'listed' | 'interrupted'
}

/** Shares watches at the API server: one per token, kind and namespace, for any number of pages. */
export class ClusterWatches {
  readonly #watches = new Map<string, Watch>()

  get size(): number {
    return this.#watches.size
  }

  /**
   * Sends events to a reader until its signal aborts.
   * @param caller token or session that determines the rights; only its hash is kept
   * @throws KubeError Unauthorized, Forbidden, NotFound: errors that a retry would not fix
   */
  async follow(
    caller: string,
    kube: Kube,
    { kind, namespace }: WatchedKind,
    change: (change: ClusterChange) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const key = `${hash('sha256', caller)} ${kind.group}/${kind.version}/${kind.plural} ${namespace ?? ''}`
    const watch = this.#watches.get(key) ?? this.#start(key, kube, { kind, namespace })
    if (watch.state !== 'starting') change({ what: 'listed' })
    if (watch.state === 'interrupted') change({ what: 'interrupted' })
    let reader: Reader | undefined
    try {
      await new Promise<void>((resolve, reject) => {
        reader = { change, end: reject }
        watch.readers.add(reader)
        if (signal.aborted) resolve()
        else signal.addEventListener('abort', () => resolve(), { once: true })
      })
    } finally {
      if (reader) watch.readers.delete(reader)
      void this.#leave(key, watch)
    }
  }

  #start(key: string, kube: Kube, { kind, namespace }: WatchedKind): Watch {
    const watch: Watch = { readers: new Set(), stop: new AbortController(), state: 'starting' }
    this.#watches.set(key, watch)
    const notifyReaders = (change: ClusterChange) => {
      for (const reader of watch.readers) reader.change(change)
    }
    const run = async () => {
      for await (const event of kube.watch(kind, { namespace, signal: watch.stop.signal })) {
        if (event.type === 'list') {
          watch.state = 'listed'
          notifyReaders({ what: 'listed' })
        } else if (event.type === 'interrupted' || event.type === 'resumed') {
          watch.state = event.type === 'resumed' ? 'listed' : 'interrupted'
          notifyReaders({ what: event.type })
        } else {
          const { namespace: of = '', name } = event.object.metadata
          notifyReaders({ what: 'changed', namespace: of, name })
        }
      }
    }
    run().catch((error: unknown) => {
      if (this.#watches.get(key) === watch) this.#watches.delete(key)
      for (const reader of watch.readers) reader.end(error)
    })
    return watch
  }

  async #leave(key: string, watch: Watch): Promise<void> {
    if (watch.readers.size > 0) return
    await delay(LINGER_MS, undefined, { ref: false })
    if (watch.readers.size > 0 || this.#watches.get(key) !== watch) return
    this.#watches.delete(key)
    watch.stop.abort()
  }

  close(): void {
    for (const { stop } of this.#watches.values()) stop.abort()
    this.#watches.clear()
  }
}

/** Whether a failure concerns one kind only: the caller has no right to read it, or the cluster does not have it. */
export function isKindUnavailable(error: unknown): boolean {
  return error instanceof KubeError && (error.code === 'Forbidden' || error.code === 'NotFound')
}
