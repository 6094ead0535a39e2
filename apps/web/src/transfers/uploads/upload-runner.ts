import type { ObjectItem } from '@stowage/contract'
import { KeyedQueue } from '@stowage/contract/values/keyed-queue'
import { ApiFailure } from '../../lib/api/api-failure.ts'
import { formatSize } from '../../lib/text/format.ts'
import { t } from '../../lib/text/i18n.ts'
import type { ListStore } from '../list/list-store.ts'
import type { OtherTabs } from '../list/other-tabs.ts'
import type { TransferRequestLimit } from '../list/request-limit.ts'
import type { FileUpload, Transfer, UploadState } from '../list/types.ts'
import { findExisting } from './find-existing.ts'
import type { ResumeRecords } from './resume-records.ts'
import { type RetryDelay, withRetries } from './retry.ts'
import { sendFile } from './send-file.ts'
import type { UploadApi } from './upload-api.ts'
import {
  displayedUpload,
  isSameFile,
  mismatchReason,
  newUploadBatch,
  newUploadTask,
  type PickedFile,
  restoreUploadTask,
  resumeRecord,
  type UnmatchedFile,
  type UploadBatch,
  type UploadTask,
} from './upload-task.ts'

/** The number of files that are uploaded in parallel. Their requests share the limit of the tab. */
const MAX_PARALLEL_FILES = 4
/** Interval between updates of the upload rate (ms). */
const RATE_INTERVAL_MS = 500

export interface UploadRunnerDeps {
  store: ListStore<Transfer>
  api: UploadApi
  limit: TransferRequestLimit
  records: ResumeRecords
  tabs: OtherTabs
  /** Milliseconds since 1970. */
  now: () => number
  /** Returns how many bytes a bucket's quota leaves, as counted by the server; undefined without a quota. */
  remainingQuota?: (bucket: string, fresh: boolean) => Promise<number | undefined>
  wait: RetryDelay
  /** Called when an object has been stored. */
  onStored: (bucket: string, key: string) => void
  /** Called when all files that were chosen together have ended. */
  onBatch: (batch: Readonly<UploadBatch>) => void
  /** Called when a call was rejected because the session has ended. */
  onSignedOut: () => void
}

/**
 * The uploads of this tab. Lives outside of React and the router, so changing the page does not affect it. Uploads that are
 * unfinished when the session ends continue when the same user signs in again.
 */
