import type { ObjectItem } from '@stowage/contract'
import { ApiFailure } from '../../lib/failure.ts'
import { formatSize } from '../../lib/text/format.ts'
import { t } from '../../lib/text/i18n.ts'
import type { UploadApi } from '../api/upload-api.ts'
import { findExisting } from './clashes.ts'
import type { ListStore } from './list-store.ts'
import type { ResumeRecords } from './resume-records.ts'
import { type Delay, retrying } from './retry.ts'
import { RunQueue } from './run-queue.ts'
import { sendFile } from './send-file.ts'
import type { Slots } from './slots.ts'
import type { Tabs } from './tabs.ts'
import type { Transfer, Upload, UploadState } from './types.ts'
import {
  type Batch,
  isSameFile,
  newBatch,
  newTask,
  type Picked,
  type Refused,
  recordOfTask,
  type Task,
  taskOfRecord,
  uploadOfTask,
  whyRefused,
} from './upload-task.ts'

/** The number of files that are uploaded in parallel. Their requests share the slots. */
const FILES_AT_ONCE = 4
/** Interval between updates of the upload rate (ms). */
const RATE_EVERY = 500

export interface UploadsDeps {
  store: ListStore<Transfer>
  api: UploadApi
  slots: Slots
  records: ResumeRecords
  tabs: Tabs
  /** Milliseconds since 1970. */
  now: () => number
  /** Returns how many bytes a bucket's quota leaves, as counted by the server; undefined without a quota. */
  roomIn?: (bucket: string, fresh: boolean) => Promise<number | undefined>
  wait: Delay
  /** Called when an object has been stored. */
  onStored: (bucket: string, key: string) => void
  /** Called when all files that were chosen together have ended. */
  onBatch: (batch: Readonly<Batch>) => void
  /** Called when a call was rejected because the session has ended. */
  onSignedOut: () => void
}

/**
 * The uploads of this tab. Lives outside of React and the router, so changing the page does not affect it. Uploads that are
 * unfinished when the session ends continue when the same user signs in again.
 */
