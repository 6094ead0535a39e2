import type { DeleteLine } from '@stowage/contract'
import { expect, test, vi } from 'vitest'
import { ApiFailure } from '../../lib/failure.ts'
import { eventually } from '../../testing/eventually.ts'
import { Jobs } from './jobs.ts'
import { ListStore } from './list-store.ts'
import type { Job, Transfer } from './types.ts'

type Answer = (signal: AbortSignal) => AsyncIterable<DeleteLine>
const report = (deleted: number, failed = 0): DeleteLine => ({
  done: true,
  deleted,
  failed,
  errors: failed ? [{ path: 'a/locked', code: 'AccessDenied', message: 'Access Denied.' }] : [],
})

function start(...answers: Answer[]) {
  const store = new ListStore<Transfer>()
  const ended: Job[] = []
  const onChanged = vi.fn()
  const deletePaths = vi.fn((_bucket: string, _paths: readonly string[], signal: AbortSignal) => {
    const answer = answers.shift()
    if (!answer) throw new Error('one call too many')
    return answer(signal)
  })
  const jobs = new Jobs({ store, deletePaths, onChanged, onEnd: (job) => ended.push(job) })
  jobs.setOwner('amal')
  jobs.start('media', ['a/', 'b'])
  const job = () => [...store.values()].find((transfer) => transfer.kind === 'job')
  return { jobs, job, ended, onChanged, deletePaths, store }
}

test('a deletion tells how far it is and ends with its report [OBJ-27]', async () => {
  const { job, ended, onChanged, deletePaths } = start(async function* () {
    yield { deleted: 1000, failed: 0 }
    yield report(1500)
  })
  await eventually(() => expect(ended).toHaveLength(1))
  expect(job()).toMatchObject({ state: 'done', deleted: 1500, failed: 0 })
  expect(deletePaths.mock.calls[0]?.slice(0, 2)).toEqual(['media', ['a/', 'b']])
  expect(onChanged).toHaveBeenCalledWith('media')
})

test('what could not be deleted is told by path', async () => {
  const { job, ended } = start(async function* () {
    yield report(3, 1)
  })
  await eventually(() => expect(ended).toHaveLength(1))
  expect(job()).toMatchObject({ state: 'failed', failed: 1, errors: [{ path: 'a/locked', message: 'Access Denied.' }] })
})

test('an answer that breaks off without a report is a failure, and Retry asks again', async () => {
  const { job, jobs, ended } = start(
    async function* () {
      yield { deleted: 5, failed: 0 }
    },
    async function* () {
      yield report(2)
    },
  )
  await eventually(() => expect(ended).toHaveLength(1))
  expect(job()?.state).toBe('failed')
  jobs.retry(job()?.id ?? '')
  await eventually(() => expect(job()).toMatchObject({ state: 'done', deleted: 2, error: undefined }))
})

test('cancelling ends the call', async () => {
  let ended = false
  const { jobs, job, onChanged } = start(async function* (signal) {
    yield { deleted: 5, failed: 0 }
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    ended = true
  })
  await eventually(() => expect(job()).toMatchObject({ deleted: 5 }))
  jobs.cancel(job()?.id ?? '')
  expect(job()).toBeUndefined()
  expect(onChanged).toHaveBeenCalledWith('media')
  expect(ended).toBe(false)
  await eventually(() => expect(jobs.busy).toBe(false))
})

test('a deletion that the end of the session broke off goes on for the same user', async () => {
  const { jobs, job, ended } = start(
    // biome-ignore lint/correctness/useYield: refused before the first line
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
  await eventually(() => expect(job()).toMatchObject({ state: 'done', deleted: 7 }))
})
