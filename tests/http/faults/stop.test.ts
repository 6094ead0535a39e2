import { once } from 'node:events'
import { connect } from 'node:net'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { MiB } from '@stowage/contract'
import { expect } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import { bytesDigest, pseudoRandomBytes } from '../../support/data/bytes.ts'
import { formAround, slowRequest } from '../../support/network/slow-request.ts'
import { embeddedStoreProcess, isRunning } from '../../support/processes/processes.ts'

const size = 24 * MiB
const content = pseudoRandomBytes('content', size)

async function beginUpload(c: TestConsole, bucket: string) {
  const form = formAround(String(size), 'late')
  const headers = { authorization: `Bearer ${c.root.session}`, 'content-type': form.type }
  const upload = slowRequest(`${c.url}/api/v1/buckets/${bucket}/objects/upload`, 'POST', headers)
  await upload.send(form.before)
  await upload.send(content.subarray(0, size / 2))
  return { upload, rest: [content.subarray(size / 2), form.after] }
}

function beginDownload(c: TestConsole, bucket: string) {
  const url = `${c.url}/api/v1/buckets/${bucket}/objects/download?prefix=large`
  return slowRequest(url, 'GET', { authorization: `Bearer ${c.root.session}` })
}

const stopped = (c: TestConsole) => expect.poll(() => c.output()).toContain('Waiting for running requests.')

ownStore.test('a stop lets running transfers end', async () => {
  await using c = await startConsole()
  const store = embeddedStoreProcess(c.pid)
  const bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'large', Body: content }))
  const { upload, rest } = await beginUpload(c, bucket)
  const download = beginDownload(c, bucket)
  const answer = download.finish()
  // The headers have arrived but the body is not read yet: it waits in the console and in the store.
  await download.head

  const exit = c.stop('SIGTERM')
  await stopped(c)
  await expect(fetch(`${c.url}/healthz`)).rejects.toThrow()
  for (const piece of rest) await upload.send(piece)
  expect((await upload.finish()).status).toBe(200)
  expect(bytesDigest((await answer).body)).toBe(bytesDigest(content))
  expect(await exit).toBe(0)
  expect(isRunning(store)).toBe(false)

  await using again = await startConsole({ data: c.data })
  const { Body } = await again.s3.send(new GetObjectCommand({ Bucket: bucket, Key: 'late' }))
  expect(bytesDigest((await Body?.transformToByteArray()) ?? new Uint8Array())).toBe(bytesDigest(content))
})

ownStore.test('a stop does not wait for connections on which nobody asks', async () => {
  const c = await startConsole()
  const sockets = [c.url, c.serverUrl].map((url) => connect(Number(new URL(url).port), '127.0.0.1'))
  for (const socket of sockets) await once(socket, 'connect')
  // If they answer a later connection, both have accepted this one.
  await c.call('listBuckets', {})
  const closed = sockets.map((socket) => once(socket, 'close'))
  const begun = performance.now()
  expect(await c.stop('SIGINT')).toBe(0)
  // The console waits for minutes, the store for one minute.
  expect(performance.now() - begun).toBeLessThan(30_000)
  expect(c.output()).not.toContain('Waiting')
  await Promise.all(closed)
  await c[Symbol.asyncDispose]()
})

ownStore.test('a second signal ends at once, and no half object is there afterwards', async () => {
  await using c = await startConsole()
  const store = embeddedStoreProcess(c.pid)
  const bucket = await c.newBucket()
  const { upload } = await beginUpload(c, bucket)
  const exit = c.stop('SIGINT')
  await stopped(c)
  process.kill(c.pid, 'SIGINT')
  expect(await exit).toBe(130)
  await expect.poll(() => isRunning(store), { timeout: 60_000 }).toBe(false)
  upload.leave()

  await using again = await startConsole({ data: c.data })
  expect((await again.call('listObjects', { params: { bucket }, query: {} })).objects).toEqual([])
})

ownStore.test('when the console is killed its store ends too, and the folder can be opened again', async () => {
  await using c = await startConsole()
  const store = embeddedStoreProcess(c.pid)
  const bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'kept', Body: 'kept' }))
  await c.stop('SIGKILL')
  await expect.poll(() => isRunning(store), { timeout: 60_000 }).toBe(false)
  await using again = await startConsole({ data: c.data })
  const download = await again.root.send('downloadObject', { params: { bucket }, query: { prefix: 'kept' } })
  expect(await download.text()).toBe('kept')
})
