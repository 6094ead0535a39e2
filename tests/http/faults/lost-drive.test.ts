import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { KiB, MiB } from '@stowage/contract'
import { expect } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import { bytesDigest, pseudoRandomBytes } from '../../support/data/bytes.ts'

/** Stored in the index, in one block, in many blocks. */
const sizes = [100, 40 * KiB, 2 * MiB]

async function fill(c: TestConsole, bucket: string, round: string): Promise<void> {
  await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const Key = `${round}/${i}`
      const Body = pseudoRandomBytes(Key, sizes[i % sizes.length] ?? 0)
      await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
    }),
  )
}

async function expectAll(c: TestConsole, bucket: string, ...rounds: string[]): Promise<void> {
  const { objects } = await c.call('listObjects', { params: { bucket }, query: { recursive: 'true', limit: '1000' } })
  expect(objects).toHaveLength(rounds.length * 12)
  for (const { name, size } of objects) {
    const download = await c.root.send('downloadObject', { params: { bucket }, query: { prefix: name } })
    const found = new Uint8Array(await download.arrayBuffer())
    expect([name, bytesDigest(found)]).toEqual([name, bytesDigest(pseudoRandomBytes(name, size))])
  }
}

const drives = async (c: TestConsole) => (await c.call('getAdminInfo', {})).servers.flatMap((server) => server.drives)
const driveStates = async (c: TestConsole) => (await drives(c)).map((drive) => drive.state)

ownStore.test('a drive folder removed while running, then put back empty, costs no object', async () => {
  await using c = await startConsole()
  const bucket = await c.newBucket()
  await fill(c, bucket, 'before')
  const [first = '', second = ''] = (await drives(c)).map((drive) => drive.drivePath)

  await rm(first, { recursive: true })
  await expectAll(c, bucket, 'before')
  await fill(c, bucket, 'without')
  await expect.poll(() => driveStates(c), { timeout: 60_000 }).toContain('offline')
  await expectAll(c, bucket, 'before', 'without')

  await mkdir(first)
  await expect.poll(() => driveStates(c), { timeout: 60_000 }).toEqual(['ok', 'ok', 'ok', 'ok'])
  await expectAll(c, bucket, 'before', 'without')

  // After healing, another drive with the other copies may be lost.
  await c.stop()
  await rm(second, { recursive: true })
  await using again = await startConsole({ data: c.data })
  await expectAll(again, bucket, 'before', 'without')
})

ownStore.test('a drive emptied under load is filled again', async () => {
  await using c = await startConsole()
  const bucket = await c.newBucket()
  await fill(c, bucket, '0')
  const paths = (await drives(c)).map((drive) => drive.drivePath)
  const victim = paths[2] ?? ''
  const emptied = (async () => {
    // The store writes there meanwhile, so a folder may be filled again while it is deleted.
    for (const name of await readdir(victim))
      await rm(join(victim, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 5 })
  })()
  await Promise.all([fill(c, bucket, '1'), emptied])
  await fill(c, bucket, '2')
  await expect.poll(() => driveStates(c), { timeout: 60_000 }).toEqual(['ok', 'ok', 'ok', 'ok'])
  await expectAll(c, bucket, '0', '1', '2')
  const usage = (await c.call('listBuckets', {})).buckets.find(({ name }) => name === bucket)
  expect(usage).toMatchObject({ objects: 36, size: 12 * sizes.reduce((sum, size) => sum + size, 0) })
})
