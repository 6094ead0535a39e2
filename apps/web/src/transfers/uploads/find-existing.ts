import type { ObjectItem } from '@stowage/contract'
import { compareKeys } from '@stowage/contract/objects/compare-keys'
import type { UploadApi } from './upload-api.ts'

const PAGE = 1000
const LAST_CHARACTER = '\u{10FFFF}'

/**
 * Returns the existing objects with these keys. Lists only around the keys and skips what lies between them: a few files in a
 * folder of millions of objects need a few pages, and many files do not need a call each.
 * @throws ApiFailure
 */
export async function findExisting(
  api: Pick<UploadApi, 'listAfter'>,
  bucket: string,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, ObjectItem>> {
  const sorted = [...new Set(keys)].toSorted(compareKeys)
  const wanted = new Set(sorted)
  const found = new Map<string, ObjectItem>()
  const folder = commonFolder(sorted)
  const limit = sorted.length === 1 ? 1 : PAGE
  let after = ''
  for (let i = 0; i < sorted.length; ) {
    const leap = keyJustBefore(sorted[i] ?? '')
    after = compareKeys(leap, after) > 0 ? leap : after
    const { objects, next } = await api.listAfter(bucket, folder, after, limit, signal)
    for (const object of objects) if (wanted.has(object.name)) found.set(object.name, object)
    const last = objects.at(-1)?.name
    if (last === undefined || next === undefined) break
    while (i < sorted.length && compareKeys(sorted[i] ?? '', last) <= 0) i++
    after = last
  }
  return found
}

/** Returns a key shortly before this one; hardly any key can be between the two. */
function keyJustBefore(key: string): string {
  const characters = [...key]
  const code = characters.pop()?.codePointAt(0)
  const rest = characters.join('')
  if (code === undefined || code === 0) return rest
  return rest + String.fromCodePoint(code === 0xe000 ? 0xd7ff : code - 1) + LAST_CHARACTER
}

/** Returns the longest common folder of the keys, with a trailing slash. The first and the last sorted key determine it. */
function commonFolder(sorted: readonly string[]): string {
  const first = sorted[0] ?? ''
  const last = sorted.at(-1) ?? ''
  let same = 0
  while (same < first.length && first[same] === last[same]) same++
  return first.slice(0, first.slice(0, same).lastIndexOf('/') + 1)
}
