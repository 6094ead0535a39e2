import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Sealer } from './sealer.ts'

const A = 'a secret of one console'
const B = 'a secret of another one'

test('any text can be sealed and opened', () => {
  const sealer = new Sealer([A])
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
      const sealed = sealer.seal(text)
      expect(sealed).toMatch(/^[\w.-]+$/)
      expect(sealer.open(sealed)).toBe(Buffer.from(text).toString())
    }),
  )
})

test('a sealed text that was altered anywhere, or cut, does not open', () => {
  const sealer = new Sealer([A])
  const sealed = sealer.seal('{"user":"root"}')
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.constantFrom(...'abcXYZ019-_.'), (at, char) => {
      const altered = sealed.slice(0, at) + char + sealed.slice(at + 1)
      expect(sealer.open(altered)).toBe(altered === sealed ? '{"user":"root"}' : undefined)
      expect(sealer.open(sealed.slice(0, at))).toBeUndefined()
    }),
  )
})

test.each(['', '.', '...', 's1.00000000.', 's1.00000000.AAAA', 'not a session', `s1.${'x'.repeat(5000)}`])(
  '%j does not open',
  (text) => expect(new Sealer([A]).open(text)).toBeUndefined(),
)

test('with a new secret in front, texts sealed with the old one still open', () => {
  const old = new Sealer([A]).seal('x')
  const rotated = new Sealer([B, A])
  expect(rotated.open(old)).toBe('x')
  expect(new Sealer([B]).open(rotated.seal('x'))).toBe('x')
  expect(new Sealer([B]).open(old)).toBeUndefined()
})

test('the same text is sealed differently each time', () => {
  const sealer = new Sealer([A])
  expect(sealer.seal('x')).not.toBe(sealer.seal('x'))
})
