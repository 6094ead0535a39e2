import type { ObjectItem } from '@stowage/contract'
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
  const sorted = [...new Set(keys)].toSorted(compareKeysByBytes)
  const wanted = new Set(sorted)
  const found = new Map<string, ObjectItem>()
  const folder = commonFolder(sorted)
  const limit = sorted.length === 1 ? 1 : PAGE
  let after = ''
  for (let i = 0; i < sorted.length; ) {
    const leap = keyJustBefore(sorted[i] ?? '')
    after = compareKeysByBytes(leap, after) > 0 ? leap : after
    const { objects, next } = await api.listAfter(bucket, folder, after, limit, signal)
    for (const object of objects) if (wanted.has(object.name)) found.set(object.name, object)
    const last = objects.at(-1)?.name
    if (last === undefined || next === undefined) break
    while (i < sorted.length && compareKeysByBytes(sorted[i] ?? '', last) <= 0) i++
    after = last
  }
  return found
}

/** Compares keys in the order of S3: by UTF-8 bytes, which equals code point order. JavaScript's `<` compares UTF-16 units. */
export function compareKeysByBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    // Surrogates encode the highest code points, but as code units they sort below U+E000.
    if (x !== y) return utf16Rank(x) - utf16Rank(y)
  }
  return a.length - b.length
}

const utf16Rank = (unit: number) => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit)

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
