import { hasControlCharacter, isEscapingName } from './member-names.ts'

/*
 * Reads the directory of a zip archive: its end record, and an entry for each member. All input is untrusted. Source: PKWARE
 * APPNOTE 6.3.10, sections 4.3.7 to 4.3.16 and 4.5.3.
 */

/** The archive is damaged, or of an unsupported kind. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  constructor(readonly problem: 'damaged' | 'too-large' | 'split') {
    super(`the archive is ${problem}`)
  }
}

/** Why a member cannot be downloaded. */
export type MemberRefusal = 'name' | 'encrypted' | 'method' | 'overlap' | 'damaged'

export interface ArchiveDirectoryMember {
  name: string
  /** Bytes. */
  size: number
  compressedSize: number
  crc: number
  method: number
  /** ISO 8601 without a time zone, because archives store local time. Empty if the member has no time. */
  modified: string
  /** Offset of its local header in the file. */
  offset: number
  /** Name as stored in both headers. */
  nameBytes: Uint8Array
  refused?: MemberRefusal
}

/** Position of the directory in the file (bytes). */
export interface DirectoryLocation {
  offset: number
  size: number
  count: number
  /** Bytes before the archive, such as a self-extracting program. */
  shift: number
}

export const END_BYTES = 22
/** Size of the end record with the longest comment, and of the two Zip64 records before it. */
export const TAIL_BYTES = END_BYTES + 0xffff + 20 + 56
export const LOCAL_BYTES = 30
/** Maximum size of a directory (bytes); directories are read into memory. */
export const MAX_DIRECTORY = 64 * 1024 * 1024
/** Maximum number of entries of a directory: an entry takes 46 bytes in the file, but several hundred in memory. */
export const MAX_ENTRIES = 250_000

const STORED = 0
const DEFLATED = 8
/** Flags: encrypted, strong encryption, encrypted headers. */
const ENCRYPTED = 0x1 | 0x40 | 0x2000
const UTF8 = 0x800
const MAX32 = 0xffffffff
const MAX16 = 0xffff

/**
 * Finds the directory from the end of the file.
 * @param tail the last bytes of the file, `TAIL_BYTES` or all of it
 * @param fileSize bytes
 * @throws ArchiveError
 */
export function findDirectory(tail: Buffer, fileSize: number): DirectoryLocation {
  const start = fileSize - tail.length
  const end = endRecord(tail)
  let [count, size, offset] = [tail.readUInt16LE(end + 10), tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  let behind = end
  if (tail.readUInt16LE(end + 4) !== tail.readUInt16LE(end + 6)) throw new ArchiveError('split')
  if (count === MAX16 || size === MAX32 || offset === MAX32) {
    const locator = end - 20
    if (locator >= 0 && tail.readUInt32LE(locator) === 0x07064b50) {
      // The record must be directly before its locator, whatever offset the locator gives.
      const record = locator - 56
      if (record < 0 || tail.readUInt32LE(record) !== 0x06064b50) throw new ArchiveError('damaged')
      count = number64(tail, record + 32)
      size = number64(tail, record + 40)
      offset = number64(tail, record + 48)
      behind = record
    }
  }
  const shift = start + behind - size - offset
  if (shift < 0) throw new ArchiveError('damaged')
  if (size > MAX_DIRECTORY || count > MAX_ENTRIES) throw new ArchiveError('too-large')
  return { offset: offset + shift, size, count, shift }
}

/** Returns the last end record whose comment ends at the end of the file. */
function endRecord(tail: Buffer): number {
  for (let at = tail.length - END_BYTES; at >= 0; at--)
    if (tail.readUInt32LE(at) === 0x06054b50 && at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length) return at
  throw new ArchiveError('damaged')
}

/** Refuses numbers that JavaScript cannot represent exactly; no real archive has them. */
function number64(bytes: Buffer, at: number): number {
  const number = Number(bytes.readBigUInt64LE(at))
  if (!Number.isSafeInteger(number)) throw new ArchiveError('damaged')
  return number
}

/**
 * Returns the members in the order of the directory; those that cannot be downloaded have `refused`. Takes up to two seconds, so
 * only worker threads call it.
 * @throws ArchiveError damaged, too-large
 */
export function readDirectory(bytes: Buffer, place: DirectoryLocation): ArchiveDirectoryMember[] {
  const members: ArchiveDirectoryMember[] = []
  let at = 0
  while (at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50) {
    const [nameLength, extraLength] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30)]
    const next = at + 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32)
    if (next > bytes.length) throw new ArchiveError('damaged')
    // The end record counts up to 65,536 only, so the count that it gives may be too small.
    if (members.length === MAX_ENTRIES) throw new ArchiveError('too-large')
    members.push(memberAt(bytes, at, place.shift))
    at = next
  }
  if (members.length !== place.count && members.length % 0x10000 !== place.count) throw new ArchiveError('damaged')
  refuseOverlaps(members, place.offset)
  return members
}

