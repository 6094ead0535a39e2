// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerRequests } from '../../testing/responses.ts'
import { recordSaved, recordUptimes, restartServer, restartState } from './server-restart.ts'

beforeEach(() => {
  localStorage.clear()
  restartState.set({ due: undefined, running: false, failure: undefined })
})
afterEach(() => vi.unstubAllGlobals())

const isDue = () => restartState.get().due !== undefined

test('a setting that needs a restart is remembered until the restart succeeds [RST-03] [RST-04] [CFG-06]', async () => {
  recordSaved({ restart: false })
  expect(isDue()).toBe(false)
  recordSaved({ restart: true })
  expect([isDue(), localStorage.length]).toEqual([true, 1])
  const sent = answerRequests({ 'POST /api/v1/service/restart': () => null })
  const done = restartServer()
  expect(restartState.get()).toMatchObject({ running: true })
  await done
  expect(restartState.get()).toEqual({ due: undefined, running: false, failure: undefined })
  expect([sent[0]?.body, localStorage.length]).toEqual([{}, 0])
})

test('a failed restart is logged, and the setting still needs one [RST-04]', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue(undefined)
  recordSaved({ restart: true })
  answerRequests({})
  await restartServer()
  expect(restartState.get()).toMatchObject({ running: false, failure: { status: 404 } })
  expect([isDue(), log.mock.calls.length]).toEqual([true, 1])
  log.mockRestore()
})

test('a restart that somebody else makes ends the need for one, if it is later than the change [RST-04]', () => {
  recordSaved({ restart: true })
  const saved = restartState.get().due ?? 0
  recordUptimes([60, 3600], saved + 10_000)
  expect(isDue()).toBe(true)
  recordUptimes([5, 3600], saved + 10_000)
  expect(isDue()).toBe(true)
  recordUptimes([5, 6], saved + 10_000)
  expect(isDue()).toBe(false)
})
