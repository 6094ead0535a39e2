import { UpstreamError } from '../../../lib/errors/storage-errors.ts'
import { objectFileName } from '../../../lib/http/downloads/content-disposition.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import { keysBelow } from '../listing/list-objects.ts'
import { ZipNames } from './zip-names.ts'

/** An object and its name in a zip. */
export interface ZipObject {
  key: string
  name: string
  /** RFC 3339; undefined if the entry does not come from a listing. */
  modified?: string
  /** Bytes; undefined if the entry does not come from a listing. */
  size?: number
}

/** Yields everything below a folder, under the folder's own name. */
export async function* folderEntries(s3Stream: S3Stream, bucket: string, folder: string): AsyncGenerator<ZipObject> {
  // `a/b/` becomes `b/…`, so that it is extracted into one folder.
  const cut = folder.slice(0, -1).lastIndexOf('/') + 1
  for await (const items of keysBelow(s3Stream, bucket, folder))
    for (const { name: key, last_modified: modified, size } of items)
      yield { key, name: key.slice(cut), modified, size }
}

/** Yields a selection: objects by the last part of their keys, folders with their content. Names that clash get a number. */
export async function* selectionEntries(
  s3Stream: S3Stream,
  bucket: string,
  keys: readonly string[],
): AsyncGenerator<ZipObject> {
  const names = new ZipNames()
  for (const key of new Set(keys)) {
    if (!key.endsWith('/')) {
      yield { key, name: names.file(objectFileName(key)) }
      continue
    }
    const own = objectFileName(key.slice(0, -1))
    // Each selected folder gets its own name, as each file does.
    const top = names.file(own)
    for await (const entry of folderEntries(s3Stream, bucket, key))
      yield { ...entry, name: top + entry.name.slice(own.length) }
  }
}

/**
 * Waits for the first entry and yields all of them, so that a failure is answered with an error instead of a broken zip.
 * @throws UpstreamError NoSuchKey without any entry, NoSuchBucket, AccessDenied
 */
export async function waitForFirstEntry(entries: AsyncGenerator<ZipObject>): Promise<AsyncIterable<ZipObject>> {
  const first = await entries.next()
  if (first.done) throw new UpstreamError('NoSuchKey', 'There is nothing below this path.', 404)
  return (async function* () {
    yield first.value
    yield* entries
  })()
}

/** Returns the file name of a folder's zip. */
export function zipFileName(folder: string, bucket: string): string {
  return `${objectFileName(folder.slice(0, -1)) || bucket}.zip`
}
