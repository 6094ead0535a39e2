import { expect, test } from 'vitest'
import { RevokedSessions } from './revoked-sessions.ts'

test('a signed-out session is refused until it would have expired, and then forgotten', () => {
  let now = 1000
  const revoked = new RevokedSessions(() => now)
  revoked.add('a', 2000)
  expect(revoked.has('a')).toBe(true)
  expect(revoked.has('b')).toBe(false)
  now = 3000
  for (let n = 0; n < 1000; n++) revoked.add(`other ${n}`, 4000)
  expect([revoked.has('a'), revoked.has('other 0'), revoked.size]).toEqual([false, true, 1000])
})

test('any number of sign-outs takes limited memory and little time', () => {
  const revoked = new RevokedSessions(() => 0)
  const begun = performance.now()
  for (let n = 0; n < 250_000; n++) revoked.add(`${n}`, 1)
  expect(revoked.size).toBeLessThanOrEqual(101_000)
  expect([revoked.has('249999'), revoked.has('0')]).toEqual([true, false])
  expect(performance.now() - begun).toBeLessThan(3_000)
})
