import type { JobLine } from '@stowage/contract'
import { expect, test, vi } from 'vitest'
import { ApiFailure } from '../../lib/api/api-failure.ts'
import { eventually } from '../../testing/eventually.ts'
import { ListStore } from '../list/list-store.ts'
import type { Job, JobTask, Transfer } from '../list/types.ts'
import type { JobRecord } from './job-records.ts'
import { JobRunner } from './job-runner.ts'

type Answer = (signal: AbortSignal) => AsyncIterable<JobLine>
const line = (count: number, cursor?: string): JobLine => ({
  count,
  skipped: 0,
  failed: 0,
  bytes: 0,
  ...(cursor ? { cursor } : {}),
})
const report = (count: number, failed = 0): JobLine => ({
  done: true,
  count,
  skipped: 0,
  failed,
  bytes: 0,
  errors: failed ? [{ path: 'a/locked', code: 'AccessDenied', message: 'Access Denied.' }] : [],
})

/** Records in memory, in place of IndexedDB. */
function memoryRecords() {
  const kept = new Map<string, JobRecord>()
  return {
    kept,
    put: async (record: JobRecord) => void kept.set(record.id, record),
    delete: async (id: string) => void kept.delete(id),
    listByOwner: async (owner: string) => [...kept.values()].filter((record) => record.owner === owner),
  }
}

let clock = 0
const deps = {
  records: memoryRecords(),
  tabs: { heldByOtherTabs: async () => new Set<string>() },
  // Each reading of the clock is a second later.
  now: () => {
    clock += 1000
    return clock
  },
}

function start(...answers: Answer[]) {
  const store = new ListStore<Transfer>()
  const ended: Job[] = []
  const onChanged = vi.fn()
  const run = vi.fn((_bucket: string, _task: JobTask, _cursor: string | undefined, signal: AbortSignal) => {
    const answer = answers.shift()
    if (!answer) throw new Error('one call too many')
    return answer(signal)
  })
  const jobs = new JobRunner({ ...deps, store, run, onChanged, onEnd: (job) => ended.push(job) })
  jobs.setOwner('amal')
  jobs.start('media', { type: 'delete', paths: ['a/', 'b'] })
  const job = () => [...store.values()].find((transfer) => transfer.kind === 'job')
  return { jobs, job, ended, onChanged, run, store }
}

test('a deletion shows its progress and ends with its report [OBJ-27]', async () => {
  const { job, ended, onChanged, run } = start(async function* () {
    yield line(1000)
    yield report(1500)
  })
  await eventually(() => expect(ended).toHaveLength(1))
  expect(job()).toMatchObject({ state: 'done', count: 1500, failed: 0 })
  expect(run.mock.calls[0]?.slice(0, 2)).toEqual(['media', { type: 'delete', paths: ['a/', 'b'] }])
  expect(onChanged).toHaveBeenCalledWith('media')
})

test('failed deletions are listed by path', async () => {
  const { job, ended } = start(async function* () {
    yield report(3, 1)
  })
  await eventually(() => expect(ended).toHaveLength(1))
  expect(job()).toMatchObject({ state: 'failed', failed: 1, errors: [{ path: 'a/locked', message: 'Access Denied.' }] })
})

test('a response that ends without a report is a failure, and Retry makes the call again', async () => {
  const { job, jobs, ended } = start(
    async function* () {
      yield line(5)
    },
    async function* () {
      yield report(2)
    },
  )
  await eventually(() => expect(ended).toHaveLength(1))
  expect(job()?.state).toBe('failed')
  jobs.retry(job()?.id ?? '')
  await eventually(() => expect(job()).toMatchObject({ state: 'done', count: 2, error: undefined }))
})

test('cancelling ends the call', async () => {
  let ended = false
  const { jobs, job, onChanged } = start(async function* (signal) {
    yield line(5)
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    ended = true
  })
  await eventually(() => expect(job()).toMatchObject({ count: 5 }))
  jobs.cancel(job()?.id ?? '')
  expect(job()).toBeUndefined()
  expect(onChanged).toHaveBeenCalledWith('media')
  expect(ended).toBe(false)
  await eventually(() => expect(jobs.busy).toBe(false))
})

test('a deletion that the end of the session interrupted continues for the same user', async () => {
  const { jobs, job, ended } = start(
    // biome-ignore lint/correctness/useYield: rejected before the first line
    async function* () {
      throw new ApiFailure(401, { message: 'invalid session' })
    },
    async function* () {
      yield report(7)
    },
  )
  await eventually(() => expect(job()?.state).toBe('held'))
  expect(ended).toEqual([])
  jobs.setOwner(undefined)
  jobs.setOwner('ben')
  expect(job()?.state).toBe('held')
  jobs.setOwner('amal')
  await eventually(() => expect(job()).toMatchObject({ state: 'done', count: 7 }))
})

const copyTask: JobTask = {
  type: 'copyObjects',
  body: { target_bucket: 'archive', entries: [{ from: 'a/', to: 'b/' }] },
}

