import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { expect } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import { embeddedStoreProcess } from '../../support/processes/processes.ts'

const searchRows = async (c: TestConsole, ...fp: string[]) =>
  (await c.call('searchLogs', { query: { fp, pageSize: 1000 } as never })).results
const put = async (c: TestConsole, Bucket: string, Key: string) =>
  await c.s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }))

/** What a record of the last moments may wait for (ms): 100 ms, and a disk or timer that is late. */
const LATE_MS = 100 + 150

ownStore.test(
  'kill -9 of the store loses at most the records of the last 100 ms, and a record tells of the gap',
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'stowage-kill-'))
    try {
      const ended = new Map<string, number>()
      const dueAt = (time: number) => [...ended].filter(([, at]) => at < time - LATE_MS).map(([key]) => key)
      let due: string[] = []
      let bucket = ''
      {
        await using own = await startConsole({ data })
        bucket = await own.newBucket('killed')
        const store = embeddedStoreProcess(own.pid)
        for (let n = 0; n < 1000 && dueAt(performance.now()).length < 20; n++) {
          await put(own, bucket, `k${n}`)
          ended.set(`k${n}`, performance.now())
        }
        due = dueAt(performance.now())
        process.kill(store, 'SIGKILL')
        await own.stop('SIGKILL')
      }
      await using again = await startConsole({ data })
      await expect.poll(async () => (await searchRows(again, 'api_name:audit:gap')).length).toBe(1)
      const missing = async () => {
        const rows = await searchRows(again, `bucket:${bucket}`, 'api_name:PutObject')
        const found = new Set(rows.map(({ object }) => object))
        return due.filter((key) => !found.has(key))
      }
      await expect.poll(missing).toEqual([])
    } finally {
      await rm(data, { recursive: true, force: true })
    }
  },
)

ownStore.test(
  'objects go on while the disk of the audit records is full, and a record counts what was dropped',
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'stowage-full-'))
    // The files of the records, and the queue of those that the console could not store.
    const folders = [join(data, 'audit'), join(data, 'events', 'console-audit')]
    try {
      for (const folder of folders) {
        await mkdir(folder, { recursive: true })
        if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]).status !== 0)
          return console.warn('not run: mounting a tmpfs needs root')
      }
      await using own = await startConsole({ data })
      const bucket = await own.newBucket('full')
      await expect.poll(async () => (await searchRows(own, `bucket:${bucket}`)).length).toBeGreaterThan(0)
      for (const folder of folders) {
        const { bavail, bsize } = await statfs(folder)
        await writeFile(join(folder, 'rest'), Buffer.alloc(bavail * bsize))
      }
      // The last block of the file may have room for the first ones.
      for (let n = 0; n < 10; n++) await put(own, bucket, `k${n}`)
      await expect.poll(() => own.output()).toContain('audit records could not be written to their queue')
      for (const folder of folders) await rm(join(folder, 'rest'))
      await put(own, bucket, 'last')
      await expect.poll(async () => (await searchRows(own, 'api_name:audit:gap')).length).toBeGreaterThan(0)
      await expect.poll(async () => (await searchRows(own, `bucket:${bucket}`, 'object:last')).length).toBe(1)
    } finally {
      for (const folder of folders) spawnSync('umount', ['-l', folder])
      await rm(data, { recursive: true, force: true })
    }
  },
)
