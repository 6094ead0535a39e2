import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { ZipFile } from 'yazl'
import type { S3Wire } from '../../lib/s3-wire.ts'
import { storageErrorOf } from '../../lib/storage-errors.ts'
import type { ZipEntry } from './zip-entries.ts'
import { zipPath } from './zip-path.ts'

/** Stands in the zip when objects are missing from it. */
const REPORT = 'NOT-IN-THIS-ZIP.txt'

/**
 * A zip of objects, made while it is read: one object is open at a time, nothing is kept. Objects that the caller may not
 * read are left out and listed in a text; a failure in the middle of one breaks the zip off, because what it holds of
 * that object would look whole.
 */
export function zipOf(
  s3: S3Wire,
  bucket: string,
  entries: AsyncIterable<ZipEntry>,
  { signal, log }: { signal: AbortSignal; log: FastifyBaseLogger },
): Readable {
  const zip = new ZipFile()
  const out = new PassThrough()
  const fail = (error: unknown) => {
    if (!signal.aborted && !out.destroyed) log.warn({ err: error, bucket }, 'a zip broke off')
    out.destroy(error instanceof Error ? error : new Error(String(error)))
  }
  zip.on('error', fail)
  zip.outputStream.pipe(out)
  fill(zip, s3, bucket, entries, signal).catch(fail)
  return out
}

async function fill(
  zip: ZipFile,
  s3: S3Wire,
  bucket: string,
  entries: AsyncIterable<ZipEntry>,
  signal: AbortSignal,
): Promise<void> {
  const left: string[] = []
  for await (const { key, name, modified } of entries) {
    const mtime = modified ? new Date(modified) : new Date()
    const path = zipPath(name)
    if (path === '' || path === '/') continue
    if (path.endsWith('/')) {
      zip.addEmptyDirectory(path, { mtime })
      continue
    }
    const response = await openOrNote(s3, bucket, key, signal, left)
    if (!response) continue
    const { body, headers } = response
    const size = Number(headers['content-length'])
    zip.addReadStream(body, path, {
      mtime: modified || !headers['last-modified'] ? mtime : new Date(String(headers['last-modified'])),
      compress: isText(String(headers['content-type'] ?? '')),
      ...(Number.isFinite(size) ? { size } : {}),
    })
    await once(body, 'end', { signal })
  }
  if (left.length > 0)
    zip.addBuffer(
      Buffer.from(`These objects could not be read and are not in this zip:\n\n${left.join('\n')}\n`),
      REPORT,
    )
  zip.end()
}

async function openOrNote(s3: S3Wire, bucket: string, key: string, signal: AbortSignal, left: string[]) {
  try {
    return await s3.request({ method: 'GET', bucket, key, signal })
  } catch (error) {
    const told = storageErrorOf(error)
    // Without an answer the server is gone, and every further object would fail as well.
    if (!told) throw error
    left.push(`${key}\t${told.code}: ${told.message}`)
    return undefined
  }
}

/** Texts shrink; most of what else is stored is packed already, and packing it again costs more than it saves. */
function isText(type: string): boolean {
  return /^text\/|\b(json|xml|csv|yaml|javascript)\b/.test(type)
}
