import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'

let c: TestConsole
beforeAll(async () => {
  // Usage of buckets is sampled at a twentieth of the rate: every 4 s.
  c = await startConsole({ env: { STOWAGE_METRICS_INTERVAL: '0.2' } })
})
afterAll(async () => await c[Symbol.asyncDispose]())

const readUsage = async (bucket: string, days = 7) =>
  await c.call('getBucketUsage', { params: { bucket }, query: { days } })
const put = async (Bucket: string, Key: string, bytes: number) =>
  await c.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x'.repeat(bytes) }))
const latest = async (bucket: string) => (await readUsage(bucket)).values.at(-1)
const WAIT = { timeout: 30_000, interval: 200 }

ownStore.test('a bucket has a history of its size, objects and versions, and its growth', async () => {
  const bucket = await c.newBucket()
  await put(bucket, 'a', 3000)
  await put(bucket, 'b', 2000)
  await expect.poll(() => latest(bucket), WAIT).toMatchObject({ size: 5000, objects: 2, versions: 2 })
  const usage = await readUsage(bucket, 1825)
  expect(usage).toMatchObject({ kept: true, growth: { days7: 5000, days30: 5000, days90: 5000 } })
  expect(usage).not.toHaveProperty('quota')

  const all = await c.call('getUsage', { query: { days: 7 } })
  expect(all.values.at(-1)?.size).toBeGreaterThanOrEqual(5000)
  expect(all.capacity).toMatchObject({ forecast: { state: 'too-short' } })
  expect(all.capacity?.free).toBeGreaterThan(0)
  expect(all.buckets.find(({ name }) => name === bucket)).toMatchObject({ size: 5000, growth: { days7: 5000 } })
})

ownStore.test('a bucket with the name of one that was deleted inherits nothing', async () => {
  const bucket = await c.newBucket()
  await put(bucket, 'a', 7000)
  await expect.poll(async () => (await latest(bucket))?.size, WAIT).toBe(7000)
  await c.s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'a' }))
  await c.call('deleteBucket', { params: { bucket }, body: { name: bucket } })
  await c.call('createBucket', { body: { name: bucket } })
  expect((await readUsage(bucket)).values).toEqual([])
  await put(bucket, 'a', 10)
  await expect.poll(async () => (await latest(bucket))?.size, WAIT).toBe(10)
  expect((await readUsage(bucket)).values.map(({ size }) => size)).not.toContain(7000)
})

ownStore.test('who does not see a bucket does not see its history', async () => {
  const [own, other] = [await c.newBucket(), await c.newBucket()]
  const user = await c.signInWith({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:ListBucket'], Resource: [`arn:aws:s3:::${own}`] }],
  })
  const usageStatus = async (bucket: string) =>
    (await user.send('getBucketUsage', { params: { bucket }, query: { days: 7 } })).status
  expect([await usageStatus(own), await usageStatus(other), await usageStatus('no-such-bucket')]).toEqual([
    200, 403, 403,
  ])
  expect((await user.send('getUsage', {})).status).toBe(403)
  expect((await c.root.send('getBucketUsage', { params: { bucket: 'no-such-bucket' } })).status).toBe(404)
})

ownStore.test.each(['0', '1826', '-1', 'x', '1e9', '7.5'])('days %s are refused', async (days) => {
  const bucket = await c.newBucket()
  const answer = await fetch(`${c.url}/api/v1/buckets/${bucket}/usage?days=${days}`, {
    headers: { authorization: `Bearer ${c.root.session}` },
  })
  expect(answer.status).toBe(400)
})
