import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { ZipFile } from 'yazl'
import type { ZipEntry } from './zip-entries.ts'
import { itemsOf, Missing, type ZipItem, type ZipSource } from './zip-items.ts'

/**
 * Creates a zip of objects while it is read: one object is open at a time, and no object is buffered. Objects that the caller
 * may not read, or that were deleted since they were listed, are left out and listed in a text file. Any other failure ends the
 * zip early, because a zip without those objects would look complete.
 * @throws UpstreamError as `itemsOf`, which waits for the first object
 */
export async function zipOf(
  source: ZipSource,
  entries: AsyncIterable<ZipEntry>,
  log: FastifyBaseLogger,
): Promise<Readable> {
  const { bucket, signal } = source
  const missing = new Missing()
  const items = await itemsOf(source, entries, missing)
  const zip = new ZipFile()
  const out = new PassThrough()
  // The reader of the zip gets the error; until there is a reader, an error without a listener would end the program.
  out.on('error', () => {})
  const fail = (error: unknown) => {
    if (!signal.aborted && !out.destroyed) log.warn({ err: error, bucket }, 'a zip failed after it had started')
    out.destroy(error instanceof Error ? error : new Error(String(error)))
  }
  zip.on('error', fail)
  zip.outputStream.pipe(out)
  fill(zip, items, missing, signal).catch(fail)
  return out
}

async function fill(zip: ZipFile, items: AsyncIterable<ZipItem>, missing: Missing, signal: AbortSignal): Promise<void> {
  for await (const { path, mtime, content } of items) {
    if (!content) {
      zip.addEmptyDirectory(path, { mtime })
      continue
    }
    const { body, headers } = content
    const size = Number(headers['content-length'])
    zip.addReadStream(body, path, {
      mtime,
      compress: isText(String(headers['content-type'] ?? '')),
      ...(Number.isFinite(size) ? { size } : {}),
    })
    await once(body, 'end', { signal })
  }
  const report = missing.report()
  if (report !== undefined) zip.addBuffer(Buffer.from(report), Missing.REPORT)
  zip.end()
}

/** Whether compression is worthwhile: text gets smaller, most other content is compressed already. */
function isText(type: string): boolean {
  return /^text\/|\b(json|xml|csv|yaml|javascript)\b/.test(type)
}
