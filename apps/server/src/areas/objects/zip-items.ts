import { setTimeout as sleep } from 'node:timers/promises'
import { visibleName } from '../../lib/http/file-name.ts'
import type { S3Response, S3Stream } from '../../lib/storage/s3-stream.ts'
import { UpstreamError } from '../../lib/storage/storage-errors.ts'
import type { ZipEntry } from './zip-entries.ts'
import { ZipNames } from './zip-names.ts'
import { zipPath } from './zip-path.ts'

/** Whose objects, and until when. */
export interface ZipSource {
  s3Stream: S3Stream
  bucket: string
  signal: AbortSignal
}

/** What goes into a zip: an object that is open, or a folder. */
export interface ZipItem {
  path: string
  mtime: Date
  content?: S3Response
}

/** The objects that are not in a zip: those that the caller may not read, and those gone since they were listed. */
export class Missing {
  /** Stands in the zip when there are some. */
  static readonly REPORT = 'NOT-IN-THIS-ZIP.txt'
  readonly #lines: string[] = []
  /** Of all their failures the one to answer with when nothing else is there. */
  failure: UpstreamError | undefined

  add(key: string, failure: UpstreamError): void {
    this.#lines.push(`${visibleName(key)}\t${failure.code}: ${visibleName(failure.message)}`)
    if (this.failure?.code !== 'AccessDenied') this.failure = failure
  }

  /** Undefined when all objects are there. */
  report(): string | undefined {
    if (this.#lines.length === 0) return undefined
    return `These objects could not be read and are not in this zip:\n\n${this.#lines.join('\n')}\n`
  }
}

/**
 * The entries of a zip as they go into it, each object opened when it is asked for, and told to `missing` when it can't be.
 * Starts once the first object is open: until then a failure is still an answer, and a zip would have nothing to send.
 * @throws UpstreamError AccessDenied or NoSuchKey when no object can be read; else what a server or a session fails by
 */
export async function itemsOf(source: ZipSource, entries: AsyncIterable<ZipEntry>, missing: Missing) {
  const items = opened(source, entries, missing)
  const first: ZipItem[] = []
  while (!first.at(-1)?.content) {
    const item = await items.next()
    if (item.done && missing.failure) throw missing.failure
    if (item.done) break
    first.push(item.value)
  }
  return (async function* () {
    yield* first
    yield* items
  })()
}

async function* opened(
  source: ZipSource,
  entries: AsyncIterable<ZipEntry>,
  missing: Missing,
): AsyncGenerator<ZipItem, undefined> {
  const names = new ZipNames([Missing.REPORT])
  for await (const { key, name, modified } of entries) {
    const path = zipPath(name)
    if (path === '/') continue
    if (path.endsWith('/')) {
      const folder = names.folder(path.slice(0, -1))
      if (folder !== undefined) yield { path: `${folder}/`, mtime: modified ? new Date(modified) : new Date() }
      continue
    }
    const content = await openOrNote(source, key, missing)
    if (!content) continue
    const changed = modified ?? content.headers['last-modified']
    yield { path: names.file(path), mtime: changed ? new Date(String(changed)) : new Date(), content }
  }
}

/** Times that an object is asked for while the server has trouble; a zip of hours should outlive a busy moment. */
const TRIES = 4
/** Milliseconds before the second try, at most; twice that before the third, and so on. */
const PAUSE_MS = 250

async function openOrNote({ s3Stream, bucket, signal }: ZipSource, key: string, missing: Missing) {
  for (let tried = 1; ; tried++) {
    try {
      return await s3Stream.request({ method: 'GET', bucket, key })
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      if (isOfTheObject(error)) return missing.add(key, error)
      if (error.status < 500 || tried === TRIES) throw error
    }
    await sleep(Math.random() * PAUSE_MS * 2 ** (tried - 1), undefined, { signal })
  }
}

/** Denied, archived, or encrypted with a key that only its owner has. */
const OF_THE_OBJECT = new Set(['AccessDenied', 'InvalidObjectState', 'InvalidRequest'])

/** Whether a failure tells about this object alone, so that the others can be had. */
function isOfTheObject({ code, status }: UpstreamError): boolean {
  return OF_THE_OBJECT.has(code) || (status === 404 && code !== 'NoSuchBucket')
}
