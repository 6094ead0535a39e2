import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { UpstreamError } from '../../../lib/errors/storage-errors.ts'
import { markMisleadingCharacters } from '../../../lib/http/downloads/file-name.ts'
import type { S3Response, S3Stream } from '../../../lib/storage/s3-stream.ts'
import type { ZipFile } from '../../../lib/zip/zip-writer.ts'
import type { ZipObject } from './zip-entries.ts'
import { ZipNames } from './zip-names.ts'
import { zipPath } from './zip-path.ts'

/** The caller's clients, and the signal that aborts the zip. */
export interface ZipSource {
  s3Stream: S3Stream
  bucket: string
  signal: AbortSignal
}

/** The answer of the storage server, or a small one that has been read already. */
type ZipContent = Pick<S3Response, 'headers'> & { body: Readable | Uint8Array }

/**
 * Collects the objects that are missing in a zip: those that the caller cannot read, and those deleted since they were listed.
 */
export class MissingObjects {
  /** Name of the file in the zip that lists the missing objects. */
  static readonly REPORT = 'NOT-IN-THIS-ZIP.txt'
  readonly #lines: string[] = []
  /** The error to answer with if the zip would be empty. */
  failure: UpstreamError | undefined

  add(key: string, failure: UpstreamError): void {
    this.#lines.push(`${markMisleadingCharacters(key)}\t${failure.code}: ${markMisleadingCharacters(failure.message)}`)
    if (this.failure?.code !== 'AccessDenied') this.failure = failure
  }

  /** Returns the report; undefined if no object is missing. */
  report(): string | undefined {
    if (this.#lines.length === 0) return undefined
    return `These objects could not be read and are not in this zip:\n\n${this.#lines.join('\n')}\n`
  }
}

/**
 * Yields the entries of a zip, in order. Opens each object when its entry is read, and calls `missing` if that fails. Resolves
 * once the first object is open: until then a failure can still be answered with an error.
 * @throws UpstreamError AccessDenied or NoSuchKey if no object can be read; other errors of the server or the session
 */
export async function openZipFiles(source: ZipSource, entries: AsyncIterable<ZipObject>, missing: MissingObjects) {
  const items = openEntries(source, entries, missing)
  const first: ZipFile[] = []
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

async function* openEntries(
  source: ZipSource,
  entries: AsyncIterable<ZipObject>,
  missing: MissingObjects,
): AsyncGenerator<ZipFile, undefined> {
  const names = new ZipNames([MissingObjects.REPORT])
  for await (const { entry, ahead } of readAhead(source, entries, missing)) {
    const { key, name, modified } = entry
    const path = zipPath(name)
    if (path === '/') continue
    if (path.endsWith('/')) {
      const folder = names.folder(path.slice(0, -1))
      if (folder !== undefined) yield { path: `${folder}/`, mtime: entryDate(modified), compress: false }
      continue
    }
    const answer = await (ahead ?? openOrNoteMissing(source, key, missing))
    if (!answer) continue
    const { headers, body } = answer
    const size = Number(headers['content-length'])
    yield {
      path: names.file(path),
      mtime: entryDate(modified ?? headers['last-modified']),
      content: body,
      size: Number.isFinite(size) ? size : undefined,
      compress: isText(String(headers['content-type'] ?? '')),
    }
  }
}

function entryDate(modified: S3Response['headers'][string]): Date {
  return modified ? new Date(String(modified)) : new Date()
}

/** Whether compression is worthwhile: text gets smaller, most other content is compressed already. */
function isText(type: string): boolean {
  return /^text\/|\b(json|xml|csv|yaml|javascript)\b/.test(type)
}

/** Objects up to this size are read before it is their turn (bytes): many small ones would each take a round trip. */
const SMALL = 64 * 1024
/** Number of entries that are looked at in advance. */
const AHEAD = 8

interface UpcomingEntry {
  entry: ZipObject
  /** The content, for a small object. */
  ahead?: Promise<ZipContent | undefined>
}

async function* readAhead(
  source: ZipSource,
  entries: AsyncIterable<ZipObject>,
  missing: MissingObjects,
): AsyncGenerator<UpcomingEntry, undefined> {
  const upcoming: UpcomingEntry[] = []
  for await (const entry of entries) {
    upcoming.push(startReading(source, entry, missing))
    const next = upcoming.length > AHEAD ? upcoming.shift() : undefined
    if (next) yield next
  }
  yield* upcoming
}

function startReading(source: ZipSource, entry: ZipObject, missing: MissingObjects): UpcomingEntry {
  if (entry.size === undefined || entry.size > SMALL || entry.key.endsWith('/')) return { entry }
  const ahead = openOrNoteMissing(source, entry.key, missing).then((content) =>
    content ? readSmallContent(content) : undefined,
  )
  // A failure is reported when it is the object's turn.
  ahead.catch(() => undefined)
  return { entry, ahead }
}

/** Reads a small content. An object that has become large meanwhile stays a stream. */
async function readSmallContent(content: S3Response): Promise<ZipContent> {
  if (!(Number(content.headers['content-length']) <= SMALL)) return content
  return { headers: content.headers, body: await content.body.bytes() }
}

/** Maximum number of attempts per object; a zip that takes hours should survive a short overload of the server. */
const TRIES = 4
/** Maximum pause before the second attempt in ms; it doubles before each further one. */
const PAUSE_MS = 250

async function openOrNoteMissing({ s3Stream, bucket, signal }: ZipSource, key: string, missing: MissingObjects) {
  for (let tried = 1; ; tried++) {
    try {
      return await s3Stream.request({ method: 'GET', bucket, key })
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      if (isObjectFailure(error)) return missing.add(key, error)
      if (error.status < 500 || tried === TRIES) throw error
    }
    await sleep(Math.random() * PAUSE_MS * 2 ** (tried - 1), undefined, { signal })
  }
}

/** Access denied, archived, or encrypted with a key that the client must supply. */
const OBJECT_FAILURES = new Set(['AccessDenied', 'InvalidObjectState', 'InvalidRequest'])

/** Whether a failure concerns only this object, so that the others can still be read. */
function isObjectFailure({ code, status }: UpstreamError): boolean {
  return OBJECT_FAILURES.has(code) || (status === 404 && code !== 'NoSuchBucket')
}
