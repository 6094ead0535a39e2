import { type JobLine, MiB } from '@stowage/contract'
import type { JobStop } from '@stowage/contract/objects/job-lines'
import type { JobNote } from '@stowage/contract/objects/object-jobs'
import type { FastifyReply } from 'fastify'
import pLimit from 'p-limit'
import { pMapIterable } from 'p-map'
import { errorAnswer } from '../../../lib/errors/http-errors.ts'
import { FaultCounter, isStorageFailure, objectFailure } from '../../../lib/errors/object-failure.ts'
import { UpstreamError } from '../../../lib/errors/storage-errors.ts'
import { acceptsNdjson, sendNdjson } from '../../../lib/http/ndjson.ts'
import type { SessionContext } from '../../../lib/http/serve.ts'

/** One object of a job, and the cursor after it. */
export interface JobItem {
  key: string
  cursor: string
  /** Bytes; undefined if the object was not listed. */
  size?: number | undefined
}

/** The result for one object. A note explains it in the report. */
export interface JobItemResult {
  state: 'changed' | 'skipped' | 'failed'
  bytes?: number
  note?: { code: string; message: string }
  /** The storage server failed, instead of refusing the object. */
  fault?: boolean
}

/** Number of objects that a job works on at the same time: servers sync writes together that arrive together. */
const CONCURRENCY = 32
/** Number of these that may be large, because a server copies all their bytes before it answers. */
const LARGE_CONCURRENCY = 8
/** Larger objects, and those of unknown size, count as large (bytes). */
const SMALL = 8 * MiB
/** Maximum number of results waiting for one slow object. */
const MAX_WAITING = 256
const MAX_NOTES = 100
/** Codes of objects that were skipped, which does not count as a failure. */
const SKIPPED_CODES = new Set(['TargetExists', 'NoSuchKey', 'NoSuchVersion'])
/** Minimum interval of progress lines (ms). */
const PROGRESS_MS = 100
/** Something is sent at this interval while one object takes long, so that proxies do not close the connection (ms). */
const KEEP_ALIVE_MS = 10_000

/**
 * Does the same work for each object, several at once, and yields progress in the order of the objects: everything before a
 * cursor is complete. The last value is a report, or says why the job stopped. No further object is started after the caller
 * disconnects.
 * @param work a failure that concerns one object becomes its outcome; any other failure ends the job
 */
async function* runJob<T extends JobItem>(
  items: AsyncIterable<T>,
  work: (item: T) => Promise<JobItemResult>,
  { signal, requestId }: { signal: AbortSignal; requestId: string },
): AsyncGenerator<JobLine> {
  const tally = new JobTally()
  let reportedAt = 0
  const large = pLimit(LARGE_CONCURRENCY)
  const stopping = new AbortController()
  const ended = AbortSignal.any([signal, stopping.signal])
  const running = new Set<Promise<unknown>>()
  const start = (item: T) => {
    const run = () => processItem(item, work, ended)
    const result = item.size !== undefined && item.size <= SMALL ? run() : large(run)
    running.add(result)
    const end = () => running.delete(result)
    result.then(end, end)
    return result
  }
  const done = pMapIterable(items, start, { concurrency: CONCURRENCY, backpressure: MAX_WAITING })
  try {
    for await (const result of withKeepAlive(done, KEEP_ALIVE_MS)) {
      signal.throwIfAborted()
      if (result !== undefined) {
        tally.add(result.item, result.outcome)
        if (tally.faults.error) throw tally.faults.error
        if (Date.now() - reportedAt < PROGRESS_MS) continue
      }
      reportedAt = Date.now()
      yield tally.progress()
    }
  } catch (error) {
    // Nothing is done yet: the call itself fails.
    if (signal.aborted || !tally.started || !isStorageFailure(error)) throw error
    // Nothing of this job runs any more when its caller continues it.
    stopping.abort()
    await Promise.allSettled(running)
    yield tally.stop(errorAnswer(error, requestId).body)
    return
  }
  yield tally.report()
}

/** Counts the results of a job. */
class JobTally {
  readonly faults = new FaultCounter()
  readonly #sums = { count: 0, skipped: 0, failed: 0, bytes: 0 }
  readonly #errors: JobNote[] = []
  readonly #changes: JobNote[] = []
  #last: JobItem | undefined
  /** Errors that a line already contained. */
  #sent = 0

