import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { expect } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole } from '../../support/console/start-console.ts'
import { embeddedStoreProcess } from '../../support/processes/processes.ts'

/** A webhook that notes the keys it was told of. */
async function startWebhook(onEvent: (count: number) => void) {
  const keys: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { Key } = JSON.parse(Buffer.concat(chunks).toString()) as { Key: string }
      keys.push(Key.slice(Key.indexOf('/') + 1))
      onEvent(keys.length)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    keys,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    [Symbol.dispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

ownStore.test('kill -9 while events are delivered: each write that was acknowledged arrives', async () => {
  let kill = () => {}
  using hook = await startWebhook((count) => count === 15 && kill())
  await using c = await startConsole({
    env: {
      MINIO_NOTIFY_WEBHOOK_ENABLE_PRIMARY: 'on',
      MINIO_NOTIFY_WEBHOOK_ENDPOINT_PRIMARY: hook.url,
      STOWAGE_EGRESS_ALLOW: '127.0.0.1',
    },
  })
  const bucket = await c.newBucket()
  const [arn = ''] = (await c.call('listArns', {})).arns
  const configuration = { arn, events: ['put' as const], prefix: '', suffix: '' }
  await c.call('createBucketEvent', { params: { bucket }, body: { configuration, ignoreExisting: false } })
  const store = embeddedStoreProcess(c.pid)
  let isKilled = false
  kill = () => {
    if (!isKilled) process.kill(store, 'SIGKILL')
    isKilled = true
  }
  const acknowledged: string[] = []
  const put = (Key: string) =>
    c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Key })).then(
      () => void acknowledged.push(Key),
      // Not acknowledged: the store was killed.
      () => undefined,
    )
  for (let i = 0; !isKilled; i += 4) await Promise.all([0, 1, 2, 3].map((n) => put(`k${i + n}`)))
  await expect.poll(() => c.call('listBuckets', {}).then(() => 'back', String), { timeout: 60_000 }).toBe('back')
  await put('after')
  await expect.poll(() => acknowledged.filter((key) => !hook.keys.includes(key)), { timeout: 60_000 }).toEqual([])
  expect(acknowledged).toContain('after')
})
