import type { Readable } from 'node:stream'
import { reason } from '@stowage/contract'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import type { S3Stream } from '../../../lib/storage/s3-stream.ts'
import { readWholeBody } from '../../../lib/storage/whole-body.ts'
import { type ObjectVersionReference, versionParameters } from '../details/object-details.ts'
import { readHeader } from '../details/object-headers.ts'
import {
  type ArchiveDirectoryMember,
  ArchiveError,
  type DirectoryLocation,
  findDirectory,
  LOCAL_BYTES,
  TAIL_BYTES,
} from './archive-directory.ts'
import { memberContent } from './member-content.ts'

/** A read from the storage server fails after this long without data. */
const IDLE_MS = 30_000
/** Maximum size of the name and extra fields of a local header (bytes). */
const LOCAL_EXTRA = 0xffff

/** The directory of a zip archive in a bucket, as read with range requests. */
export interface ArchiveDirectoryBytes {
  bytes: Buffer
  place: DirectoryLocation
  /** ETag of the object, quoted. Later reads return the same content or fail. */
  etag: string
}

/**
 * Reads the directory of a zip archive with range requests.
 * @throws HttpError 400 (not an archive), 413 (its directory is too large); UpstreamError as GetObject
 */
export async function openArchive(s3Stream: S3Stream, version: ObjectVersionReference): Promise<ArchiveDirectoryBytes> {
  const head = await s3Stream.headers({ method: 'HEAD', ...versionParameters(version) })
  const size = Number(readHeader(head, 'content-length'))
  const etag = readHeader(head, 'etag')
  const range = async (from: number, to: number) => await readRange(s3Stream, version, etag, from, to)
  try {
    if (size === 0) throw new ArchiveError('damaged')
    const place = findDirectory(await range(Math.max(0, size - TAIL_BYTES), size), size)
    const bytes = place.size === 0 ? Buffer.alloc(0) : await range(place.offset, place.offset + place.size)
    return { bytes, place, etag }
  } catch (error) {
    throw error instanceof ArchiveError ? archiveFailure(error.problem) : error
  }
}

/** @param to offset after the last byte */
async function readRange(
  s3Stream: S3Stream,
  version: ObjectVersionReference,
  etag: string,
  from: number,
  to: number,
): Promise<Buffer> {
  const body = await openRange(s3Stream, version, etag, from, to)
  const bytes = await readWholeBody(body, { maxBytes: to - from, idleMs: IDLE_MS })
  if (bytes.length !== to - from) throw new ArchiveError('damaged')
  return bytes
}

async function openRange(
  s3Stream: S3Stream,
  version: ObjectVersionReference,
  etag: string,
  from: number,
  to: number,
): Promise<Readable> {
  const headers = { range: `bytes=${from}-${to - 1}`, 'if-match': etag }
  const { statusCode, body } = await s3Stream.request({ method: 'GET', ...versionParameters(version), headers })
  // A server that ignores the range would send gigabytes.
  if (statusCode !== 206) {
    body.destroy()
    throw new HttpError(502, reason('archive-no-ranges'))
  }
  return body
}

/** @throws HttpError 404, or 400 if the member is refused */
export function requireMember(member: ArchiveDirectoryMember | undefined): ArchiveDirectoryMember {
  if (!member || member.name.endsWith('/')) throw new HttpError(404, reason('archive-no-member'))
  if (member.refused) throw new HttpError(400, reason(`archive-member-${member.refused}`))
  return member
}

/**
 * Streams the content of a member.
 * @throws HttpError 400; UpstreamError as GetObject, PreconditionFailed if the archive was replaced; the stream fails with
 *   ArchiveError
 */
export async function openMember(
  s3Stream: S3Stream,
  version: ObjectVersionReference,
  { etag, place }: Omit<ArchiveDirectoryBytes, 'bytes'>,
  member: ArchiveDirectoryMember,
): Promise<AsyncGenerator<Buffer>> {
  const longest = member.offset + LOCAL_BYTES + member.nameBytes.length + LOCAL_EXTRA + member.compressedSize
  const file = await openRange(s3Stream, version, etag, member.offset, Math.min(place.offset, longest))
  // Destroying the stream before its end would otherwise emit an error that nobody handles.
  file.on('error', () => {})
  return await startContent(memberContent(file, member))
}

/** Waits for the first bytes, so that a member that is damaged at its start is answered with an error. @throws HttpError 400 */
async function startContent(content: AsyncGenerator<Buffer>): Promise<AsyncGenerator<Buffer>> {
  const first = await content.next().catch((error: unknown) => {
    throw error instanceof ArchiveError ? archiveFailure(error.problem) : error
  })
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* content
  })()
}

export function archiveFailure(problem: ArchiveError['problem']): HttpError {
  return new HttpError(problem === 'too-large' ? 413 : 400, reason(`archive-${problem}`))
}
