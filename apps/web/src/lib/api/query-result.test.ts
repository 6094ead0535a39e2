import { expect, test } from 'vitest'
import { ApiFailure } from './api-failure.ts'
import { isNotFound, loadedResult, resultView, withData } from './query-result.ts'

const broken = new ApiFailure(502, { message: 'server is gone' })
const gone = new ApiFailure(404, { message: 'no such bucket' })

test.each([
  ['nothing yet', { data: undefined, error: null }, { state: 'loading' }],
  ['an answer', { data: [1], error: null }, { state: 'ready', data: [1] }],
  ['an empty answer', { data: null, error: null }, { state: 'ready', data: null }],
  ['a failure', { data: undefined, error: broken }, { state: 'failed', failure: broken }],
  ['a failure after an answer', { data: [1], error: broken }, { state: 'stale', data: [1], failure: broken }],
  ['an answer about something that is gone since', { data: [1], error: gone }, { state: 'failed', failure: gone }],
])('the view of %s', (_, read, view) => expect(resultView<unknown>(read)).toEqual(view))

test('any thrown value becomes a failure', () => {
  expect(resultView({ data: undefined, error: new Error('a bug') })).toMatchObject({
    state: 'failed',
    failure: { errorMessage: 'A bug' },
  })
})

test('data can be replaced, and provided without a call', () => {
  const refetch = () => Promise.resolve()
  const read = { data: 1, error: gone, dataUpdatedAt: 7, refetch }
  expect(withData(read, 'two')).toEqual({ data: 'two', error: gone, dataUpdatedAt: 7, refetch })
  expect([isNotFound(read), isNotFound(loadedResult(1))]).toEqual([true, false])
  expect(resultView(loadedResult(['row']))).toEqual({ state: 'ready', data: ['row'] })
})
