import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import {
  type ArchiveDirectoryMember,
  ArchiveError,
  findDirectory,
  readDirectory,
  TAIL_BYTES,
} from './archive-directory.ts'
import { memberContent } from './member-content.ts'
import { makeArchive } from './testing/make-archive.ts'

function readMembers(file: Buffer): ArchiveDirectoryMember[] {
  const place = findDirectory(file.subarray(-TAIL_BYTES), file.length)
  return readDirectory(file.subarray(place.offset, place.offset + place.size), place)
}

async function readContent(file: Buffer, member: ArchiveDirectoryMember | undefined, step = 7): Promise<string> {
  if (!member) throw new Error('no such member')
  const rest = file.subarray(member.offset)
  const pieces = Array.from({ length: Math.ceil(rest.length / step) }, (_, i) =>
    rest.subarray(i * step, (i + 1) * step),
  )
  return Buffer.concat(await Readable.from(memberContent(Readable.from(pieces), member)).toArray()).toString()
}

const two = [
  { name: 'dir/', method: 0 },
  { name: 'dir/ü.txt', content: 'hello '.repeat(100) },
  { name: 'stored.bin', content: 'plain', method: 0 },
]

test.each([
  ['plain', makeArchive(two)],
  ['with a comment', makeArchive(two, { comment: 'PK\u0005\u0006 is no end record'.repeat(9) })],
  ['behind a program', makeArchive(two, { before: '#!/bin/sh\n'.repeat(50) })],
  [
    'with records of Zip64',
    makeArchive(
      two.map((member) => ({ ...member, wide: true })),
      { zip64: true },
    ),
  ],
])('members of an archive %s are listed and read', async (_, file) => {
  const members = readMembers(file)
  expect(members.map(({ name, size, refused }) => [name, size, refused])).toEqual([
    ['dir/', 0, undefined],
    ['dir/ü.txt', 600, undefined],
    ['stored.bin', 5, undefined],
  ])
  expect(members[1]?.modified).toBe('2026-11-20T12:00:00')
  expect(await readContent(file, members[1])).toBe('hello '.repeat(100))
  expect(await readContent(file, members[2])).toBe('plain')
})

test.each([
  ['../a', 'name'],
  ['a/../../b', 'name'],
  ['/etc/passwd', 'name'],
  ['C:\\a', 'name'],
  ['a\\..\\b', 'name'],
  ['a\u0000b', 'name'],
])('a member %j is refused because of its name', (name, refused) => {
  expect(readMembers(makeArchive([{ name, content: 'x' }]))[0]?.refused).toBe(refused)
})

test.each([
  ['encrypted', { flags: 0x801 }],
  ['encrypted', { flags: 0x841 }],
  ['encrypted', { method: 99 }],
  ['method', { method: 12 }],
  ['damaged', { method: 0, size: 9 }],
  ['damaged', { compressedSize: 1_000_000 }],
])('a member is refused: %s %j', (refused, how) => {
  expect(readMembers(makeArchive([{ name: 'a', content: 'x', ...how }]))[0]?.refused).toBe(refused)
})

test('any number of members that share bytes is refused', () => {
  const kernel = { name: 'a', content: '0'.repeat(10_000) }
  const file = makeArchive([kernel, { ...kernel, name: 'b', offset: 0 }, { name: 'c', content: 'x' }])
  expect(readMembers(file).map(({ refused }) => refused)).toEqual(['overlap', 'overlap', undefined])
})

test.each([
  ['no archive', Buffer.from('hello')],
  ['nothing', Buffer.alloc(0)],
  ['a directory that begins before the file', makeArchive(two).subarray(60)],
  ['another count', makeArchive(two, { count: 7 })],
])('%s is damaged', (_, file) => {
  expect(() => readMembers(file)).toThrow(ArchiveError)
})

test('a directory over 64 MiB is not read', () => {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(64 * 1024 * 1024 + 1, 12)
  expect(() => findDirectory(end, 2 ** 40)).toThrow(expect.objectContaining({ problem: 'too-large' }))
})

test.each([
  ['a bomb: more than the declared size', { content: '0'.repeat(1_000_000), size: 1000 }],
  ['less than the declared size', { content: '0'.repeat(1000), size: 1001 }],
  ['another checksum', { content: 'x', crc: 1 }],
  ['another name in the local header', { content: 'x', localName: 'b' }],
  ['another file cut short', { content: Buffer.from('no deflated data'), method: 0, compressedSize: 17, size: 17 }],
])('%s fails without sending its last bytes', async (_, how) => {
  const file = makeArchive([{ name: 'a', ...how }])
  const [member] = readMembers(file)
  const cut = file.subarray(0, 30 + 1 + 4 + 16)
  let size = 0
  const read = async () => {
    if (!member) return
    const source = 'compressedSize' in how ? cut : file.subarray(member.offset)
    for await (const chunk of memberContent(Readable.from([source]), member)) size += chunk.length
  }
  await expect(read()).rejects.toThrow(ArchiveError)
  expect(size).toBeLessThan(member?.size || 1)
})

test('bytes that are not deflated data are damaged', async () => {
  const file = makeArchive([{ name: 'a', content: 'x'.repeat(50), method: 0 }])
  const member = readMembers(file)[0]
  if (!member) throw new Error('no member')
  file.writeUInt16LE(8, 8)
  await expect(readContent(file, { ...member, method: 8 })).rejects.toThrow(ArchiveError)
})
