import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileGlob, compileParts, globMatches, globMatchesPrefix } from './glob.ts'

const matches = (pattern: string, text: string) => globMatches(compileGlob(pattern), text)

describe('globMatches', () => {
  test.each([
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['*', 'a/b', true],
    ['a', 'a', true],
    ['a', 'ab', false],
    ['a*', 'a', true],
    ['*a', 'ba', true],
    ['*a', 'ab', false],
    ['a*b*c', 'aXbYbZc', true],
    ['a*b*c', 'acb', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['?', 'é', false],
    ['??', 'é', true],
    ['é?', 'éa', true],
    ['*?', '', false],
    ['a.c', 'abc', false],
    ['[ab]', 'a', false],
    ['**a**', 'bab', true],
  ])('%j on %j: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected)
  })

  test('equals a simple reference', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é'), maxLength: 12 })
    const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é', '*', '?'), maxLength: 8 })
    fc.assert(
      fc.property(patterns, letters, (pattern, text) => {
        expect(matches(pattern, text)).toBe(reference(pattern, text))
      }),
      { numRuns: 5000 },
    )
  })

  test('a pattern designed to be slow is matched quickly', () => {
    const started = performance.now()
    expect(matches(`${'a*'.repeat(40)}b`, 'a'.repeat(2000))).toBe(false)
    expect(performance.now() - started).toBeLessThan(1000)
  })

  test('literal parts keep their stars', () => {
    const glob = compileParts([
      { text: 'home/', literal: false },
      { text: '*', literal: true },
      { text: '/*', literal: false },
    ])
    expect(globMatches(glob, 'home/*/x')).toBe(true)
    expect(globMatches(glob, 'home/bob/x')).toBe(false)
  })
})

describe('globMatchesPrefix', () => {
  test.each([
    ['*', '', 'all'],
    ['*', 'b/', 'all'],
    ['b/*', 'b/', 'all'],
    ['b*', 'b/', 'all'],
    ['b/a*', 'b/', 'some'],
    ['b/*x', 'b/', 'some'],
    ['b/?', 'b/', 'some'],
    ['b', 'b/', 'none'],
    ['b/', 'b/', 'some'],
    ['c/*', 'b/', 'none'],
    ['c/*', '', 'some'],
    ['*/x', 'b/', 'some'],
    ['?*', 'b/', 'all'],
    ['*/*', 'b/', 'all'],
    ['b*c/*', 'bc/', 'all'],
    ['b*c/x', 'bc/', 'some'],
  ] as const)('%j on everything in %j: %s', (pattern, prefix, expected) => {
    expect(globMatchesPrefix(compileGlob(pattern), prefix)).toBe(expected)
  })

  test('agrees with globMatches on every text with that prefix', () => {
    const unit = fc.constantFrom('a', 'b', '/')
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '?'), maxLength: 6 })
    const text = fc.string({ unit, maxLength: 5 })
    fc.assert(
      fc.property(pattern, text, text, (glob, prefix, rest) => {
        const found = globMatchesPrefix(compileGlob(glob), prefix)
        const whole = matches(glob, prefix + rest)
        if (found === 'all') expect(whole).toBe(true)
        if (found === 'none') expect(whole).toBe(false)
      }),
      { numRuns: 3000 },
    )
  })
})

/** Reference implementation: a regular expression over bytes. */
function reference(pattern: string, text: string): boolean {
  const bytes = (value: string) => Buffer.from(value, 'utf8').toString('latin1')
  const source = bytes(pattern)
    .replace(/[\\^$.|+(){}[\]/]/g, '\\$&')
    .replace(/\*/g, '[^]*')
    .replace(/\?/g, '[^]')
  return new RegExp(`^${source}$`).test(bytes(text))
}
