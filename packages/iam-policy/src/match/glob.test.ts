import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileGlob, compileGlobParts, type GlobOptions, globMatches, globMatchesPrefix } from './glob.ts'

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

  test('equals the reference for pieces of many words', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 300 })
    const edits = fc.array(fc.tuple(fc.nat(300), fc.constantFrom('*', '?', 'a', '')), { maxLength: 4 })
    fc.assert(
      fc.property(letters, edits, fc.nat(60), (text, changes, cut) => {
        const pattern = [...text]
        for (const [at, character] of changes) if (at < pattern.length) pattern[at] = character
        for (const whole of [pattern.join(''), `*${pattern.slice(cut).join('')}*`]) {
          expect(matches(whole, text)).toBe(reference(whole, text))
        }
      }),
      { numRuns: 1000 },
    )
  })

  test.each<[Required<GlobOptions>['questionMark'], string, string, boolean]>([
    ['byte', 'a??', 'aé', true],
    ['byte', 'a?', 'aé', false],
    ['unit', 'a?', 'aé', true],
    ['unit', '*?b*', 'éébé', true],
    ['unit', '?', '😀', false],
    ['unit', '??', '😀', true],
    ['unit', '*Ā?', 'xĀy', true],
    ['unit', '*Ā?', 'x\0y', false],
    ['unit', '*Ā?', 'xāy', false],
    ['literal', 'a?', 'ab', false],
    ['literal', 'a?*', 'a?b', true],
  ])('with %s: %j on %j: %s', (questionMark, pattern, text, expected) => {
    expect(globMatches(compileGlob(pattern, { questionMark }), text)).toBe(expected)
  })

  test.each<[string, (length: number) => string, (length: number) => string]>([
    ['a long piece in its own letters', (n) => `*${'a'.repeat(n)}b`, (n) => 'a'.repeat(2 * n)],
    ['a long piece between stars', (n) => `*${'a'.repeat(n)}b*`, (n) => 'a'.repeat(2 * n)],
    ['a piece that differs at its start', (n) => `*b${'a'.repeat(n)}*`, (n) => 'a'.repeat(2 * n)],
    [
      'a piece that differs in the middle',
      (n) => `*${'a'.repeat(n / 2)}b${'a'.repeat(n / 2)}*`,
      (n) => 'a'.repeat(2 * n),
    ],
    ['a piece that is often almost found', (n) => `*${'ab'.repeat(n / 2)}b*`, (n) => 'ab'.repeat(n)],
    ['many short pieces', (n) => `${'*aaaaaaab'.repeat(n / 9)}c*`, (n) => 'aaaaaaab'.repeat(n / 4)],
    ['bytes of UTF-8', (n) => `?*${'é'.repeat(n)}b*`, (n) => 'é'.repeat(2 * n)],
  ])('the time of %s grows with the length alone', (_, pattern, text) => {
    const small = [pattern(10_000), text(10_000)] as const
    const large = [pattern(40_000), text(40_000)] as const
    // Before it is measured, the code is compiled.
    for (let i = 0; i < 3; i++) matchTimeMs(...small)
    // Four times the length takes four times the time, and sixteen times if it grew with text × pattern.
    expect(matchTimeMs(...large) / matchTimeMs(...small)).toBeLessThan(9)
  })

  test('35 patterns of 19 KB with question marks take less than three seconds', () => {
    const pattern = `*a?${'a'.repeat(19_000)}b*`
    expect(35 * matchTimeMs(pattern, 'a'.repeat(19_500))).toBeLessThan(3000)
  })

  test('a pattern designed to be slow is matched quickly', () => {
    const started = performance.now()
    expect(matches(`${'a*'.repeat(40)}b`, 'a'.repeat(2000))).toBe(false)
    expect(performance.now() - started).toBeLessThan(1000)
  })

  test('literal parts keep their stars', () => {
    const glob = compileGlobParts([
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

/** Returns the shortest of some times in milliseconds, because other work on the machine only makes them longer. */
function matchTimeMs(pattern: string, text: string): number {
  const glob = compileGlob(pattern)
  const times = Array.from({ length: 15 }, () => {
    // The time of the processor, because a busy machine interrupts this process.
    const before = process.cpuUsage()
    globMatches(glob, text)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

/** Reference implementation: a regular expression over bytes. */
function reference(pattern: string, text: string): boolean {
  const bytes = (value: string) => Buffer.from(value, 'utf8').toString('latin1')
  const source = bytes(pattern)
    .replace(/[\\^$.|+(){}[\]/]/g, '\\$&')
    .replace(/\*/g, '[^]*')
    .replace(/\?/g, '[^]')
  return new RegExp(`^${source}$`).test(bytes(text))
}
