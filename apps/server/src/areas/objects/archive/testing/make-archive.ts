import { crc32, deflateRawSync } from 'node:zlib'

interface TestMember {
  name: string | Buffer
  content?: Buffer | string
  method?: number
  flags?: number
  /** Size given in the directory. */
  size?: number
  compressedSize?: number
  offset?: number
  localName?: string
  crc?: number
  /** Put sizes and offset into the Zip64 extra field. */
  wide?: boolean
}

/** Makes an archive, valid or malicious. */
export function makeArchive(
  members: readonly TestMember[],
  { before = '', comment = '', count = members.length, zip64 = false } = {},
): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const member of members) {
    const name = Buffer.from(member.name)
    const content = Buffer.from(member.content ?? '')
    const method = member.method ?? 8
    const packed = method === 8 ? deflateRawSync(content) : content
    const flags = member.flags ?? 0x800
    const size = member.size ?? content.length
    const compressed = member.compressedSize ?? packed.length
    const crc = member.crc ?? crc32(content)
    const localName = Buffer.from(member.localName ?? name)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(flags, 6)
    head.writeUInt16LE(method, 8)
    head.writeUInt16LE(localName.length, 26)
    head.writeUInt16LE(4, 28)
    // An extra field that only the local header has, as written by Info-ZIP.
    local.push(head, localName, Buffer.from([0x55, 0x54, 0, 0]), packed)
    const offset = member.offset ?? at
    const extra = member.wide ? Buffer.alloc(28) : Buffer.alloc(0)
    if (member.wide) {
      extra.writeUInt16LE(1, 0)
      extra.writeUInt16LE(24, 2)
      for (const [i, value] of [size, compressed, offset].entries()) extra.writeBigUInt64LE(BigInt(value), 4 + i * 8)
    }
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(flags, 8)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt16LE(0x6000, 12)
    entry.writeUInt16LE(0x5d74, 14)
    entry.writeUInt32LE(crc, 16)
    entry.writeUInt32LE(member.wide ? 0xffffffff : compressed, 20)
    entry.writeUInt32LE(member.wide ? 0xffffffff : size, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt16LE(extra.length, 30)
    entry.writeUInt32LE(member.wide ? 0xffffffff : offset, 42)
    central.push(entry, name, extra)
    at += 30 + localName.length + 4 + packed.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(zip64 ? 0xffff : count, 8)
  end.writeUInt16LE(zip64 ? 0xffff : count, 10)
  end.writeUInt32LE(zip64 ? 0xffffffff : directory.length, 12)
  end.writeUInt32LE(zip64 ? 0xffffffff : at, 16)
  end.writeUInt16LE(Buffer.byteLength(comment), 20)
  const wide = zip64 ? zip64EndRecords(count, directory.length, at) : Buffer.alloc(0)
  return Buffer.concat([Buffer.from(before), ...local, directory, wide, end, Buffer.from(comment)])
}

function zip64EndRecords(count: number, size: number, offset: number): Buffer {
  const bytes = Buffer.alloc(76)
  bytes.writeUInt32LE(0x06064b50, 0)
  bytes.writeBigUInt64LE(BigInt(count), 32)
  bytes.writeBigUInt64LE(BigInt(size), 40)
  bytes.writeBigUInt64LE(BigInt(offset), 48)
  bytes.writeUInt32LE(0x07064b50, 56)
  return bytes
}
