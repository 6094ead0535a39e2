import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { KiB, MiB } from '@stowage/contract'
import { expect } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import { bytesDigest, pseudoRandomBytes } from '../../support/data/bytes.ts'
import { embeddedStoreProcess, isRunning } from '../../support/processes/processes.ts'

const WRITERS = 16
/** Number of acknowledged writes after which the store is killed, per round. */
const ROUNDS = [40, 15, 50]

/** Sizes of each writer's objects: mostly small, some in separate blobs, some of several megabytes. */
const objectSize = (n: number) => (n % 16 === 3 ? 3 * MiB + n : n % 4 === 1 ? 30 * KiB + n : 200 + n)

/** The content of an object depends on its key and size, so that any object can be checked. */
const objectContent = (key: string, size: number) => pseudoRandomBytes(key, size)

class Load {
  readonly acknowledged = new Map<string, number>()
  #next = 0
  #running = true

  constructor(
    private readonly c: TestConsole,
    private readonly bucket: string,
  ) {}

  /** Writes until the store dies. */
  async run(round: number, onAcknowledged: () => void): Promise<void> {
    this.#running = true
    await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        while (this.#running) {
          const n = this.#next++
          const Key = `round ${round}/${n}`
          const Body = objectContent(Key, objectSize(n))
          try {
            await this.c.s3.send(new PutObjectCommand({ Bucket: this.bucket, Key, Body }))
          } catch {
            // Not acknowledged, so it may be stored or not. The store was killed.
            this.#running = false
            return
          }
          this.acknowledged.set(Key, Body.length)
          onAcknowledged()
        }
      }),
    )
  }
}

async function everyObject(c: TestConsole, bucket: string): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (let token: string | undefined; ; ) {
    const page = await c.s3.send(new ListObjectsV2Command({ Bucket: bucket, ContinuationToken: token }))
    for (const { Key = '', Size = 0 } of page.Contents ?? []) found.set(Key, Size)
    if (!page.NextContinuationToken) return found
    token = page.NextContinuationToken
  }
}

ownStore.test(
  'kill -9 under the load of 16 writers: what was acknowledged is there, and everything there is whole',
  async () => {
    await using c = await startConsole()
    const bucket = await c.newBucket()
    const load = new Load(c, bucket)
    for (const [round, writes] of ROUNDS.entries()) {
      const store = embeddedStoreProcess(c.pid)
      let seen = 0
      await load.run(round, () => {
        if (++seen === writes) process.kill(store, 'SIGKILL')
      })
      expect(isRunning(store)).toBe(false)
      await expect.poll(() => c.call('listBuckets', {}).then(() => 'back', String), { timeout: 60_000 }).toBe('back')
    }

    const found = await everyObject(c, bucket)
    expect(load.acknowledged.size).toBeGreaterThan(ROUNDS.reduce((sum, writes) => sum + writes, 0) - 1)
    for (const [key, size] of load.acknowledged) expect([key, found.get(key)]).toEqual([key, size])
    const unread = [...found]
    const readers = Array.from({ length: 8 }, async () => {
      for (let next = unread.pop(); next; next = unread.pop()) {
        const [key, size] = next
        const download = await c.root.send('downloadObject', { params: { bucket }, query: { prefix: key } })
        const whole =
          bytesDigest(new Uint8Array(await download.arrayBuffer())) === bytesDigest(objectContent(key, size))
        expect([key, whole]).toEqual([key, true])
      }
    })
    await Promise.all(readers)
    const total = [...found.values()].reduce((sum, size) => sum + size, 0)
    const usage = (await c.call('listBuckets', {})).buckets.find(({ name }) => name === bucket)
    expect(usage).toMatchObject({ objects: found.size, size: total })
  },
)
