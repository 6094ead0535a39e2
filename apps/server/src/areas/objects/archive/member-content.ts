import type { Readable } from 'node:stream'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { type ArchiveDirectoryMember, ArchiveError, LOCAL_BYTES } from './archive-directory.ts'

const ENCRYPTED = 0x1 | 0x40 | 0x2000

/**
 * Streams the content of a member from the bytes of the file that start with its local header. Never yields more bytes than the
 * directory declares, and yields the last bytes only if size and checksum are right.
 * @throws ArchiveError damaged
 */
export async function* memberContent(file: Readable, member: ArchiveDirectoryMember): AsyncGenerator<Buffer> {
  const packed = packedBytes(file, member)
  const plain = member.method === 0 ? packed : inflate(packed)
  let crc = 0
  let size = 0
  let held: Buffer | undefined
  for await (const chunk of plain) {
    size += chunk.length
    if (size > member.size) throw new ArchiveError('damaged')
    crc = crc32(chunk, crc)
    if (held) yield held
    held = chunk
  }
  if (size !== member.size || crc !== member.crc) throw new ArchiveError('damaged')
  if (held) yield held
}

/** Yields the compressed bytes, after a check that the local header agrees with the directory. */
async function* packedBytes(file: Readable, member: ArchiveDirectoryMember): AsyncGenerator<Buffer> {
  const { nameBytes, compressedSize } = member
  let head = Buffer.alloc(0)
  let skip = -1
  let left = compressedSize
  for await (const chunk of file as AsyncIterable<Buffer>) {
    let bytes = chunk
    if (skip < 0) {
      head = Buffer.concat([head, bytes])
      if (head.length < LOCAL_BYTES + nameBytes.length) continue
      checkLocalHeader(head, member)
      skip = head.readUInt16LE(28)
      bytes = head.subarray(LOCAL_BYTES + nameBytes.length)
    }
    const skipped = Math.min(skip, bytes.length)
    skip -= skipped
    const own = bytes.subarray(skipped, skipped + left)
    left -= own.length
    if (own.length > 0) yield own
    if (skip === 0 && left === 0) return
  }
  if (skip !== 0 || left > 0) throw new ArchiveError('damaged')
}

function checkLocalHeader(head: Buffer, { nameBytes, method }: ArchiveDirectoryMember): void {
  const name = head.subarray(LOCAL_BYTES, LOCAL_BYTES + nameBytes.length)
  const right =
    head.readUInt32LE(0) === 0x04034b50 &&
    (head.readUInt16LE(6) & ENCRYPTED) === 0 &&
    head.readUInt16LE(8) === method &&
    head.readUInt16LE(26) === nameBytes.length &&
    name.equals(nameBytes)
  if (!right) throw new ArchiveError('damaged')
}

async function* inflate(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const output = new PassThrough({ highWaterMark: 256 * 1024 })
  const ended = pipeline(packed, createInflateRaw(), output)
  // The reader of `output` gets the error.
  ended.catch(() => {})
  try {
    for await (const chunk of output as AsyncIterable<Buffer>) yield chunk
  } catch (error) {
    throw isZlibError(error) ? new ArchiveError('damaged') : error
  } finally {
    output.destroy()
  }
}

const isZlibError = (error: unknown) => error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
