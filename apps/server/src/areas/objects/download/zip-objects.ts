import { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { type ZipFile, zipBytes } from '../../../lib/zip/zip-writer.ts'
import type { ZipObject } from './zip-entries.ts'
import { MissingObjects, openZipFiles, type ZipSource } from './zip-items.ts'

/**
 * Creates a zip of objects while it is read: one object is open at a time, and only small ones are buffered. Objects that the
 * caller may not read, or that were deleted since they were listed, are left out and listed in a text file. Any other failure
 * ends the zip early, because a zip without those objects would look complete.
 * @throws UpstreamError as `openZipFiles`, which waits for the first object
 */
export async function createZip(
  source: ZipSource,
  entries: AsyncIterable<ZipObject>,
  log: FastifyBaseLogger,
): Promise<Readable> {
  const { bucket, signal } = source
  const missing = new MissingObjects()
  const items = await openZipFiles(source, entries, missing)
  const bytes = async function* () {
    try {
      yield* zipBytes(withReport(items, missing))
    } catch (error) {
      if (!signal.aborted && !out.destroyed) log.warn({ err: error, bucket }, 'a zip failed after it had started')
      throw error
    }
  }
  const out: Readable = Readable.from(bytes(), { objectMode: false })
  return out
}

async function* withReport(items: AsyncIterable<ZipFile>, missing: MissingObjects): AsyncGenerator<ZipFile> {
  yield* items
  const report = missing.report()
  if (report !== undefined)
    yield { path: MissingObjects.REPORT, mtime: new Date(), content: Buffer.from(report), compress: true }
}
