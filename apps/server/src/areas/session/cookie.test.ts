import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinCookies, sessionCookieNames, splitCookie } from './cookie.ts'

const value = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.'), minLength: 1, maxLength: 20_000 })

test('a value of any length comes back from its pieces, none of which is over 4 KB', () => {
  fc.assert(
    fc.property(value, (text) => {
      const pieces = splitCookie(text)
      for (const [name, content] of pieces) expect(name.length + content.length).toBeLessThan(4096 - 200)
      expect(joinCookies(Object.fromEntries(pieces))).toBe(text)
    }),
  )
})

test('pieces left over from a longer session are not read', () => {
  fc.assert(
    fc.property(value, value, (old, current) => {
      fc.pre(current.length % 3800 !== 0)
      expect(
        joinCookies({ ...Object.fromEntries(splitCookie(old)), ...Object.fromEntries(splitCookie(current)) }),
      ).toBe(current)
    }),
  )
})

test('a script may send the whole value as one cookie', () => {
  expect(joinCookies({ token: 'x'.repeat(9000) })).toBe('x'.repeat(9000))
})

test('without the first piece there is no session', () => {
  expect(joinCookies({ 'token.1': 'x', other: 'y' })).toBeUndefined()
  expect(sessionCookieNames({ 'token.1': 'x', token: 'y', 'token.x': 'z', other: 'a' })).toEqual(['token.1', 'token'])
})
