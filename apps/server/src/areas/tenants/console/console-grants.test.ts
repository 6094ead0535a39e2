import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConsoleGrant, type ConsoleGrantOptions, ConsoleGrants } from './console-grants.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function setUp() {
  const grants = new ConsoleGrants()
  const open = (options: Partial<ConsoleGrantOptions> = {}) => {
    const whole = {
      namespace: 'a',
      tenant: 'b',
      session: 's',
      expires: Date.now() + 3_600_000,
      shownAt: 'x',
      ...options,
    }
    const grant = new ConsoleGrant(whole as ConsoleGrantOptions, 'token=x')
    return { grant, ticket: grants.add(grant) }
  }
  return { grants, open, pass: (ms: number) => vi.advanceTimersByTime(ms) }
}

test('a ticket is valid for 30 s and once', () => {
  const { grants, open, pass } = setUp()
  const [first, second, third] = [open({ shownAt: '1' }), open({ shownAt: '2' }), open({ shownAt: '3' })]
  pass(29_000)
  expect(grants.redeem(first.ticket)).toBe(first.grant)
  expect(grants.redeem(first.ticket)).toBeUndefined()
  pass(1_500)
  expect(grants.redeem(second.ticket)).toBeUndefined()
  grants.endSession('s')
  expect(grants.redeem(third.ticket)).toBeUndefined()
})

test('a login ends with its session, its time, and the next login of the session at the same origin', () => {
  const { grants, open, pass } = setUp()
  const [first, other, elsewhere] = [open(), open({ session: 't' }), open({ shownAt: 'y' })]
  const next = open({ tenant: 'c' })
  expect([first, other, elsewhere, next].map(({ grant }) => grant.signal.aborted)).toEqual([true, false, false, false])
  expect(grants.get(first.grant.id)).toBeUndefined()
  grants.endSession('s')
  expect([other, elsewhere, next].map(({ grant }) => grant.signal.aborted)).toEqual([false, true, true])
  expect(grants.get(other.grant.id)).toBe(other.grant)
  pass(3_600_000)
  expect(other.grant.signal.aborted).toBe(true)
  expect(grants.get(other.grant.id)).toBeUndefined()
})
