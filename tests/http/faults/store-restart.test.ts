import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { expect } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole } from '../../support/console/start-console.ts'
import { startStore } from '../../support/console/start-store.ts'
import { embeddedStoreProcess, isRunning } from '../../support/processes/processes.ts'

ownStore.test('the embedded store is killed and comes back; who is signed in stays so', async () => {
  await using c = await startConsole()
  const bucket = await c.newBucket()
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'before', Body: 'kept' }))
  const killed = embeddedStoreProcess(c.pid)
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => isRunning(killed)).toBe(false)

  const meanwhile = await callFailure(c.call('listBuckets', {}))
  expect(meanwhile.status).toBeOneOf([502, 503])
  expect(meanwhile.body.message).toMatch(
    /^The (storage server cannot be reached|connection to the storage server failed)/,
  )

  const listed = () =>
    c
      .call('listObjects', { params: { bucket }, query: { limit: '10' } })
      .then((page) => page.objects.map((o) => o.name))
  await expect.poll(() => listed().catch(() => undefined), { timeout: 60_000 }).toEqual(['before'])
  const download = await c.root.send('downloadObject', { params: { bucket }, query: { prefix: 'before' } })
  expect(await download.text()).toBe('kept')
  expect(embeddedStoreProcess(c.pid)).not.toBe(killed)
  expect(c.output()).toContain('the embedded store stopped unexpectedly and is being restarted')
})

ownStore.test(
  'a storage server that is stopped and started: 503 with a clear text, then the session works on',
  async () => {
    await using store = await startStore()
    await using c = await startConsole({ env: { STOWAGE_SERVER: store.url } })
    const bucket = await c.newBucket()
    await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: 'kept' }))
    await store.stop()

    const unreachable = { status: 503, body: { message: 'The storage server cannot be reached' } }
    for (const run of [
      () => c.call('listBuckets', {}),
      () => c.call('listObjects', { params: { bucket }, query: {} }),
      () => c.call('createBucket', { body: { name: c.freshName() } }),
      () => c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } }),
      () => c.call('downloadObject', { params: { bucket }, query: { prefix: 'k' } }),
      () => c.call('deleteObject', { params: { bucket }, query: { path: 'k' } }),
      () => c.call('getAdminInfo', {}),
      () => c.anonymous().call('login', { body: { accessKey: c.rootUser, secretKey: c.rootPassword } }),
    ])
      expect(await callFailure(run()), String(run)).toMatchObject(unreachable)
    expect((await fetch(`${c.url}/readyz`)).status).toBe(503)
    expect((await fetch(`${c.url}/healthz`)).status).toBe(200)

    await store.start()
    const found = await c.call('listObjects', { params: { bucket }, query: { limit: '10' } })
    expect(found.objects.map((o) => o.name)).toEqual(['k'])
    // One answer is used for all callers for a second.
    await expect.poll(async () => (await fetch(`${c.url}/readyz`)).status).toBe(200)
    const { Body } = await c.s3.send(new GetObjectCommand({ Bucket: bucket, Key: 'k' }))
    expect(await Body?.transformToString()).toBe('kept')
  },
)
