import type { SearchLine } from '@stowage/contract'
import { expect, test } from 'vitest'
import { SearchRun } from './search-run.ts'

const item = (name: string) => ({ name, size: 1, last_modified: '2026-11-20T12:00:00Z' })
const report = (scanned: number, next?: string): SearchLine => ({
  done: true,
  scanned,
  found: 1,
  unreadable: 1,
  ...(next ? { next } : {}),
})

/** A server that responds to each call with the next of these lists of lines. */
function runOn(...answers: SearchLine[][]) {
  const asked: object[] = []
  const run = new SearchRun(async function* (query) {
    asked.push(query)
    yield* answers.shift() ?? []
  })
  return { run, asked }
}

test('results are collected from all parts of a search', async () => {
  const { run, asked } = runOn(
    [{ scanned: 1000, found: 1, items: [item('a')] }, report(1000, 'token')],
    [{ scanned: 5, found: 1, items: [item('b')] }, report(5)],
  )
  await run.start({ name: '*' })
  expect(run.state.get()).toMatchObject({ state: 'done', scanned: 1000, next: 'token' })
  await run.more()
  const { rows, ...state } = run.state.get()
  expect(rows.map(({ key, order }) => [key, order])).toEqual([
    ['a', 0],
    ['b', 1],
  ])
  expect(state).toEqual({ state: 'done', scanned: 1005, unreadable: 2, next: undefined, error: undefined })
  expect(asked).toEqual([{ name: '*' }, { name: '*', continuation: 'token' }])
})

test('an interrupted search fails and keeps its results', async () => {
  const { run } = runOn([{ scanned: 1000, found: 1, items: [item('a')] }])
  await run.start({})
  expect(run.state.get()).toMatchObject({ state: 'failed', scanned: 1000, rows: [{ key: 'a' }] })
  expect(run.state.get().error).toBeDefined()
})

test('stopping ends the call, and a new search starts without results', async () => {
  let aborted = false
  const run = new SearchRun(async function* (query, signal) {
    if (query.name === 'second') {
      yield report(0)
      return
    }
    yield { scanned: 1, found: 1, items: [item('a')] }
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    aborted = true
    throw signal.reason
  })
  const first = run.start({ name: 'first' })
  await Promise.resolve()
  run.stop()
  expect(run.state.get().state).toBe('stopped')
  await run.start({ name: 'second' })
  await first
  expect(aborted).toBe(true)
  expect(run.state.get()).toMatchObject({ state: 'done', rows: [] })
})

test('results that are being deleted are removed from the list', async () => {
  const { run } = runOn([{ scanned: 2, found: 2, items: [item('a'), item('b')] }, report(2)])
  await run.start({})
  run.remove(['a'])
  expect(run.state.get().rows.map(({ key }) => key)).toEqual(['b'])
})

test('a search whose connection ends continues after the last page that arrived', async () => {
  const { run, asked } = runOn(
    [{ scanned: 1000, found: 1, items: [item('a')], next: 'token' }],
    [{ scanned: 5, found: 1, items: [item('b')] }, report(5)],
  )
  await run.start({ name: '*' })
  expect(run.state.get()).toMatchObject({ state: 'failed', next: 'token' })
  await run.more()
  expect(run.state.get()).toMatchObject({ state: 'done', scanned: 1005, error: undefined })
  expect(run.state.get().rows.map(({ key }) => key)).toEqual(['a', 'b'])
  expect(asked[1]).toEqual({ name: '*', continuation: 'token' })
})