export class UploadRunner {
  readonly #deps: UploadRunnerDeps
  readonly #tasks = new Map<string, UploadTask>()
  /** Uploads to the same key run one after the other; otherwise the order in which they end would decide which one remains. */
  readonly #queue = new KeyedQueue({ concurrency: MAX_PARALLEL_FILES })
  readonly #running = new Set<UploadTask>()
  #owner: string | undefined
  readonly #restoredOwners = new Set<string>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(deps: UploadRunnerDeps) {
    this.#deps = deps
  }

  /** Whether closing the page would interrupt uploads. */
  get busy(): boolean {
    return [...this.#tasks.values()].some((task) => task.file && task.state !== 'failed')
  }

  /** Returns the IDs of the uploads that this tab is working on, for other tabs. */
  activeIds(): string[] {
    return [...this.#tasks.values()].filter((task) => task.file).map((task) => task.id)
  }

  /** Sets the signed-in user. Transfers of other users are held until they sign in again. */
  setOwner(owner: string | undefined): void {
    if (owner === this.#owner) return
    this.#owner = owner
    for (const task of this.#tasks.values()) {
      if (task.owner !== owner) this.#hold(task)
      else if (task.state === 'held') this.#continueTask(task)
    }
    if (owner !== undefined) void this.#restoreUnfinished(owner)
  }

  /** Adds files. For those that would replace an object, the user is asked first. Requires a signed-in user. */
  add(bucket: string, picked: readonly PickedFile[]): void {
    const owner = this.#owner
    if (owner === undefined) return
    const batch = newUploadBatch()
    const mine = new Map<string, UploadTask>()
    for (const task of this.#tasks.values())
      if (task.owner === owner && task.bucket === bucket) mine.set(task.key, task)
    const fresh: UploadTask[] = []
    for (const pick of picked) {
      const same = mine.get(pick.key)
      if (same && isSameFile(same, pick.file)) this.#takeFile(same, pick.file, batch)
      else fresh.push(newUploadTask(owner, bucket, pick, batch))
    }
    batch.open += fresh.length
    for (const task of fresh) this.#tasks.set(task.id, task)
    this.#deps.store.add(fresh.map(displayedUpload))
    if (fresh.length > 0) void this.#check(bucket, fresh)
  }

  /** Decides about uploads whose object exists: `replace` uploads the file, `keep` keeps the object and drops the upload. */
  answer(ids: readonly string[], choice: 'replace' | 'keep'): void {
    for (const task of this.#findTasks(ids, ['asking'])) {
      if (choice === 'keep') {
        this.#drop(task)
      } else {
        task.cleared = true
        task.replace = true
        this.#enqueue(task)
      }
    }
  }

  pause(ids: readonly string[]): void {
    for (const task of this.#findTasks(ids, ['running', 'waiting'])) this.#stop(task, 'paused')
  }

  resume(ids: readonly string[]): void {
    for (const task of this.#findTasks(ids, ['paused'])) this.#enqueue(task)
  }

  /** Restarts failed uploads; completed parts are not sent again. */
  retry(ids: readonly string[]): void {
    const batch = newUploadBatch()
    for (const task of this.#findTasks(ids, ['failed'])) {
      batch.open++
      task.batch = batch
      this.#continueTask(task)
    }
  }

  /** Cancels uploads and deletes their parts on the server; removes ended uploads from the list. */
  cancel(ids: readonly string[]): void {
    for (const id of ids) {
      const task = this.#tasks.get(id)
      if (!task) {
        this.#deps.store.remove(id)
        continue
      }
      this.#drop(task)
      const { parted, bucket, key } = task
      if (parted?.uploadId !== undefined) {
        // If this fails, the server deletes the parts itself after some days.
        this.#deps.api.abort({ bucket, key, uploadId: parted.uploadId }, new AbortController().signal).catch(() => {})
      }
    }
  }

  /** Assigns files to uploads that wait for theirs after a reload. @returns the files that match no upload */
  attach(files: readonly File[]): UnmatchedFile[] {
    const batch = newUploadBatch()
    const refused: UnmatchedFile[] = []
    for (const file of files) {
      const waiting = [...this.#tasks.values()].filter((task) => !task.file && task.owner === this.#owner)
      const task = waiting.find((candidate) => isSameFile(candidate, file))
      if (task) this.#takeFile(task, file, batch)
      else refused.push({ file, why: mismatchReason(waiting, file) })
    }
    return refused
  }

  /** The user chose the same file for the same key again: continue that upload instead of starting another. */
  #takeFile(task: UploadTask, file: File, batch: UploadBatch): void {
    const { state } = task
    if (state !== 'needs-file' && state !== 'failed' && state !== 'paused') return
    task.file = file
    if (state !== 'paused') {
      batch.open++
      task.batch = batch
    }
    this.#continueTask(task)
  }

  #continueTask(task: UploadTask): void {
    if (task.cleared) this.#enqueue(task)
    else void this.#check(task.bucket, [task])
  }

  /** Checks which keys already have an object. Those wait for the user's decision; the others are queued. */
  async #check(bucket: string, tasks: readonly UploadTask[]): Promise<void> {
    const { api, limit, wait } = this.#deps
    const check = {}
    for (const task of tasks) {
      task.check = check
      this.#setState(task, 'checking')
    }
    const keys = tasks.map((task) => task.key)
    const { signal } = new AbortController()
    let existing = new Map<string, ObjectItem>()
    let failure: ApiFailure | undefined
    try {
      existing = await limit(signal, () => withRetries(signal, wait, () => findExisting(api, bucket, keys, signal)))
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      // With the right to write but not to list, the user is not asked about existing objects: the console cannot see them.
      if (error.status !== 403) failure = error
    }
    for (const task of tasks) {
      if (task.check !== check || task.state !== 'checking') continue
      const there = existing.get(task.key)
      if (failure) {
        this.#fail(task, failure)
      } else if (there) {
        this.#setState(task, 'asking', { there: { size: there.size, lastModified: there.last_modified } })
      } else {
        task.cleared = true
        this.#enqueue(task)
      }
    }
  }

  #enqueue(task: UploadTask): void {
    const control = new AbortController()
    task.control = control
    this.#setState(task, 'waiting')
    const run = async () => {
      this.#running.add(task)
      await this.#run(task, control).finally(() => this.#running.delete(task))
    }
    this.#queue.run(`${task.bucket}/${task.key}`, run, control.signal).catch((error: unknown) => {
      // The task was removed while it waited.
      if (!control.signal.aborted) throw error
    })
  }

  async #run(task: UploadTask, control: AbortController): Promise<void> {
    const { file } = task
    if (!file || control.signal.aborted) return
    const { store, api, limit, wait, now, onStored } = this.#deps
    // Parts uploaded earlier count as sent but not for the rate, so the first figure of a multipart upload is only a baseline.
    let last = task.parted ? undefined : { sent: 0, kept: 0 }
    this.#timer ??= setInterval(() => this.#updateRates(), RATE_INTERVAL_MS)
    this.#setState(task, 'running', { error: undefined, retry: undefined })
    /** Whether the row shows that a retry is pending. */
    let retrying = false
    const showRetryAndWait: RetryDelay = async (ms, signal, error) => {
      if (error && !control.signal.aborted) {
        retrying = true
        store.patch(task.id, { retry: { error, at: now() + ms } })
      }
      await wait(ms, signal, error)
    }
    try {
      await this.#refuseOverQuota(task)
      const onProgress = (sent: number, kept: number) => {
        if (control.signal.aborted) return
        if (last) task.meter.add(sent - last.sent, now())
        if (kept !== last?.kept) this.#remember(task)
        last = { sent, kept }
        task.kept = kept
        if (retrying && sent > 0) store.patch(task.id, { retry: undefined })
        if (sent > 0) retrying = false
        store.progress(task.id, { sent, kept })
      }
      const onCreated = () => this.#remember(task)
      await sendFile(task, file, { api, limit, wait: showRetryAndWait, onProgress, onCreated }, control.signal)
      this.#tasks.delete(task.id)
      this.#forget(task)
      this.#setState(task, 'done', { sent: task.size, kept: 0, rate: 0 })
      onStored(task.bucket, task.key)
      this.#settle(task, 'stored')
    } catch (error) {
      // The caller that aborted the request has already set the state of the task.
      if (!control.signal.aborted) {
        if (!(error instanceof ApiFailure)) throw error
        if (error.status === 412 && !task.replace) await this.#askAgain(task, error)
        else this.#fail(task, error)
      }
    }
  }

  /** Asks the user about an object that was created during the upload. Parts are kept. */
  async #askAgain(task: UploadTask, refusal: ApiFailure): Promise<void> {
    const { api, limit } = this.#deps
    const check = {}
    task.check = check
    task.cleared = false
    this.#setState(task, 'checking', { sent: task.kept, rate: 0 })
    const { signal } = new AbortController()
    try {
      const existing = await limit(signal, () => findExisting(api, task.bucket, [task.key], signal))
      if (task.check !== check || task.state !== 'checking') return
      const there = existing.get(task.key)
      if (!there) this.#fail(task, refusal)
      else this.#setState(task, 'asking', { there: { size: there.size, lastModified: there.last_modified } })
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      if (task.check !== check || task.state !== 'checking') return
      // Without the right to list, nothing is known about the object.
      if (error.status === 403) this.#setState(task, 'asking')
      else this.#fail(task, refusal)
    }
  }

  /** Rejects a file that exceeds the bucket's quota before its bytes are sent. @throws ApiFailure */
  async #refuseOverQuota({ bucket, size, kept }: UploadTask): Promise<void> {
    const { remainingQuota } = this.#deps
    if (kept > 0 || !remainingQuota) return
    const fits = (room: number | undefined) => room === undefined || size <= room
    if (fits(await remainingQuota(bucket, false))) return
    // The quota may have been raised, or objects deleted, since the list was read.
    const room = await remainingQuota(bucket, true)
    if (room === undefined || size <= room) return
    throw new ApiFailure(507, {
      message: t('The quota of the bucket leaves {{size}}', { size: formatSize(Math.max(0, room)) }),
    })
  }

  #fail(task: UploadTask, error: ApiFailure): void {
    if (error.status === 401) {
      this.#hold(task)
      this.#deps.onSignedOut()
      return
    }
    if (task.parted) task.parted.known = false
    this.#setState(task, 'failed', { error, rate: 0 })
    this.#settle(task, 'failed')
  }

  #settle(task: UploadTask, how: 'stored' | 'failed' | 'dropped'): void {
    const { batch } = task
    if (how !== 'dropped') batch[how]++
    batch.open--
    if (batch.open === 0) this.#deps.onBatch(batch)
  }

  #stop(task: UploadTask, state: 'paused' | 'held'): void {
    task.control?.abort()
    this.#setState(task, state, { sent: task.kept, rate: 0 })
  }

  #hold(task: UploadTask): void {
    const { state } = task
    if (state === 'checking' || state === 'waiting' || state === 'running') this.#stop(task, 'held')
  }

  #drop(task: UploadTask): void {
    const { state } = task
    this.#tasks.delete(task.id)
    task.control?.abort()
    // Ignore the result of a check that is still running.
    delete task.check
    this.#forget(task)
    this.#deps.store.remove(task.id)
    if (state !== 'failed' && state !== 'needs-file') this.#settle(task, 'dropped')
  }

  /** Restores the uploads that were unfinished when the page was closed, once for each user. */
  async #restoreUnfinished(owner: string): Promise<void> {
    if (this.#restoredOwners.has(owner)) return
    this.#restoredOwners.add(owner)
    const records = await this.#deps.records.listByOwner(owner)
    if (records.length === 0) return
    const elsewhere = await this.#deps.tabs.heldByOtherTabs(records.map(({ id }) => id))
    for (const record of records) {
      if (this.#tasks.has(record.id) || elsewhere.has(record.id)) continue
      const task = restoreUploadTask(record, newUploadBatch())
      this.#tasks.set(task.id, task)
      this.#deps.store.add([displayedUpload(task)])
    }
  }

  #remember(task: UploadTask): void {
    const record = resumeRecord(task)
    if (record) void this.#deps.records.put(record)
  }

  #forget(task: UploadTask): void {
    if (task.parted) void this.#deps.records.delete(task.id)
  }

  #updateRates(): void {
    const { store, now } = this.#deps
    for (const task of this.#running) store.progress(task.id, { rate: task.meter.rate(now()) })
    if (this.#running.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #findTasks(ids: readonly string[], states: readonly UploadState[]): UploadTask[] {
    const tasks = ids.map((id) => this.#tasks.get(id)).filter((task) => task !== undefined)
    return tasks.filter((task) => states.includes(task.state))
  }

  /** Sets a task's state, and shows it together with other changes. */
  #setState(task: UploadTask, state: UploadState, shown: Partial<FileUpload> = {}): void {
    task.state = state
    this.#deps.store.patch(task.id, { state, ...shown })
  }
}
