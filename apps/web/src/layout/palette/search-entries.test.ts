import { IconBucket } from '@tabler/icons-react'
import { expect, test } from 'vitest'
import type { PaletteEntry } from '../../lib/navigation/palette-entry.ts'
import { searchEntries } from './search-entries.ts'

const entry = (area: string, label: string): PaletteEntry => ({
  area,
  label,
  icon: IconBucket,
  verb: 'Open',
  run: () => {},
})
const all = [
  entry('Pages', 'Buckets'),
  entry('Buckets', 'old-media'),
  entry('Buckets', 'Media'),
  entry('Commands', 'Logout'),
]
const found = (query: string, most?: number) => searchEntries(all, query, most).map(({ label }) => label)

test('matches anywhere, ignoring case; entries that begin with the query come first', () => {
  expect(found('media')).toEqual(['Media', 'old-media'])
  expect(found('xyz')).toEqual([])
})
test('areas stay together and in order, with a limited number of entries each', () => {
  expect(found('')).toEqual(['Buckets', 'old-media', 'Media', 'Logout'])
  expect(found('', 1)).toEqual(['Buckets', 'old-media', 'Logout'])
})

test('ten thousand users are searched without delay', () => {
  const many = ['Users', 'Groups'].flatMap((area) =>
    Array.from({ length: 10_000 }, (_, i) => ({ ...entry(area, `${area} ${i}`) })),
  )
  const begun = performance.now()
  expect(searchEntries(many, '99')).toHaveLength(14)
  expect(performance.now() - begun).toBeLessThan(2000)
})