test('a copy that a reload interrupted continues after its cursor, unless another tab runs it', async () => {
  const records = memoryRecords()
  const asked: (string | undefined)[] = []
  const page = (answer: Answer, elsewhere: string[] = []) => {
    const store = new ListStore<Transfer>()
    const jobs = new JobRunner({
      ...deps,
      store,
      records,
      tabs: { heldByOtherTabs: async () => new Set(elsewhere) },
      run: (_bucket, _task, cursor, signal) => {
        asked.push(cursor)
        return answer(signal)
      },
      onChanged: () => undefined,
      onEnd: () => undefined,
    })
    jobs.setOwner('amal')
    return { jobs, job: () => [...store.values()].find((transfer) => transfer.kind === 'job') }
  }
  const first = page(async function* (signal) {
    yield line(10, 'behind-10')
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
  first.jobs.start('media', copyTask)
  await eventually(() => expect([...records.kept.values()]).toMatchObject([{ cursor: 'behind-10', count: 10 }]))
  const [id = ''] = records.kept.keys()

  const elsewhere = page(async function* () {}, [id])
  const second = page(async function* () {
    yield report(5)
  })
  await eventually(() => expect(second.job()).toMatchObject({ state: 'done', count: 15 }))
  expect(elsewhere.job()).toBeUndefined()
  expect(asked).toEqual([undefined, 'behind-10'])
  await eventually(() => expect(records.kept.size).toBe(0))
})

test('Retry of a copy with failures starts over, Retry of an interrupted one continues', async () => {
  const asked: (string | undefined)[] = []
  const answers: JobLine[][] = [[line(3, 'behind-3')], [report(1, 1)], [report(1)]]
  const store = new ListStore<Transfer>()
  const jobs = new JobRunner({
    ...deps,
    store,
    async *run(_bucket, _task, cursor) {
      asked.push(cursor)
      yield* answers.shift() ?? []
    },
    onChanged: () => undefined,
    onEnd: () => undefined,
  })
  jobs.setOwner('amal')
  jobs.start('media', copyTask)
  const job = () => [...store.values()].find((transfer) => transfer.kind === 'job')
  await eventually(() => expect(job()).toMatchObject({ state: 'failed', count: 3 }))
  jobs.retry(job()?.id ?? '')
  await eventually(() => expect(job()).toMatchObject({ state: 'failed', count: 4, failed: 1 }))
  jobs.retry(job()?.id ?? '')
  await eventually(() => expect(job()).toMatchObject({ state: 'done', count: 1 }))
  expect(asked).toEqual([undefined, 'behind-3', undefined])
})

test('an export of audit records changes no bucket, and is not stored for a reload', async () => {
  const records = memoryRecords()
  const ended: Job[] = []
  const onChanged = vi.fn()
  const run = async function* () {
    yield line(10, 'cursor')
    yield report(12)
  }
  const jobs = new JobRunner({
    ...deps,
    records,
    store: new ListStore(),
    run,
    onChanged,
    onEnd: (job) => ended.push(job),
  })
  jobs.setOwner('amal')
  jobs.start('', { type: 'exportLogs', query: { format: 'csv' } })
  expect(records.kept.size).toBe(0)
  await eventually(() => expect(ended).toMatchObject([{ state: 'done', count: 12 }]))
  expect(records.kept.size).toBe(0)
  expect(onChanged).not.toHaveBeenCalled()
})

test('a job that stopped says where, keeps its failures, and continues there', async () => {
  const note = (path: string) => ({ path, code: 'InternalError', message: 'damaged' })
  const stopped: JobLine = {
    stopped: { code: 502, message: 'Stopped', detailedMessage: 'a/2: damaged' },
    count: 1,
    skipped: 0,
    failed: 1,
    bytes: 0,
    cursor: 'behind-2',
    path: 'a/2',
    since: '2026-01-01T00:00:00Z',
    errors: [note('a/2')],
  }
  const { job, jobs, ended, run } = start(
    async function* () {
      yield { count: 0, skipped: 0, failed: 1, bytes: 0, errors: [note('a/2')] }
      yield stopped
    },
    async function* () {
      yield {
        done: true,
        count: 2,
        skipped: 0,
        failed: 1,
        bytes: 0,
        errors: [note('a/4')],
        since: '2026-01-02T00:00:00Z',
      }
    },
  )
  await eventually(() => expect(ended).toHaveLength(1))
  expect(job()).toMatchObject({ state: 'failed', stoppedAfter: 'a/2', error: { status: 502 }, errors: [note('a/2')] })
  jobs.retry(job()?.id ?? '')
  await eventually(() => expect(ended).toHaveLength(2))
  expect(run.mock.calls[1]?.[2]).toBe('behind-2')
  expect(job()).toMatchObject({ count: 3, failed: 2, stoppedAfter: undefined, since: '2026-01-01T00:00:00Z' })
  expect(job()?.errors.map(({ path }) => path)).toEqual(['a/2', 'a/4'])
})

test('a job that stopped because the session has ended continues when its user signs in again', async () => {
  const { job } = start(async function* () {
    const end = { code: 401, message: 'invalid session', detailedMessage: '' }
    yield { stopped: end, count: 1, skipped: 0, failed: 0, bytes: 0, cursor: 'here', path: 'a', errors: [] }
  })
  await eventually(() => expect(job()?.state).toBe('held'))
})
