import { crc32, inflateRawSync } from 'node:zlib'

/* Archives of a few small files: settings of buckets, users and policies. */

export interface ZipArchiveEntry {
  name: string
  content: Buffer
}

/** Limits in bytes, for one file and for all files. */
export interface ZipLimits {
  entries: number
  entryBytes: number
  totalBytes: number
}

/** The input is not an archive, or exceeds the limits. */
export class ZipError extends Error {
  override readonly name = 'ZipError'
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const END_BYTES = 22
/** Names are UTF-8. */
const UTF8 = 0x0800
const STORED = 0
const DEFLATED = 8
const MAX_COMMENT = 0xffff

/** Creates an archive of uncompressed files. */
export function writeZip(entries: readonly ZipArchiveEntry[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of entries) {
    const encoded = Buffer.from(name)
    // Fields of both headers: version, flags, method, time, date, checksum, sizes, lengths.
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(UTF8, 2)
    common.writeUInt16LE(STORED, 4)
    common.writeUInt16LE(0x21, 8)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(content.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(encoded.length, 22)
    const local = Buffer.concat([uint32(LOCAL), common, encoded, content])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([uint32(CENTRAL), Buffer.from([20, 0]), common, rest, encoded]))
    files.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, central, end])
}

/**
 * Reads the files of an archive; skips folders.
 * @param limits of the real sizes in bytes, whatever sizes the archive declares
 * @throws ZipError
 */
export function readZip(archive: Buffer, limits: ZipLimits): ZipArchiveEntry[] {
  try {
    return readEntries(archive, limits)
  } catch (cause) {
    if (cause instanceof ZipError) throw cause
    throw new ZipError('The archive is damaged, or a file in it is too large.', { cause })
  }
}

function readEntries(archive: Buffer, limits: ZipLimits): ZipArchiveEntry[] {
  const end = findEnd(archive)
  const count = archive.readUInt16LE(end + 10)
  if (count > limits.entries) throw new ZipError(`The archive has more than ${limits.entries} files.`)
  const found: ZipArchiveEntry[] = []
  let at = archive.readUInt32LE(end + 16)
  let total = 0
  for (let i = 0; i < count; i++) {
    if (archive.readUInt32LE(at) !== CENTRAL) throw new ZipError('The directory of the archive is damaged.')
    const nameBytes = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes)
    if (!name.endsWith('/')) {
      const content = readContent(archive, at, Math.min(limits.entryBytes, limits.totalBytes - total))
      total += content.length
      found.push({ name, content })
    }
    at += CENTRAL_BYTES + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return found
}

function readContent(archive: Buffer, at: number, limit: number): Buffer {
  const [flags, method] = [archive.readUInt16LE(at + 8), archive.readUInt16LE(at + 10)]
  const [sum, packed] = [archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 20)]
  const local = archive.readUInt32LE(at + 42)
  if ((flags & 1) !== 0) throw new ZipError('The archive is encrypted.')
  if (archive.readUInt32LE(local) !== LOCAL) throw new ZipError('The archive is damaged.')
  const start = local + LOCAL_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const bytes = archive.subarray(start, start + packed)
  if (bytes.length < packed || limit < 1) throw new ZipError('The archive is cut, or its files are too large.')
  if (method !== STORED && method !== DEFLATED) throw new ZipError('A file is compressed in an unknown way.')
  const content = method === STORED ? bytes : inflateRawSync(bytes, { maxOutputLength: limit })
  if (content.length > limit) throw new ZipError('A file of the archive is too large.')
  if (crc32(content) !== sum) throw new ZipError('A file of the archive is damaged.')
  return content
}

function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_BYTES - MAX_COMMENT)
  for (let at = archive.length - END_BYTES; at >= first; at--) if (archive.readUInt32LE(at) === END) return at
  throw new ZipError('This is not a zip archive.')
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
