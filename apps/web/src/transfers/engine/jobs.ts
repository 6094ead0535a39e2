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
  readonly #jobs = new Map<string, Job>()
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
    for (const job of this.#jobs.values()) {
      if (job.owner !== owner && job.state === 'running') this.#stop(job, 'held')
      else if (job.owner === owner && job.state === 'held') void this.#run(job.id)
    }
  }

  /** Deletes keys, and everything below those that end with a slash. */
  start(bucket: string, paths: readonly string[]): void {
    if (this.#owner === undefined) return
    const id = newId()
    const none = { deleted: 0, failed: 0, errors: [] }
    const job: Job = { kind: 'job', id, owner: this.#owner, bucket, paths, state: 'running', ...none }
    this.#jobs.set(id, job)
    this.#deps.store.add([job])
    void this.#run(id)
  }

  retry(id: string): void {
    if (this.#jobs.get(id)?.state === 'failed') void this.#run(id)
  }

  /** Ends a running deletion where it is, or takes an ended one off the list. */
  cancel(id: string): void {
    const job = this.#jobs.get(id)
    this.#controls.get(id)?.abort()
    this.#jobs.delete(id)
    this.#deps.store.remove(id)
    if (job?.state === 'running') this.#deps.onChanged(job.bucket)
  }

  async #run(id: string): Promise<void> {
    const job = this.#jobs.get(id)
    if (!job) return
    const { store, deletePaths, onChanged, onEnd } = this.#deps
    const control = new AbortController()
    this.#controls.set(id, control)
    this.#change(id, { state: 'running', deleted: 0, failed: 0, errors: [], error: undefined })
    try {
      let ended = false
      for await (const line of deletePaths(job.bucket, job.paths, control.signal)) {
        store.progress(id, { deleted: line.deleted, failed: line.failed })
        if (!('done' in line)) continue
        ended = true
        this.#change(id, { state: line.failed > 0 ? 'failed' : 'done', errors: line.errors })
      }
      // Without its report the deletion was broken off, whatever the status said at its beginning.
      if (!ended) throw new ApiFailure(0, { message: t('The connection ended before everything was deleted') })
    } catch (error) {
      if (control.signal.aborted) return
      const failure = asFailure(error)
      this.#change(id, failure.status === 401 ? { state: 'held' } : { state: 'failed', error: failure })
    } finally {
      if (this.#controls.get(id) === control) this.#controls.delete(id)
    }
    onChanged(job.bucket)
    const now = this.#jobs.get(id)
    if (now?.state === 'done' || now?.state === 'failed') onEnd(now)
  }

  #stop(job: Job, state: 'held'): void {
    this.#controls.get(job.id)?.abort()
    this.#controls.delete(job.id)
    this.#change(job.id, { state })
  }

  /** Changes a job, and shows it; one that was cancelled stays gone. */
  #change(id: string, fields: Partial<Job>): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.#jobs.set(id, { ...job, ...fields })
    this.#deps.store.patch(id, fields)
  }
}
