import type { JobLine } from '@stowage/contract'
import { ApiFailure, asFailure } from '../../lib/failure.ts'
import { t } from '../../lib/text/i18n.ts'
import type { JobRecord, JobRecords } from './job-records.ts'
import type { ListStore } from './list-store.ts'
import type { Tabs } from './tabs.ts'
import type { Job, JobSums, JobTask, Transfer } from './types.ts'
import { newId } from './upload-task.ts'

export interface JobsDeps {
  store: ListStore<Transfer>
  /** Does a task and reports its progress line by line, from a cursor of an earlier try if there is one. */
  run: (bucket: string, task: JobTask, cursor: string | undefined, signal: AbortSignal) => AsyncIterable<JobLine>
  /** Unfinished jobs, which go on after a reload. Deletions are not among them: a reload stops them. */
  records: JobRecords
  tabs: Tabs
  now: () => number
  /** The bucket was changed, or may have been. */
  onChanged: (bucket: string) => void
  /** A job has ended by itself. */
  onEnd: (job: Job) => void
}

/** Where a job stands: the point that it continues from, and the objects before it. */
interface Progress extends JobSums {
  cursor: string | undefined
}

const NONE: Progress = { cursor: undefined, count: 0, skipped: 0, failed: 0 }
/** How often the cursor is stored (ms). Objects behind it are looked at again after a reload. */
const STORE_EVERY = 1000

/**
 * The jobs of this tab, one call each, beside the uploads and as long-lived. One that the end of the session interrupted
 * continues when the same user signs in again; one that a reload interrupted, when the page is back.
 */
export class Jobs {
  readonly #deps: JobsDeps
  readonly #jobs = new Map<string, Job>()
  readonly #progress = new Map<string, Progress>()
  readonly #controls = new Map<string, AbortController>()
  #owner: string | undefined

  constructor(deps: JobsDeps) {
    this.#deps = deps
  }

  get busy(): boolean {
    return this.#controls.size > 0
  }

  /** IDs of the jobs that this tab has. */
  inHand(): string[] {
    return [...this.#jobs.keys()]
  }

  setOwner(owner: string | undefined): void {
    if (owner === this.#owner) return
    this.#owner = owner
    for (const job of this.#jobs.values()) {
      if (job.owner !== owner && job.state === 'running') this.#stop(job, 'held')
      else if (job.owner === owner && job.state === 'held') void this.#run(job.id)
    }
    if (owner !== undefined) void this.#resume(owner)
  }

  start(bucket: string, task: JobTask): void {
    if (this.#owner === undefined) return
    const id = newId()
    this.#add({ id, owner: this.#owner, bucket, task, ...NONE })
    this.#store(id)
    void this.#run(id)
  }

  retry(id: string): void {
    if (this.#jobs.get(id)?.state === 'failed') void this.#run(id)
  }

  /** Ends a running job where it is, or takes an ended one off the list. */
  cancel(id: string): void {
    const job = this.#jobs.get(id)
    this.#controls.get(id)?.abort()
    this.#jobs.delete(id)
    this.#progress.delete(id)
    this.#deps.store.remove(id)
    void this.#deps.records.delete(id)
    if (job?.state === 'running') for (const bucket of bucketsOf(job)) this.#deps.onChanged(bucket)
  }

  /** Continues what a page of this user left unfinished, unless another tab is doing it. */
  async #resume(owner: string): Promise<void> {
    const { records, tabs } = this.#deps
    const left = (await records.ofOwner(owner)).filter(({ id }) => !this.#jobs.has(id))
    if (left.length === 0) return
    const elsewhere = await tabs.heldElsewhere(left.map(({ id }) => id))
    if (this.#owner !== owner) return
    for (const record of left) {
      if (elsewhere.has(record.id) || this.#jobs.has(record.id)) continue
      this.#add(record)
      void this.#run(record.id)
    }
  }

  #add({ id, owner, bucket, task, cursor, count, skipped, failed }: JobRecord): void {
    const job: Job = { kind: 'job', id, owner, bucket, task, state: 'running', count, skipped, failed, errors: [] }
    this.#jobs.set(id, job)
    this.#progress.set(id, { cursor, count, skipped, failed })
    this.#deps.store.add([job])
  }

  async #run(id: string): Promise<void> {
    const job = this.#jobs.get(id)
    if (!job) return
    const { store, run, onChanged, onEnd, records, now } = this.#deps
    const control = new AbortController()
    this.#controls.set(id, control)
    const { cursor, ...before } = this.#progress.get(id) ?? NONE
    this.#change(id, { state: 'running', ...before, errors: [], error: undefined })
    let storedAt = now()
    try {
      let ended = false
      for await (const line of run(job.bucket, job.task, cursor, control.signal)) {
        const sums = add(before, line)
        store.progress(id, sums)
        if ('done' in line) {
          ended = true
          // A next try looks at everything again, because what failed is anywhere.
          this.#progress.set(id, NONE)
          this.#change(id, {
            ...sums,
            state: sums.failed > 0 ? 'failed' : 'done',
            errors: line.errors,
            since: line.since,
          })
        } else if (line.cursor !== undefined && this.#progress.has(id)) {
          this.#progress.set(id, { cursor: line.cursor, ...sums })
          if (now() - storedAt < STORE_EVERY) continue
          storedAt = now()
          this.#store(id)
        }
      }
      // Without its report the job was interrupted, whatever the status said at its beginning.
      if (!ended) throw new ApiFailure(0, { message: t('The connection ended before the job was done') })
      void records.delete(id)
    } catch (error) {
      if (control.signal.aborted) return
      const failure = asFailure(error)
      this.#change(id, failure.status === 401 ? { state: 'held' } : { state: 'failed', error: failure })
    } finally {
      if (this.#controls.get(id) === control) this.#controls.delete(id)
    }
    for (const bucket of bucketsOf(job)) onChanged(bucket)
    const last = this.#jobs.get(id)
    if (last?.state === 'done' || last?.state === 'failed') onEnd(last)
  }

  #store(id: string): void {
    const job = this.#jobs.get(id)
    if (!job || job.task.type === 'delete') return
    const { owner, bucket, task } = job
    void this.#deps.records.put({ id, owner, bucket, task, ...(this.#progress.get(id) ?? NONE) })
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

const add = (before: JobSums, line: JobSums): JobSums => ({
  count: before.count + line.count,
  skipped: before.skipped + line.skipped,
  failed: before.failed + line.failed,
})

/** The buckets that a job changes. */
function bucketsOf({ bucket, task }: Job): Set<string> {
  return new Set(task.type === 'copyObjects' ? [bucket, task.body.target_bucket] : [bucket])
}
