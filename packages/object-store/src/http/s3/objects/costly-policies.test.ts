import { once } from 'node:events'
import { request } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { CreateBucketCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { signHeaders } from '@stowage/sigv4'
import { beforeAll, expect, test } from 'vitest'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore, TEST_REGION } from '../../testing/test-store.ts'

/* Policies whose evaluation takes as long as a valid policy can, for each of a thousand keys. */

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore()
  await store.s3().send(new CreateBucketCommand({ Bucket: 'costly' }))
  const pattern = `arn:aws:s3:::costly/${'*a'.repeat(480)}?${'a'.repeat(40)}*b`
  const Policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: Array.from({ length: 12 }, (_, index) => ({
      Effect: 'Deny',
      Principal: '*',
      Action: ['s3:DeleteObject', 's3:BypassGovernanceRetention'],
      Resource: [`${pattern}${index}`],
    })),
  })
  const answer = await store.send({ method: 'PUT', path: '/costly', query: 'policy=', body: Policy })
  expect(answer.status).toBe(204)
  return async () => await store[Symbol.asyncDispose]()
})

const keys = Array.from({ length: 1000 }, (_, index) => `${'a'.repeat(1000)}${index}`)

const deleteBody = (names: readonly string[]) =>
  `<Delete>${names.map((key) => `<Object><Key>${key}</Key></Object>`).join('')}</Delete>`

/** Deletes the keys of a bucket, and returns the most CPU time that passed without a turn for other work (ms). */
async function longestTurn(bucket: string): Promise<number> {
  let isOver = false
  const body = deleteBody(keys)
  const run = store.send({ method: 'POST', path: `/${bucket}`, query: 'delete=', body }).finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    const before = process.cpuUsage()
    await setImmediate()
    const { user, system } = process.cpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
  }
  expect((await run).status).toBe(200)
  return longest
}

test('other requests are served while the keys of a DeleteObjects are compared with a costly policy', async () => {
  await store.s3().send(new CreateBucketCommand({ Bucket: 'plain' }))
  let [lowest, control] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let n = 0; n < 5; n++) {
    lowest = Math.min(lowest, await longestTurn('costly'))
    control = Math.min(control, await longestTurn('plain'))
    if (lowest - control < 100) break
  }
  expect(lowest - control).toBeLessThan(100)
})

test('a DeleteObjects ends without a deletion when its client disconnects', async () => {
  await store.s3().send(new PutObjectCommand({ Bucket: 'costly', Key: 'kept', Body: 'x' }))
  const body = deleteBody([...keys.slice(1), 'kept'])
  const host = `127.0.0.1:${store.port}`
  const unsigned = {
    method: 'POST',
    path: '/costly',
    query: 'delete=',
    headers: { host, 'content-length': `${body.length}` },
  }
  const { headers } = signHeaders(unsigned, {
    credentials: ROOT_CREDENTIALS,
    region: TEST_REGION,
    service: 's3',
    payloadHash: 'UNSIGNED-PAYLOAD',
  })
  const sent = request(`${store.url}/costly?delete=`, { method: 'POST', headers: { ...unsigned.headers, ...headers } })
  sent.on('error', () => {}).end(body)
  await once(sent, 'finish')
  // The store reads the body and begins; then the client leaves.
  await setImmediate()
  sent.destroy()
  await expect
    .poll(async () => (await store.s3().send(new ListObjectsV2Command({ Bucket: 'costly' }))).KeyCount)
    .toBe(1)
})

test('a policy whose comparison would cost too much is refused', async () => {
  const resource = `arn:aws:s3:::costly/*${'a?'.repeat(2100)}*`
  const Policy = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Deny', Principal: '*', Action: 's3:GetObject', Resource: resource }],
  }
  const answer = await store.send({ method: 'PUT', path: '/costly', query: 'policy=', body: JSON.stringify(Policy) })
  expect([answer.status, answer.code]).toEqual([400, 'MalformedPolicy'])
  expect(answer.text).toContain('4096 are allowed')
})
