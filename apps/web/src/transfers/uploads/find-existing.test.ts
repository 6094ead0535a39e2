import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findExisting } from './find-existing.ts'
import type { UploadApi } from './upload-api.ts'

/** A bucket's listing, in the order of S3. */
function fakeListing(keys: Iterable<string>) {
  const sorted = [...new Set(keys)].sort((a, b) => Buffer.from(a).compare(Buffer.from(b)))
  const calls: { prefix: string; after: string; limit: number }[] = []
  const listAfter: UploadApi['listAfter'] = async (_, prefix, after, limit) => {
    calls.push({ prefix, after, limit })
    const behind = sorted.filter((key) => key.startsWith(prefix) && Buffer.from(key).compare(Buffer.from(after)) > 0)
    const objects = behind.slice(0, limit).map((name) => ({ name, size: 1, last_modified: '' }))
    return { objects, total: objects.length, ...(behind.length > limit ? { next: 'x' } : {}) }
  }
  return { api: { listAfter }, calls }
}
const { signal } = new AbortController()

const key = fc
  .array(fc.constantFrom('a', 'b', '/', '\uff5e', '😀', '\ud7ff', '\ue000', '\u0000', '\u{10ffff}', ' '), {
    minLength: 1,
    maxLength: 5,
  })
  .map((characters) => characters.join(''))

test('finds exactly the keys that exist', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(key, { maxLength: 30 }),
      fc.array(key, { minLength: 1, maxLength: 10 }),
      async (there, asked) => {
        const { api } = fakeListing(there)
        const found = await findExisting(api, 'b', asked, signal)
        expect([...found.keys()].sort()).toEqual([...new Set(asked)].filter((k) => there.includes(k)).sort())
      },
    ),
    { numRuns: 500 },
  )
})

test('a file in a large folder takes one call for one entry', async () => {
  const { api, calls } = fakeListing(Array.from({ length: 20_000 }, (_, n) => `dir/${n}`))
  expect([...(await findExisting(api, 'b', ['dir/7777'], signal)).keys()]).toEqual(['dir/7777'])
  expect(calls).toEqual([{ prefix: 'dir/', after: expect.any(String), limit: 1 }])
})

test('distant keys take a call each, adjacent keys share a page', async () => {
  const many = Array.from({ length: 20_000 }, (_, n) => `dir/${String(n).padStart(6, '0')}`)
  const far = fakeListing(many)
  expect((await findExisting(far.api, 'b', ['dir/000001', 'dir/015000', 'zoo'], signal)).size).toBe(2)
  expect(far.calls.length).toBeLessThanOrEqual(3)
  const near = fakeListing(many)
  expect((await findExisting(near.api, 'b', many.slice(500, 2400), signal)).size).toBe(1900)
  expect(near.calls.length).toBeLessThanOrEqual(3)
})