function memberAt(bytes: Buffer, at: number, shift: number): ArchiveDirectoryMember {
  const flags = bytes.readUInt16LE(at + 8)
  const method = bytes.readUInt16LE(at + 10)
  const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
  const nameBytes = bytes.subarray(at + 46, nameEnd)
  const extra = bytes.subarray(nameEnd, nameEnd + bytes.readUInt16LE(at + 30))
  const [size, compressedSize, offset] = readZip64Fields(extra, [
    bytes.readUInt32LE(at + 24),
    bytes.readUInt32LE(at + 20),
    bytes.readUInt32LE(at + 42),
  ])
  const name = decodeName(nameBytes, (flags & UTF8) !== 0)
  const member: ArchiveDirectoryMember = {
    name,
    size,
    compressedSize,
    crc: bytes.readUInt32LE(at + 16),
    method,
    modified: dosTime(bytes.readUInt16LE(at + 14), bytes.readUInt16LE(at + 12)),
    offset: offset + shift,
    nameBytes,
  }
  const refused = refusalReason(member, flags)
  return refused ? { ...member, refused } : member
}

function refusalReason(
  { name, method, size, compressedSize }: ArchiveDirectoryMember,
  flags: number,
): MemberRefusal | undefined {
  if (isEscapingName(name) || hasControlCharacter(name)) return 'name'
  if ((flags & ENCRYPTED) !== 0 || method === 99) return 'encrypted'
  if (method !== STORED && method !== DEFLATED) return 'method'
  return method === STORED && size !== compressedSize ? 'damaged' : undefined
}

/** Reads the extra field with sizes and offsets over 4 GiB: it has only those that do not fit, in this order. */
function readZip64Fields(extra: Buffer, values: [number, number, number]): [number, number, number] {
  if (!values.includes(MAX32)) return values
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === 1) {
      let from = at + 4
      const end = Math.min(extra.length, from + length)
      const next = (value: number) => {
        if (value !== MAX32) return value
        if (from + 8 > end) throw new ArchiveError('damaged')
        from += 8
        return number64(extra, from - 8)
      }
      return [next(values[0]), next(values[1]), next(values[2])]
    }
    at += 4 + length
  }
  return values
}

/** Refuses members that share bytes, with which a small file can claim to contain petabytes. */
function refuseOverlaps(members: ArchiveDirectoryMember[], directory: number): void {
  const byOffset = members.toSorted((a, b) => a.offset - b.offset)
  let end = 0
  let last: ArchiveDirectoryMember | undefined
  for (const member of byOffset) {
    if (last && member.offset < end) {
      last.refused = 'overlap'
      member.refused = 'overlap'
    }
    const own = member.offset + LOCAL_BYTES + member.nameBytes.length + member.compressedSize
    if (own > directory) member.refused ??= 'damaged'
    if (own > end) {
      end = own
      last = member
    }
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Old archives have names in a one-byte encoding. */
function decodeName(bytes: Buffer, utf8: boolean): string {
  try {
    return UTF_8.decode(bytes)
  } catch {
    return utf8 ? bytes.toString('utf8') : bytes.toString('latin1')
  }
}

function dosTime(date: number, time: number): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const [year, month, day] = [1980 + (date >> 9), (date >> 5) & 15, date & 31]
  if (month < 1 || month > 12 || day < 1) return ''
  const [hour, minute, second] = [time >> 11, (time >> 5) & 63, (time & 31) * 2]
  if (hour > 23 || minute > 59 || second > 59) return ''
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`
}
