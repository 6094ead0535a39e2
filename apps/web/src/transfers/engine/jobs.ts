import type { DeleteLine } from '@stowage/contract'
import { ApiFailure, asFailure } from '../../lib/failure.ts'
import { t } from '../../lib/text/i18n.ts'
import type { ListStore } from './list-store.ts'
import type { Job, Transfer } from './types.ts'
import { newId } from './upload-task.ts'

export interface JobsDeps {
  store: ListStore<Transfer>
  /** Deletes and tells how far it is, a line at a time; ends when it is left. */
  deletePaths: (bucket: string, paths: readonly string[], signal: AbortSignal) => AsyncIterable<DeleteLine>
  /** Something was deleted, or may have been. */
  onChanged: (bucket: string) => void
  /** A deletion has ended by itself. */
  onEnd: (job: Job) => void
}

/**
 * The deletions of this tab, one call each, beside the uploads and as long-lived. One that the end of the session
 * broke off goes on when the same user signs in again: what is deleted already does no harm a second time.
 */
export class Jobs {
  readonly #deps: JobsDeps
  readonly #controls = new Map<string, AbortController>()
  #owner: string | undefined

  constructor(deps: JobsDeps) {
    this.#deps = deps
  }

  get busy(): boolean {
    return this.#controls.size > 0
  }

  setOwner(owner: string | undefined): void {
    if (owner === this.#owner) return
    this.#owner = owner
    for (const job of this.#jobs()) {
      if (job.owner !== owner && job.state === 'running') this.#stop(job, 'held')
      else if (job.owner === owner && job.state === 'held') void this.#run(job.id)
    }
  }

  /** Deletes keys, and everything below those that end with a slash. */
  start(bucket: string, paths: readonly string[]): void {
    if (this.#owner === undefined) return
    const id = newId()
    const none = { deleted: 0, failed: 0, errors: [] }
    this.#deps.store.add([{ kind: 'job', id, owner: this.#owner, bucket, paths, state: 'running', ...none }])
    void this.#run(id)
  }

  retry(id: string): void {
    if (this.#job(id)?.state === 'failed') void this.#run(id)
  }

  /** Ends a running deletion where it is, or takes an ended one off the list. */
  cancel(id: string): void {
    const job = this.#job(id)
    this.#controls.get(id)?.abort()
    this.#deps.store.remove(id)
    if (job?.state === 'running') this.#deps.onChanged(job.bucket)
  }

  async #run(id: string): Promise<void> {
    const job = this.#job(id)
    if (!job) return
    const { store, deletePaths, onChanged, onEnd } = this.#deps
    const control = new AbortController()
    this.#controls.set(id, control)
    store.patch(id, { state: 'running', deleted: 0, failed: 0, errors: [], error: undefined })
    try {
      let ended = false
      for await (const line of deletePaths(job.bucket, job.paths, control.signal)) {
        store.progress(id, { deleted: line.deleted, failed: line.failed })
        if (!('done' in line)) continue
        ended = true
        store.patch(id, { state: line.failed > 0 ? 'failed' : 'done', errors: line.errors })
      }
      // Without its report the deletion was broken off, whatever the status said at its beginning.
      if (!ended) throw new ApiFailure(0, { message: t('The connection ended before everything was deleted') })
    } catch (error) {
      if (control.signal.aborted) return
      const failure = asFailure(error)
      store.patch(id, failure.status === 401 ? { state: 'held' } : { state: 'failed', error: failure })
    } finally {
      if (this.#controls.get(id) === control) this.#controls.delete(id)
    }
    onChanged(job.bucket)
    const now = this.#job(id)
    if (now?.state === 'done' || now?.state === 'failed') onEnd(now)
  }

  #stop(job: Job, state: 'held'): void {
    this.#controls.get(job.id)?.abort()
    this.#controls.delete(job.id)
    this.#deps.store.patch(job.id, { state })
  }

  #job(id: string): Job | undefined {
    const transfer = this.#deps.store.get(id)
    return transfer?.kind === 'job' ? transfer : undefined
  }

  #jobs(): Job[] {
    return [...this.#deps.store.values()].filter((transfer) => transfer.kind === 'job')
  }
}