  get started(): boolean {
    return this.#last !== undefined
  }

  add(item: JobItem, { state, bytes = 0, note, fault = false }: JobItemResult): void {
    const sums = this.#sums
    this.#last = item
    if (state === 'changed') {
      sums.count++
      sums.bytes += bytes
    } else {
      sums[state]++
    }
    const notes = state === 'changed' ? this.#changes : this.#errors
    if (note && notes.length < MAX_NOTES) notes.push({ path: item.key, ...note })
    this.faults.add(fault ? { path: item.key, message: note?.message ?? '' } : undefined)
  }

  progress(): JobLine {
    const errors = this.#errors.slice(this.#sent)
    this.#sent = this.#errors.length
    return { ...this.#sums, ...this.#position(), ...(errors.length > 0 ? { errors } : {}) }
  }

  stop(stopped: JobStop): JobLine {
    return { stopped, ...this.#sums, ...this.#position(), errors: this.#errors }
  }

  report(): JobLine {
    const changes = this.#changes
    return { done: true, ...this.#sums, errors: this.#errors, ...(changes.length > 0 ? { changes } : {}) }
  }

  #position() {
    return this.#last && { cursor: this.#last.cursor, path: this.#last.key }
  }
}

async function processItem<T extends JobItem>(item: T, work: (item: T) => Promise<JobItemResult>, signal: AbortSignal) {
  signal.throwIfAborted()
  try {
    return { item, outcome: await work(item) }
  } catch (error) {
    const failure = objectFailure(error)
    if (!failure) throw error
    const { code, message, gone, fault } = failure
    return { item, outcome: { state: gone ? 'skipped' : 'failed', note: { code, message }, fault } as const }
  }
}

/** Yields values as they arrive, and undefined whenever none has arrived for `every` ms. */
async function* withKeepAlive<T>(values: AsyncIterable<T>, every: number): AsyncGenerator<T | undefined> {
  const iterator = values[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = iterator.next()
      for (;;) {
        let timer: NodeJS.Timeout | undefined
        const beat = new Promise<'beat'>((resolve) => {
          timer = setTimeout(resolve, every, 'beat')
        })
        const result = await Promise.race([next, beat]).finally(() => clearTimeout(timer))
        if (result === 'beat') yield undefined
        else if (result.done) return
        else {
          yield result.value
          break
        }
      }
    }
  } finally {
    await iterator.return?.()
  }
}

/**
 * Runs a job and sends it as the answer of a call: see `runJob`. Callers that accept NDJSON get its progress; others get its
 * report at the end, or an error if any object failed.
 */
export async function sendJob<T extends JobItem>(
  { request, reply, signal }: Pick<SessionContext, 'request' | 'reply' | 'signal'>,
  items: AsyncIterable<T>,
  work: (item: T) => Promise<JobItemResult>,
): Promise<FastifyReply> {
  const lines = runJob(items, work, { signal, requestId: request.id })
  if (acceptsNdjson(request.headers.accept)) return await sendNdjson(reply, lines)
  for await (const line of lines) {
    if ('stopped' in line) return reply.code(line.stopped.code).send(line.stopped)
    if (!('done' in line)) continue
    const first = line.failed > 0 ? line.errors?.find(({ code }) => !SKIPPED_CODES.has(code)) : undefined
    if (first) throw new UpstreamError(first.code, `${first.path}: ${first.message}`, 400)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(line))
  }
  return reply
}

/** Where a job continues: the entry of its selection, and the key in that entry after which it continues. */
export interface JobPosition {
  entry: number
  key?: string | undefined
}

export function writeJobCursor({ entry, key }: JobPosition): string {
  return Buffer.from(JSON.stringify(key === undefined ? [entry] : [entry, key])).toString('base64url')
}

/** Reads a cursor. An invalid one means the beginning: repeating finished work does no harm. */
export function readJobCursor(text: string | undefined): JobPosition {
  try {
    const value: unknown = text ? JSON.parse(Buffer.from(text, 'base64url').toString()) : undefined
    if (Array.isArray(value) && Number.isSafeInteger(value[0]) && value[0] >= 0)
      return { entry: value[0], key: typeof value[1] === 'string' ? value[1] : undefined }
  } catch {
    // The text is not a cursor of ours.
  }
  return { entry: 0 }
}
