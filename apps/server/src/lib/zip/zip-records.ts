/** The records of a zip (APPNOTE 6.3). Numbers that do not fit into 32 bits are in fields of Zip64. */

/** What the records of an entry tell about it. */
export interface ZipEntryRecord {
  /** UTF-8; a folder ends with a slash. */
  name: Buffer
  mtime: Date
  /** 0: stored, 8: deflated. */
  method: 0 | 8
  crc: number
  /** Bytes in the zip. */
  packed: number
  /** Bytes of the content. */
  size: number
  /** Position of the local header in the zip. */
  offset: number
  /** Whether checksum and sizes are behind the content, because they were not known before it. */
  described: boolean
  /** Whether the sizes behind the content have 64 bits. */
  wide: boolean
}

const LOCAL = 0x04034b50
const DESCRIPTOR = 0x08074b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const END_64 = 0x06064b50
const END_64_LOCATOR = 0x07064b50
const EXTRA_64 = 1
const EXTRA_TIME = 0x5455
/** Version 2.0 of the format has folders and deflate, 4.5 has Zip64. */
const VERSION = 20
const VERSION_64 = 45
/** Made on Unix, so that the mode counts, by version 6.3. */
const MADE_BY = (3 << 8) | 63
const DESCRIBED = 1 << 3
const UTF8 = 1 << 11
const FILE_MODE = 0o100664
const FOLDER_MODE = 0o40775
const MAX_16 = 0xffff
const MAX_32 = 0xffffffff

/** Returns the header in front of a content. */
export function localHeader(entry: ZipEntryRecord): Buffer {
  const { name, mtime, described, wide } = entry
  // That the sizes behind the content have 64 bits is known by the presence of their field here.
  const extra = Buffer.concat([timeField(mtime), ...(described && wide ? [extra64([0, 0])] : [])])
  const head = Buffer.alloc(30)
  head.writeUInt32LE(LOCAL, 0)
  writeCommon(head, 4, entry)
  if (!described) writeSums(head, 14, entry)
  else if (wide) head.fill(0xff, 18, 26)
  head.writeUInt16LE(name.length, 26)
  head.writeUInt16LE(extra.length, 28)
  return Buffer.concat([head, name, extra])
}

/** Returns checksum and sizes, for behind a content. */
export function dataDescriptor(entry: ZipEntryRecord): Buffer {
  const record = Buffer.alloc(entry.wide ? 24 : 16)
  record.writeUInt32LE(DESCRIPTOR, 0)
  if (!entry.wide) {
    writeSums(record, 4, entry)
    return record
  }
  record.writeUInt32LE(entry.crc, 4)
  record.writeBigUInt64LE(BigInt(entry.packed), 8)
  record.writeBigUInt64LE(BigInt(entry.size), 16)
  return record
}

/** Returns the entry's line in the directory at the end of the zip. */
export function centralRecord(entry: ZipEntryRecord): Buffer {
  const { name, mtime, packed, size, offset } = entry
  // All three or none: some programs expect them in fixed places.
  const is64 = entry.wide || packed >= MAX_32 || size >= MAX_32 || offset >= MAX_32
  const extra = Buffer.concat([timeField(mtime), ...(is64 ? [extra64([size, packed, offset])] : [])])
  const head = Buffer.alloc(46)
  head.writeUInt32LE(CENTRAL, 0)
  head.writeUInt16LE(MADE_BY, 4)
  writeCommon(head, 6, entry, is64)
  head.writeUInt32LE(entry.crc, 16)
  head.writeUInt32LE(is64 ? MAX_32 : packed, 20)
  head.writeUInt32LE(is64 ? MAX_32 : size, 24)
  head.writeUInt16LE(name.length, 28)
  head.writeUInt16LE(extra.length, 30)
  const mode = name.at(-1) === 0x2f ? FOLDER_MODE : FILE_MODE
  head.writeUInt32LE((mode << 16) >>> 0, 38)
  head.writeUInt32LE(is64 ? MAX_32 : offset, 42)
  return Buffer.concat([head, name, extra])
}

/** The directory at the end of a zip. */
export interface ZipDirectory {
  entries: number
  /** Bytes. */
  size: number
  /** Position of its first line in the zip. */
  offset: number
}

/** Returns the records at the very end. */
export function endRecords({ entries, size, offset }: ZipDirectory): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(Math.min(entries, MAX_16), 8)
  end.writeUInt16LE(Math.min(entries, MAX_16), 10)
  end.writeUInt32LE(Math.min(size, MAX_32), 12)
  end.writeUInt32LE(Math.min(offset, MAX_32), 16)
  if (entries < MAX_16 && size < MAX_32 && offset < MAX_32) return end
  const end64 = Buffer.alloc(56 + 20)
  end64.writeUInt32LE(END_64, 0)
  // Bytes of this record that follow.
  end64.writeBigUInt64LE(44n, 4)
  end64.writeUInt16LE(MADE_BY, 12)
  end64.writeUInt16LE(VERSION_64, 14)
  end64.writeBigUInt64LE(BigInt(entries), 24)
  end64.writeBigUInt64LE(BigInt(entries), 32)
  end64.writeBigUInt64LE(BigInt(size), 40)
  end64.writeBigUInt64LE(BigInt(offset), 48)
  end64.writeUInt32LE(END_64_LOCATOR, 56)
  end64.writeBigUInt64LE(BigInt(offset + size), 56 + 8)
  // Number of disks.
  end64.writeUInt32LE(1, 56 + 16)
  return Buffer.concat([end64, end])
}

/** Writes the ten bytes that local and central records have in common: version, flags, method and time. */
function writeCommon(head: Buffer, at: number, { described, wide, method, mtime }: ZipEntryRecord, is64 = wide): void {
  const { date, time } = dosTime(mtime)
  head.writeUInt16LE(is64 ? VERSION_64 : VERSION, at)
  head.writeUInt16LE(UTF8 | (described ? DESCRIBED : 0), at + 2)
  head.writeUInt16LE(method, at + 4)
  head.writeUInt16LE(time, at + 6)
  head.writeUInt16LE(date, at + 8)
}

function writeSums(head: Buffer, at: number, { crc, packed, size }: ZipEntryRecord): void {
  head.writeUInt32LE(crc, at)
  head.writeUInt32LE(packed, at + 4)
  head.writeUInt32LE(size, at + 8)
}

function extra64(numbers: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * numbers.length)
  field.writeUInt16LE(EXTRA_64, 0)
  field.writeUInt16LE(8 * numbers.length, 2)
  for (const [i, number] of numbers.entries()) field.writeBigUInt64LE(BigInt(number), 4 + 8 * i)
  return field
}

/** The time in UTC, because the DOS time is that of the console's time zone. */
function timeField(mtime: Date): Buffer {
  const field = Buffer.alloc(9)
  field.writeUInt16LE(EXTRA_TIME, 0)
  field.writeUInt16LE(5, 2)
  // Only the time of the last change.
  field.writeUInt8(1, 4)
  const seconds = Math.floor(mtime.getTime() / 1000)
  field.writeInt32LE(Math.max(-0x80000000, Math.min(0x7fffffff, seconds)), 5)
  return field
}

/** Local time, in steps of two seconds, from 1980 to 2107. */
function dosTime(at: Date): { date: number; time: number } {
  const year = at.getFullYear()
  if (year < 1980) return { date: (1 << 5) | 1, time: 0 }
  if (year > 2107) return { date: (127 << 9) | (12 << 5) | 31, time: (23 << 11) | (59 << 5) | 29 }
  return {
    date: ((year - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate(),
    time: (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1),
  }
}
