import { setTimeout as sleep } from 'node:timers/promises'
import { visibleName } from '../../lib/http/file-name.ts'
import type { S3Response, S3Stream } from '../../lib/storage/s3-stream.ts'
import { UpstreamError } from '../../lib/storage/storage-errors.ts'
import type { ZipEntry } from './zip-entries.ts'
import { ZipNames } from './zip-names.ts'
import { zipPath } from './zip-path.ts'

/** The clients of the caller, and the signal that ends the zip. */
export interface ZipSource {
  s3Stream: S3Stream
  bucket: string
  signal: AbortSignal
}

/** An entry of a zip: an open object, or a folder. */
export interface ZipItem {
  path: string
  mtime: Date
  content?: S3Response
}

/** The objects that are missing in a zip: those that the caller may not read, and those deleted since they were listed. */
export class Missing {
  /** Name of the file in the zip that lists them, if there are any. */
  static readonly REPORT = 'NOT-IN-THIS-ZIP.txt'
  readonly #lines: string[] = []
  /** The failure to answer with if the zip would be empty. */
  failure: UpstreamError | undefined

  add(key: string, failure: UpstreamError): void {
    this.#lines.push(`${visibleName(key)}\t${failure.code}: ${visibleName(failure.message)}`)
    if (this.failure?.code !== 'AccessDenied') this.failure = failure
  }

  /** Undefined if no object is missing. */
  report(): string | undefined {
    if (this.#lines.length === 0) return undefined
    return `These objects could not be read and are not in this zip:\n\n${this.#lines.join('\n')}\n`
  }
}

/**
 * The entries of a zip, in order. Each object is opened when its entry is read; `missing` is called when that fails.
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

/** Number of tries for an object; a zip that takes hours should survive a busy moment of the server. */
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

/** Whether a failure concerns this object only, so that the others can be read. */
function isOfTheObject({ code, status }: UpstreamError): boolean {
  return OF_THE_OBJECT.has(code) || (status === 404 && code !== 'NoSuchBucket')
}
