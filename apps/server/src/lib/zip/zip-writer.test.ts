import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { findDirectory, readDirectory, TAIL_BYTES } from '../../areas/objects/archive/archive-directory.ts'
import { centralRecord, endRecords, localHeader, type ZipEntryRecord } from './zip-records.ts'
import { type ZipFile, zipBytes } from './zip-writer.ts'

const mtime = new Date('2026-11-23T17:30:02Z')
const file = (path: string, rest: Partial<ZipFile> = {}): ZipFile => ({ path, mtime, compress: false, ...rest })
const createStream = (...chunks: string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
const many = 'the same words '.repeat(20_000)

/** Reads a zip with Python's zipfile, so that our own code does not check itself: name, mode, method, content of each file. */
function readByPython(zip: Buffer): [string, string, number, string][] {
  const script = `
import io, json, sys, zipfile
z = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
print(json.dumps([[i.filename, oct(i.external_attr >> 16), i.compress_type, z.read(i).decode()] for i in z.infolist()]))`
  const { stdout, stderr } = spawnSync('python3', ['-c', script], { input: zip, maxBuffer: 1 << 28 })
  if (stderr.length > 0) throw new Error(stderr.toString())
  return JSON.parse(stdout.toString())
}

test('Python reads files and folders, from bytes and streams, stored and compressed', async () => {
  const zip = await buffer(
    zipBytes([
      file('dir/'),
      file('dir/ü.txt', { content: Buffer.from(many), compress: true }),
      file('short', { content: Buffer.from('a'), compress: true }),
      file('empty', { content: Buffer.alloc(0), compress: true }),
      file('stored', { content: createStream('one ', 'two'), size: 7 }),
      file('of unknown size', { content: createStream('three') }),
      file('compressed', { content: createStream(many, many), size: 2 * many.length, compress: true }),
      file('last', { content: Buffer.from('end') }),
    ]),
  )
  expect(readByPython(zip)).toEqual([
    ['dir/', '0o40775', 0, ''],
    ['dir/ü.txt', '0o100664', 8, many],
    ['short', '0o100664', 0, 'a'],
    ['empty', '0o100664', 0, ''],
    ['stored', '0o100664', 0, 'one two'],
    ['of unknown size', '0o100664', 0, 'three'],
    ['compressed', '0o100664', 8, many + many],
    ['last', '0o100664', 0, 'end'],
  ])
  expect(zip.length).toBeLessThan(10_000)
})

test.skipIf(!existsSync('/usr/bin/unzip'))('unzip finds nothing wrong, and restores the times', async () => {
  const zip = await buffer(
    zipBytes([file('a', { content: createStream('a') }), file('b', { content: Buffer.from(many), compress: true })]),
  )
  const { stdout } = spawnSync('python3', ['-c', UNZIP], { input: zip, env: { ...process.env, TZ: 'Asia/Tokyo' } })
  expect(stdout.toString()).toContain('No errors detected')
  expect(stdout.toString()).toContain(`${mtime.getTime() / 1000}`)
})
/** Runs `unzip -t`, then extracts and prints the time of `a`. */
const UNZIP = `
import os, subprocess, sys, tempfile
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'z.zip')
    open(path, 'wb').write(sys.stdin.buffer.read())
    print(subprocess.run(['unzip', '-t', path], capture_output=True, text=True).stdout)
    subprocess.run(['unzip', '-q', path, '-d', folder])
    print(int(os.path.getmtime(os.path.join(folder, 'a'))))`

test('a zip may have more than 65,535 files', async () => {
  const zip = await buffer(zipBytes(Array.from({ length: 65_536 }, (_, i) => file(`${i}`))))
  const directory = findDirectory(zip.subarray(-TAIL_BYTES), zip.length)
  expect(directory.count).toBe(65_536)
  const names = readDirectory(zip.subarray(directory.offset, directory.offset + directory.size), directory)
  expect(names.at(-1)?.name).toBe('65535')
})

test.each([
  ['position', { offset: 5 * 2 ** 30 }],
  ['size', { size: 5 * 2 ** 30, wide: true, described: true }],
  ['compressed size', { packed: 5 * 2 ** 30, wide: true, described: true }],
])('a %s of more than 32 bits is kept', (_, rest) => {
  const entry: ZipEntryRecord = {
    name: Buffer.from('a'),
    mtime,
    method: 8,
    crc: 1,
    packed: 10,
    size: 20,
    offset: 0,
    described: false,
    wide: false,
    ...rest,
  }
  const record = centralRecord(entry)
  const offset = 2 ** 43
  const [member] = readDirectory(record, { offset, size: record.length, count: 1, shift: 0 })
  expect(member).toMatchObject({ offset: entry.offset, compressedSize: entry.packed, size: entry.size })
  const end = endRecords({ entries: 1, size: record.length, offset })
  expect(findDirectory(end, offset + record.length + end.length)).toMatchObject({ offset, size: record.length })
  expect(localHeader(entry).readUInt16LE(4)).toBe(entry.wide ? 45 : 20)
})

test.each([
  ['short', { content: () => createStream('abc'), size: 4 }, 'has 3 bytes instead of 4'],
  ['long', { content: () => createStream('abc', 'de'), size: 4 }, 'has 5 bytes instead of 4'],
  ['broken', { content: () => createStream('abc').map(() => Promise.reject(new Error('cut'))), size: 3 }, 'cut'],
])('a zip with a stream that is %s does not look whole', async (_, { content, size }, message) => {
  for (const compress of [false, true]) {
    const zip = zipBytes([file('a', { content: content(), size, compress })])
    await expect(buffer(zip)).rejects.toThrow(message)
  }
})

test('the first file leaves at once, and many small ones in few buffers', async () => {
  const taken: number[] = []
  const files = async function* () {
    for (let i = 0; i < 5_000; i++) {
      yield file(`${i}`, { content: Buffer.from('stowage') })
      if (i === 0) expect(taken).toHaveLength(1)
    }
  }
  for await (const { length } of zipBytes(files())) taken.push(length)
  expect(taken.length).toBeLessThan(15)
  expect(Math.max(...taken)).toBe(64 * 1024)
})
