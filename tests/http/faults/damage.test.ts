import { open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { KiB, MiB } from '@stowage/contract'
import { expect } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import { bytesDigest, pseudoRandomBytes } from '../../support/data/bytes.ts'

/* Changes bytes of a stopped store on one of the two drives that contain them. */

const sizes = [100, 5 * KiB, 40 * KiB, 3 * MiB]

async function fill(c: TestConsole): Promise<string> {
  const bucket = await c.newBucket()
  const keys = Array.from({ length: 40 }, (_, i) => `${i % 4}/${i}`)
  await Promise.all(
    keys.map((Key, i) =>
      c.s3.send(
        new PutObjectCommand({ Bucket: bucket, Key, Body: pseudoRandomBytes(Key, sizes[i % sizes.length] ?? 0) }),
      ),
    ),
  )
  return bucket
}

async function expectWhole(c: TestConsole, bucket: string): Promise<void> {
  const { objects } = await c.call('listObjects', { params: { bucket }, query: { recursive: 'true', limit: '1000' } })
  expect(objects).toHaveLength(40)
  for (const { name, size } of objects) {
    const download = await c.root.send('downloadObject', { params: { bucket }, query: { prefix: name } })
    const found = new Uint8Array(await download.arrayBuffer())
    expect([name, bytesDigest(found)]).toEqual([name, bytesDigest(pseudoRandomBytes(name, size))])
  }
  const usage = (await c.call('listBuckets', {})).buckets.find(({ name }) => name === bucket)
  expect(usage).toMatchObject({ objects: 40 })
}

async function files(folder: string, name: RegExp): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return names.filter((path) => name.test(path)).map((path) => join(folder, path))
}

/** Flips one bit at several positions, spread over the file. */
async function flip(path: string, places: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    for (let n = 0; n < places; n++) {
      const at = Math.floor((size * (n + 0.5)) / places)
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at)
      buffer[0] = (buffer[0] ?? 0) ^ 0x10
      await file.write(buffer, 0, 1, at)
    }
  } finally {
    await file.close()
  }
}

async function stoppedStore(): Promise<{ data: string; bucket: string; drives: string[] } & AsyncDisposable> {
  const c = await startConsole()
  const bucket = await fill(c)
  await c.stop()
  const drives = [1, 2, 3, 4].map((n) => join(c.data, 'drives', String(n)))
  return { data: c.data, bucket, drives, [Symbol.asyncDispose]: () => c[Symbol.asyncDispose]() }
}

/** Drives with journal and index. */
async function members(drives: string[]): Promise<string[]> {
  const kept = await Promise.all(
    drives.map((drive) =>
      stat(join(drive, 'index/data.mdb')).then(
        () => true,
        () => false,
      ),
    ),
  )
  return drives.filter((_, i) => kept[i])
}

ownStore.test('flipped bits in one copy of every blob: all reads are whole, and what they meet is healed', async () => {
  await using store = await stoppedStore()
  const copies = await Promise.all(store.drives.map((drive) => files(drive, /blobs\/.*[0-9a-f]{32}$/)))
  const byName = new Map<string, string[]>()
  for (const path of copies.flat()) byName.set(basename(path), [...(byName.get(basename(path)) ?? []), path])
  // Alternates between the first and the second copy, because the store decides which one it reads first.
  const damaged = [...byName.values()].map((paths, i) => paths[i % paths.length] ?? '')
  expect(damaged).toHaveLength(20)
  const marks = () => Promise.all(damaged.map((path) => readFile(path).then(bytesDigest)))
  const sound = await marks()
  for (const path of damaged) await flip(path, 3)
  await using c = await startConsole({ data: store.data })
  await expectWhole(c, store.bucket)
  const healed = async () => (await marks()).filter((mark, i) => mark === sound[i]).length
  await expect.poll(healed, { timeout: 60_000 }).toBeGreaterThan(0)
})

ownStore.test('flipped bits in one copy of the index cost nothing', async () => {
  await using store = await stoppedStore()
  const [drive = ''] = await members(store.drives)
  await flip(join(drive, 'index/data.mdb'), 64)
  await using c = await startConsole({ data: store.data })
  await expectWhole(c, store.bucket)
  await expect.poll(() => readdir(drive)).toContainEqual(expect.stringMatching(/^index\.damaged-/))
  await c.stop()
  await using again = await startConsole({ data: store.data })
  await expectWhole(again, store.bucket)
})

ownStore.test('flipped bits in one copy of the journal cost nothing, when an index is gone as well', async () => {
  await using store = await stoppedStore()
  const [first = '', second = ''] = await members(store.drives)
  for (const path of await files(join(first, 'journal'), /\.log$/)) await flip(path, 8)
  await rm(join(second, 'index'), { recursive: true })
  await using c = await startConsole({ data: store.data })
  await expectWhole(c, store.bucket)
})
