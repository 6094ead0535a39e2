import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  browserCookie,
  cookiePieceNames,
  expireForeignCookies,
  joinCookie,
  readCookies,
  SCRIPT_COOKIE,
  setCookie,
  splitCookie,
} from './cookies.ts'

const value = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.'), minLength: 1, maxLength: 20_000 })
const name = fc.constantFrom(SCRIPT_COOKIE, '__Host-stowage-443', 'stowage-9090')
const header = (pieces: [string, string][]) => pieces.map(([each, content]) => `${each}=${content}`).join('; ')

test('a value of any length can be split and read back; no piece is over 4 KB', () => {
  fc.assert(
    fc.property(name, value, (cookie, text) => {
      const pieces = splitCookie(cookie, text)
      for (const [each, content] of pieces) expect(each.length + content.length).toBeLessThan(4096 - 200)
      expect(joinCookie(cookie, readCookies(header(pieces)))).toBe(text)
    }),
  )
})

test('pieces left over from a longer session are not read', () => {
  fc.assert(
    fc.property(value, value, (old, current) => {
      fc.pre(current.length % 3800 !== 0)
      const pieces = {
        ...Object.fromEntries(splitCookie('token', old)),
        ...Object.fromEntries(splitCookie('token', current)),
      }
      expect(joinCookie('token', readCookies(header(Object.entries(pieces))))).toBe(current)
    }),
  )
})

test('a script may send the whole value as one cookie', () => {
  expect(joinCookie('token', readCookies(`token=${'x'.repeat(9000)}`))).toBe('x'.repeat(9000))
})

test('without the first piece there is no session', () => {
  const cookies = readCookies('token.1=x; other=y')
  expect(joinCookie('token', cookies)).toBeUndefined()
  expect(cookiePieceNames('token', readCookies('token.1=x; token=y; token.x=z; other=a; tokens=b'))).toEqual([
    'token.1',
    'token',
  ])
})

test('a piece with two different contents is ambiguous at any position', () => {
  fc.assert(
    fc.property(value, fc.nat(), (text, at) => {
      const pieces = splitCookie('token', text)
      const [twice] = pieces[at % pieces.length] ?? ['']
      expect(joinCookie('token', readCookies(`${twice}=planted; ${header(pieces)}`))).toBe('ambiguous')
      expect(joinCookie('token', readCookies(`${header(pieces)}; ${twice}=planted`))).toBe('ambiguous')
      expect(joinCookie('token', readCookies(`${header(pieces)}; ${header(pieces)}`))).toBe(text)
    }),
  )
})

test('a header of maximum length is read quickly', () => {
  const text = Array.from({ length: 16_000 }, (_, n) => `token=${n.toString(36)}`).join(';')
  const begun = performance.now()
  expect(joinCookie('token', readCookies(text))).toBe('ambiguous')
  expect(performance.now() - begun).toBeLessThan(200)
})

test.each([undefined, '', ';', '=', 'a', '; ;=;a=;=b', 'token', '__proto__=x; constructor=y'])(
  'the header %j is read and contains no session',
  (text) => expect(joinCookie('token', readCookies(text))).toBeUndefined(),
)

test.each([
  [{ secure: false, host: '127.0.0.1:9090', base: '/' }, /^stowage-9090$/],
  [{ secure: false, host: 's3.example', base: '/' }, /^stowage-80$/],
  [{ secure: true, host: 's3.example', base: '/' }, /^__Host-stowage-443$/],
  [{ secure: true, host: '[::1]:9443', base: '/' }, /^__Host-stowage-9443$/],
  [{ secure: true, host: 's3.example', base: '/console/' }, /^__Secure-stowage-443-[0-9a-f]{8}$/],
  [{ secure: false, host: '[::1]', base: '/console/' }, /^stowage-80-[0-9a-f]{8}$/],
  [{ secure: false, host: 'evil;x:y', base: '/' }, /^stowage-80$/],
])('the cookie of %j is called %s', (place, expected) => expect(browserCookie(place)).toMatch(expected))

test('consoles of other ports and other paths have other names', () => {
  const places = ['h', 'h:9090', 'h:9091'].flatMap((host) =>
    ['/', '/a/', '/a/b/'].map((base) => ({ host, base, secure: false })),
  )
  expect(new Set(places.map((place) => browserCookie(place))).size).toBe(places.length)
})

test('the cookie of this host and base path is never expired', () => {
  const place = { secure: false, host: 'a.b.example:9090', base: '/console/' }
  const expired = expireForeignCookies('stowage', '/console/api/v1/session', place)
  expect(expired).toContain(setCookie('stowage', '', { path: '/', secure: false, maxAge: 0 }))
  expect(expired).toContain(setCookie('stowage', '', { path: '/console/api', secure: false, maxAge: 0 }))
  expect(expired).toContain(
    setCookie('stowage', '', { path: '/console/', secure: false, maxAge: 0, domain: 'b.example' }),
  )
  expect(expired).not.toContain(setCookie('stowage', '', { path: '/console/', secure: false, maxAge: 0 }))
  expect(expireForeignCookies('__Host-stowage', '/', { ...place, secure: true, base: '/' })).toEqual([])
})

test.each(['127.0.0.1:9000', '[::1]:9000', 'localhost', 'evil;x', ''])('the host %j belongs to no domain', (host) => {
  for (const line of expireForeignCookies('stowage', '/a', { secure: false, host, base: '/' }))
    expect(line).not.toContain('Domain')
})

test('an address of any form adds nothing to a cookie', () => {
  const path = fc.string({ unit: fc.constantFrom('/', 'a', ';', ' ', ',', '%0d', '..', '"', '\u00e9'), maxLength: 60 })
  fc.assert(
    fc.property(path, (text) => {
      const lines = expireForeignCookies('stowage', text, { secure: false, host: 'h', base: '/' })
      expect(lines.length).toBeLessThan(40)
      for (const line of lines)
        expect(line).toMatch(/^stowage=; Path=\/[\w\-.~%/]*; Max-Age=0; HttpOnly; SameSite=Strict$/)
    }),
  )
})
