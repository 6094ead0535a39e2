import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CopySources, possibleReplacements, replacedSource, sharedCopyTarget } from './copy-sources.ts'

const part = fc.constantFrom('a', 'b', 'ab', '')
const key = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/') || 'a')
const entry = fc
  .record({ from: key, to: key, isFolder: fc.boolean(), toTop: fc.boolean() })
  .map(({ from, to, isFolder, toTop }) => {
    const folder = isFolder || from.endsWith('/')
    const withSlash = (text: string) => (text.endsWith('/') ? text : `${text}/`)
    return folder
      ? { from: withSlash(from), to: toTop ? '' : withSlash(to) }
      : { from, to: to.endsWith('/') ? `${to}x` : to }
  })

test('lookups of sources agree with a comparison with each of them', () => {
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 8 }), key, (entries, target) => {
      const sources = new CopySources(entries)
      const isIn = (text: string, { from }: { from: string }) =>
        text === from || (from.endsWith('/') && text.startsWith(from))
      expect(sources.has(target)).toBe(entries.some((each) => isIn(target, each)))
      const below = [...new Set(entries.map(({ from }) => from))].filter((from) => from.startsWith(target)).toSorted()
      expect([...sources.below(target)]).toEqual(below)
      expect(replacedSource(entries, sources)).toBe(
        entries.find(({ to }) => entries.some((each) => isIn(to, each)))?.to,
      )
      const shared = entries.some((one, i) =>
        entries.some(
          ({ to }, j) =>
            i !== j && (to === one.to || ((one.to === '' || one.to.endsWith('/')) && to.startsWith(one.to))),
        ),
      )
      expect(sharedCopyTarget(entries) !== undefined).toBe(shared)
      for (const { from, entry: copied } of possibleReplacements(entries, sources))
        expect(sources.has(copied.to + from.slice(copied.from.length))).toBe(true)
    }),
  )
})
