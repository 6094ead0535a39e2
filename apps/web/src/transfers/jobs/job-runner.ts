import type { ApiError, JobLine } from '@stowage/contract'
import { ApiFailure, asFailure } from '../../lib/api/api-failure.ts'
import { t } from '../../lib/text/i18n.ts'
import type { ListStore } from '../list/list-store.ts'
import type { OtherTabs } from '../list/other-tabs.ts'
import type { Job, JobCounts, JobTask, Transfer } from '../list/types.ts'
import { randomId } from '../uploads/upload-task.ts'
import type { JobProgress, JobRecord, JobRecords } from './job-records.ts'

export interface JobRunnerDeps {
  store: ListStore<Transfer>
  /** Runs a task and yields its progress, starting at the cursor of an earlier attempt if given. */
  run: (bucket: string, task: JobTask, cursor: string | undefined, signal: AbortSignal) => AsyncIterable<JobLine>
  /** Unfinished jobs, which continue after a reload. Deletions are not stored: a reload stops them. */
  records: JobRecords
  tabs: OtherTabs
  now: () => number
  /** Called if a bucket was changed, or may have been. */
  onChanged: (bucket: string) => void
  /** Called when a job has finished without being cancelled. */
  onEnd: (job: Job) => void
}

const NO_PROGRESS: JobProgress = { cursor: undefined, count: 0, skipped: 0, failed: 0 }
const MAX_ERRORS = 100
/** Interval at which the cursor is stored (ms). After a reload, objects after the stored cursor are processed again. */
const STORE_EVERY = 1000

/**
 * The jobs of this tab, one call each. They exist independently of the pages, like uploads. A job that the end of the session
 * interrupted continues when the same user signs in again; one that a reload interrupted continues after it.
 */
export class JobRunner {
  readonly #deps: JobRunnerDeps
  readonly #jobs = new Map<string, Job>()
  readonly #progress = new Map<string, JobProgress>()
  readonly #controls = new Map<string, AbortController>()
  #owner: string | undefined

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps
  }

  get busy(): boolean {
    return this.#controls.size > 0
  }

  /** Returns the IDs of the jobs in this tab. */
  activeIds(): string[] {
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
    const id = randomId()
    this.#add({ id, owner: this.#owner, bucket, task, ...NO_PROGRESS })
    this.#store(id)
    void this.#run(id)
  }

  retry(id: string): void {
    if (this.#jobs.get(id)?.state === 'failed') void this.#run(id)
  }

  /** Stops a running job, or removes a finished one from the list. */
  cancel(id: string): void {
    const job = this.#jobs.get(id)
    this.#controls.get(id)?.abort()
    this.#jobs.delete(id)
    this.#progress.delete(id)
    this.#deps.store.remove(id)
    void this.#deps.records.delete(id)
    if (job?.state === 'running') for (const bucket of changedBuckets(job)) this.#deps.onChanged(bucket)
  }

  /** Continues jobs that this user left unfinished, except those that another tab is running. */
  async #resume(owner: string): Promise<void> {
    const { records, tabs } = this.#deps
    const left = (await records.listByOwner(owner)).filter(({ id }) => !this.#jobs.has(id))
    if (left.length === 0) return
    const elsewhere = await tabs.heldByOtherTabs(left.map(({ id }) => id))
    if (this.#owner !== owner) return
    for (const record of left) {
      if (elsewhere.has(record.id) || this.#jobs.has(record.id)) continue
      this.#add(record)
      void this.#run(record.id)
    }
  }

  #add({ id, owner, bucket, task, ...progress }: JobRecord): void {
    const { count, skipped, failed, errors = [] } = progress
    const job: Job = { kind: 'job', id, owner, bucket, task, state: 'running', count, skipped, failed, errors }
    this.#jobs.set(id, job)
    this.#progress.set(id, progress)
    this.#deps.store.add([job])
  }

  async #run(id: string): Promise<void> {
    const job = this.#jobs.get(id)
    if (!job) return
    const { store, run, onChanged, onEnd, records, now } = this.#deps
    const control = new AbortController()
    this.#controls.set(id, control)
    const before = this.#progress.get(id) ?? NO_PROGRESS
    const { cursor, count, skipped, failed } = before
    let { errors = [], since } = before
    this.#change(id, { state: 'running', count, skipped, failed, errors, error: undefined, stoppedAfter: undefined })
    let storedAt = now()
    try {
      let ended = false
      for await (const line of run(job.bucket, job.task, cursor, control.signal)) {
        const sums = addCounts(before, line)
        since ??= line.since
        store.progress(id, sums)
        if ('done' in line) {
          ended = true
          // A retry starts from the beginning, because the failed objects can be anywhere.
          this.#progress.set(id, NO_PROGRESS)
          const all = joinErrors(before.errors, line.errors)
          this.#change(id, { ...sums, state: sums.failed > 0 ? 'failed' : 'done', errors: all, since })
          continue
        }
        errors = 'stopped' in line ? joinErrors(before.errors, line.errors) : joinErrors(errors, line.errors)
        if (line.cursor !== undefined && this.#progress.has(id)) {
          this.#progress.set(id, { cursor: line.cursor, path: line.path, ...sums, errors, since })
          if (now() - storedAt >= STORE_EVERY || 'stopped' in line) {
            storedAt = now()
            this.#store(id)
          }
        }
        if ('stopped' in line) throw new ApiFailure(line.stopped.code, line.stopped as Partial<ApiError>)
      }
      // A response without the final line was interrupted, whatever its status.
      if (!ended) throw new ApiFailure(0, { message: t('The connection ended before the job was done') })
      void records.delete(id)
    } catch (error) {
      if (control.signal.aborted) return
      const failure = asFailure(error)
      if (failure.status === 401) this.#change(id, { state: 'held' })
      else this.#change(id, { state: 'failed', error: failure, errors, stoppedAfter: this.#progress.get(id)?.path })
    } finally {
      if (this.#controls.get(id) === control) this.#controls.delete(id)
    }
    for (const bucket of changedBuckets(job)) onChanged(bucket)
    const last = this.#jobs.get(id)
    if (last?.state === 'done' || last?.state === 'failed') onEnd(last)
  }

  #store(id: string): void {
    const job = this.#jobs.get(id)
    // What has been received so far would be missing after a reload.
    if (!job || job.task.type === 'delete' || isDownload(job.task)) return
    const { owner, bucket, task } = job
    void this.#deps.records.put({ id, owner, bucket, task, ...(this.#progress.get(id) ?? NO_PROGRESS) })
  }

  #stop(job: Job, state: 'held'): void {
    this.#controls.get(job.id)?.abort()
    this.#controls.delete(job.id)
    this.#change(job.id, { state })
  }

  /** Changes a job and updates the list. Ignores a job that was cancelled. */
  #change(id: string, fields: Partial<Job>): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.#jobs.set(id, { ...job, ...fields })
    this.#deps.store.patch(id, fields)
  }
}

const isDownload = ({ type }: JobTask) => type === 'exportLogs' || type === 'healthReport'

const addCounts = (before: JobCounts, line: JobCounts): JobCounts => ({
  count: before.count + line.count,
  skipped: before.skipped + line.skipped,
  failed: before.failed + line.failed,
})

const joinErrors = (before: Job['errors'] = [], added: Job['errors'] = []) => [...before, ...added].slice(0, MAX_ERRORS)

/** Returns the buckets that a job changes. */
function changedBuckets({ bucket, task }: Job): Set<string> {
  if (isDownload(task)) return new Set()
  return new Set(task.type === 'copyObjects' ? [bucket, task.body.target_bucket] : [bucket])
}
