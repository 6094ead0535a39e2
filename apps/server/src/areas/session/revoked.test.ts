import { expect, test } from 'vitest'
import { RevokedSessions } from './revoked.ts'

test('a session that was signed out is refused until it would have ended, and then forgotten', () => {
  let now = 1000
  const revoked = new RevokedSessions(() => now)
  revoked.add('a', 2000)
  expect(revoked.has('a')).toBe(true)
  expect(revoked.has('b')).toBe(false)
  now = 3000
  revoked.add('b', 4000)
  expect(revoked.has('a')).toBe(false)
})