export class Uploads {
  readonly #deps: UploadsDeps
  readonly #tasks = new Map<string, Task>()
  readonly #queue = new RunQueue<Task>(FILES_AT_ONCE, (task) => this.#run(task))
  #owner: string | undefined
  readonly #recalled = new Set<string>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(deps: UploadsDeps) {
    this.#deps = deps
  }

  /** Whether closing the page would interrupt uploads. */
  get busy(): boolean {
    return [...this.#tasks.values()].some((task) => task.file && task.state !== 'failed')
  }

  /** Returns the IDs of the uploads that this tab is working on, for other tabs. */
  inHand(): string[] {
    return [...this.#tasks.values()].filter((task) => task.file).map((task) => task.id)
  }

  /** Sets the signed-in user. Transfers of other users are held until they sign in again. */
  setOwner(owner: string | undefined): void {
    if (owner === this.#owner) return
    this.#owner = owner
    for (const task of this.#tasks.values()) {
      if (task.owner !== owner) this.#hold(task)
      else if (task.state === 'held') this.#goOn(task)
    }
    if (owner !== undefined) void this.#recall(owner)
    this.#queue.pump()
  }

  /** Adds files. For those that would replace an object, the user is asked first. Requires a signed-in user. */
  add(bucket: string, picked: readonly Picked[]): void {
    const owner = this.#owner
    if (owner === undefined) return
    const batch = newBatch()
    const mine = new Map<string, Task>()
    for (const task of this.#tasks.values())
      if (task.owner === owner && task.bucket === bucket) mine.set(task.key, task)
    const fresh: Task[] = []
    for (const pick of picked) {
      const same = mine.get(pick.key)
      if (same && isSameFile(same, pick.file)) this.#takeFile(same, pick.file, batch)
      else fresh.push(newTask(owner, bucket, pick, batch))
    }
    batch.open += fresh.length
    for (const task of fresh) this.#tasks.set(task.id, task)
    this.#deps.store.add(fresh.map(uploadOfTask))
    if (fresh.length > 0) void this.#check(bucket, fresh)
    this.#queue.pump()
  }

  /** Decides about uploads whose object exists: `replace` uploads the file, `keep` keeps the object and drops the upload. */
  answer(ids: readonly string[], choice: 'replace' | 'keep'): void {
    for (const task of this.#tasksOf(ids, ['asking'])) {
      if (choice === 'keep') {
        this.#drop(task)
      } else {
        task.cleared = true
        this.#enqueue(task)
      }
    }
    this.#queue.pump()
  }

  pause(ids: readonly string[]): void {
    for (const task of this.#tasksOf(ids, ['running', 'waiting'])) this.#stop(task, 'paused')
    this.#queue.pump()
  }

  resume(ids: readonly string[]): void {
    for (const task of this.#tasksOf(ids, ['paused'])) this.#enqueue(task)
    this.#queue.pump()
  }

  /** Restarts failed uploads; completed parts are not sent again. */
  retry(ids: readonly string[]): void {
    const batch = newBatch()
    for (const task of this.#tasksOf(ids, ['failed'])) {
      batch.open++
      task.batch = batch
      this.#goOn(task)
    }
    this.#queue.pump()
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
    this.#queue.pump()
  }

  /** Assigns files to uploads that wait for theirs after a reload. @returns the files that match no upload */
  attach(files: readonly File[]): Refused[] {
    const batch = newBatch()
    const refused: Refused[] = []
    for (const file of files) {
      const waiting = [...this.#tasks.values()].filter((task) => !task.file && task.owner === this.#owner)
      const task = waiting.find((candidate) => isSameFile(candidate, file))
      if (task) this.#takeFile(task, file, batch)
      else refused.push({ file, why: whyRefused(waiting, file) })
    }
    this.#queue.pump()
    return refused
  }

  /** The user chose the same file for the same key again: continue that upload instead of starting another. */
  #takeFile(task: Task, file: File, batch: Batch): void {
    const { state } = task
    if (state !== 'needs-file' && state !== 'failed' && state !== 'paused') return
    task.file = file
    if (state !== 'paused') {
      batch.open++
      task.batch = batch
    }
    this.#goOn(task)
  }

  #goOn(task: Task): void {
    if (task.cleared) this.#enqueue(task)
    else void this.#check(task.bucket, [task])
  }

  /** Checks which keys already have an object. Those wait for the user's decision; the others are queued. */
  async #check(bucket: string, tasks: readonly Task[]): Promise<void> {
    const { api, slots, wait } = this.#deps
    const check = {}
    for (const task of tasks) {
      task.check = check
      this.#become(task, 'checking')
    }
    const keys = tasks.map((task) => task.key)
    const { signal } = new AbortController()
    let existing = new Map<string, ObjectItem>()
    let failure: ApiFailure | undefined
    try {
      existing = await slots.use(signal, () => retrying(signal, wait, () => findExisting(api, bucket, keys, signal)))
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
        this.#become(task, 'asking', { there: { size: there.size, lastModified: there.last_modified } })
      } else {
        task.cleared = true
        this.#enqueue(task)
      }
    }
    this.#queue.pump()
  }

  #enqueue(task: Task): void {
    this.#queue.add(task)
    this.#become(task, 'waiting')
  }

  async #run(task: Task): Promise<void> {
    const { file } = task
    if (!file) return
    const { store, api, slots, wait, now, onStored } = this.#deps
    const control = new AbortController()
    task.control = control
    // Parts uploaded earlier count as sent but not for the rate, so the first figure of a multipart upload is only a baseline.
    let last = task.parted ? undefined : { sent: 0, kept: 0 }
    this.#timer ??= setInterval(() => this.#tellRates(), RATE_EVERY)
    this.#become(task, 'running', { error: undefined, retry: undefined })
    /** Whether the row shows that a retry is pending. */
    let retrying = false
    const tellAndWait: Delay = async (ms, signal, error) => {
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
      await sendFile(task, file, { api, slots, wait: tellAndWait, onProgress, onCreated }, control.signal)
      this.#tasks.delete(task.id)
      this.#forget(task)
      this.#become(task, 'done', { sent: task.size, kept: 0, rate: 0 })
      onStored(task.bucket, task.key)
      this.#settle(task, 'stored')
    } catch (error) {
      // The caller that aborted the request has already set the state of the task.
      if (!control.signal.aborted) {
        if (!(error instanceof ApiFailure)) throw error
        this.#fail(task, error)
      }
    }
  }

  /** Rejects a file that exceeds the bucket's quota before its bytes are sent. @throws ApiFailure */
  async #refuseOverQuota({ bucket, size, kept }: Task): Promise<void> {
    const { roomIn } = this.#deps
    if (kept > 0 || !roomIn) return
    const fits = (room: number | undefined) => room === undefined || size <= room
    if (fits(await roomIn(bucket, false))) return
    // The quota may have been raised, or objects deleted, since the list was read.
    const room = await roomIn(bucket, true)
    if (room === undefined || size <= room) return
    throw new ApiFailure(507, {
      message: t('The quota of the bucket leaves {{size}}', { size: formatSize(Math.max(0, room)) }),
    })
  }

  #fail(task: Task, error: ApiFailure): void {
    if (error.status === 401) {
      this.#hold(task)
      this.#deps.onSignedOut()
      return
    }
    if (task.parted) task.parted.known = false
    this.#become(task, 'failed', { error, rate: 0 })
    this.#settle(task, 'failed')
  }

  #settle(task: Task, how: 'stored' | 'failed' | 'dropped'): void {
    const { batch } = task
    if (how !== 'dropped') batch[how]++
    batch.open--
    if (batch.open === 0) this.#deps.onBatch(batch)
  }

  #stop(task: Task, state: 'paused' | 'held'): void {
    this.#queue.remove(task)
    task.control?.abort()
    this.#become(task, state, { sent: task.kept, rate: 0 })
  }

  #hold(task: Task): void {
    const { state } = task
    if (state === 'checking' || state === 'waiting' || state === 'running') this.#stop(task, 'held')
  }

  #drop(task: Task): void {
    const { state } = task
    this.#queue.remove(task)
    this.#tasks.delete(task.id)
    task.control?.abort()
    // Ignore the result of a check that is still running.
    delete task.check
    this.#forget(task)
    this.#deps.store.remove(task.id)
    if (state !== 'failed' && state !== 'needs-file') this.#settle(task, 'dropped')
  }

  /** Restores the uploads that were unfinished when the page was closed, once for each user. */
  async #recall(owner: string): Promise<void> {
    if (this.#recalled.has(owner)) return
    this.#recalled.add(owner)
    const records = await this.#deps.records.ofOwner(owner)
    if (records.length === 0) return
    const elsewhere = await this.#deps.tabs.heldElsewhere(records.map(({ id }) => id))
    for (const record of records) {
      if (this.#tasks.has(record.id) || elsewhere.has(record.id)) continue
      const task = taskOfRecord(record, newBatch())
      this.#tasks.set(task.id, task)
      this.#deps.store.add([uploadOfTask(task)])
    }
  }

  #remember(task: Task): void {
    const record = recordOfTask(task)
    if (record) void this.#deps.records.put(record)
  }

  #forget(task: Task): void {
    if (task.parted) void this.#deps.records.delete(task.id)
  }

  #tellRates(): void {
    const { store, now } = this.#deps
    const { running } = this.#queue
    for (const task of running) store.progress(task.id, { rate: task.meter.rate(now()) })
    if (running.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #tasksOf(ids: readonly string[], states: readonly UploadState[]): Task[] {
    const tasks = ids.map((id) => this.#tasks.get(id)).filter((task) => task !== undefined)
    return tasks.filter((task) => states.includes(task.state))
  }

  /** Sets a task's state, and shows it together with other changes. */
  #become(task: Task, state: UploadState, shown: Partial<Upload> = {}): void {
    task.state = state
    this.#deps.store.patch(task.id, { state, ...shown })
  }
}
