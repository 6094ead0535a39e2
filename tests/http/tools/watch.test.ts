import { CopyObjectCommand, DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startConsoleBehindFaults } from '../../support/console/console-behind-faults.ts'
import { openLiveClient } from '../../support/console/live-socket.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

/** Resolves when it has started: later events are received. */
async function watch(bucket: string, query: Record<string, unknown> = {}) {
  const live = await openLiveClient(c.root, 'watch', { params: { bucket }, query })
  await live.nextOfKind('started')
  return live
}
const put = (Bucket: string, Key: string, Metadata?: Record<string, string>) =>
  c.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'sky', Metadata }))

test('the events of a bucket are sent with the members of the specification first [WCH-05]', async () => {
  const bucket = await c.newBucket()
  await using live = await watch(bucket)
  await put(bucket, 'italy/a b%2F+ü.txt', { colour: 'blue' })
  const created = await live.message()
  expect(Object.keys(created).slice(0, 8)).toEqual([
    'Time',
    'Size',
    'UserMetadata',
    'Path',
    'Host',
    'Port',
    'UserAgent',
    'Type',
  ])
  expect(created).toMatchObject({
    Time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    Size: 3,
    UserMetadata: expect.any(Object),
    Path: expect.stringMatching(`^${new URL(c.serverUrl).origin}/${bucket}/italy/`),
    Host: '127.0.0.1',
    Type: 's3:ObjectCreated:Put',
    bucket,
  })
  expect(Object.values(created.UserMetadata as object)).toContain('blue')
  await c.s3.send(
    new CopyObjectCommand({ Bucket: bucket, Key: 'copy', CopySource: `${bucket}/italy/a%20b%252F%2B%C3%BC.txt` }),
  )
  expect(await live.message()).toMatchObject({ Type: 's3:ObjectCreated:Copy', key: 'copy' })
  await c.s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'copy' }))
  expect(await live.message()).toMatchObject({ Type: 's3:ObjectRemoved:Delete', key: 'copy', Size: 0 })
})

test('prefix, suffix and kinds of event apply together [WCH-05]', async () => {
  const bucket = await c.newBucket()
  await using live = await watch(bucket, { prefix: 'italy/', suffix: '.jpg', events: 'delete' })
  await put(bucket, 'italy/lake.jpg')
  for (const Key of ['italy/notes.txt', 'france/lake.jpg', 'italy/lake.jpg'])
    await c.s3.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
  expect(await live.message()).toMatchObject({ key: 'italy/lake.jpg', Type: 's3:ObjectRemoved:Delete' })
})

test.each(['/ws/watch', '/ws/watch/'])(
  '%s reports events of all buckets, also to clients without our subprotocol',
  async (path) => {
    const socket = new WebSocket(`${c.url.replace(/^http/, 'ws')}${path}?suffix=.all&events=put,bucket-creation`, {
      headers: { authorization: `Bearer ${c.root.session}` },
    })
    const records: Record<string, unknown>[] = []
    socket.on('message', (data) => records.push(JSON.parse(String(data)) as Record<string, unknown>))
    const [one, two] = [await c.newBucket(), await c.newBucket()]
    // There is no frame for the start, so objects are written until both are seen.
    await expect
      .poll(async () => {
        await Promise.all([put(one, 'x.all'), put(two, 'y.all'), put(two, 'y.other')])
        return [...new Set(records.map(({ Path }) => Path))].sort()
      })
      .toEqual([`${new URL(c.serverUrl).origin}/${one}/x.all`, `${new URL(c.serverUrl).origin}/${two}/y.all`].sort())
    socket.close()
  },
)

test('the creation and deletion of buckets is reported', async () => {
  await using live = await openLiveClient(c.root, 'watchAll', { query: { events: 'bucket-creation, bucket-removal' } })
  await live.nextOfKind('started')
  const bucket = await c.newBucket()
  for (;;) {
    const event = await live.message()
    // Other tests create buckets too.
    if (event.bucket !== bucket) continue
    expect(event).toMatchObject({ Type: 's3:BucketCreated:*', key: '' })
    break
  }
})

test.each([
  [{ events: 'put,everything' }, 'events in query should be some of'],
  [{ events: ',' }, 'events in query should be some of'],
  [{ events: 'toString' }, 'events in query should be some of'],
  [{ prefix: 'x'.repeat(1025) }, 'prefix in query should be at most'],
])('a wrong option (%#) closes with 1008 and its name', async (query, words) => {
  await using live = await openLiveClient(c.root, 'watch', { params: { bucket: 'any' }, query })
  const { code, reason } = await live.closed
  expect(code).toBe(1008)
  expect(reason).toContain(words)
})

test.each(['a/b', 'a\\b', 'minio'])('the name %s does not address anything but a bucket', async (bucket) => {
  await using live = await openLiveClient(c.root, 'watch', { params: { bucket } })
  expect((await live.closed).code).toBe(1008)
})

test('a bucket that is missing closes with 1011 and the reason', async () => {
  await using live = await openLiveClient(c.root, 'watch', { params: { bucket: c.freshName('missing') } })
  expect((await live.nextOfKind('failed')).error).toMatchObject({ code: 404 })
  expect(await live.closed).toMatchObject({ code: 1011, reason: expect.stringContaining('bucket') })
})

test('the right to one bucket is not the right to another, or to all', async () => {
  const [own, other] = [await c.newBucket(), await c.newBucket()]
  const caller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:ListenBucketNotification'], Resource: [`arn:aws:s3:::${own}`] }],
  })
  {
    await using live = await openLiveClient(caller, 'watch', { params: { bucket: own } })
    await live.nextOfKind('started')
  }
  {
    await using live = await openLiveClient(caller, 'watch', { params: { bucket: other } })
    const { code, reason } = await live.closed
    expect([code, reason]).toEqual([1008, expect.stringContaining('s3:ListenBucketNotification')])
  }
  await using live = await openLiveClient(caller, 'watchAll', {})
  const { code, reason } = await live.closed
  expect([code, reason]).toEqual([1008, expect.stringContaining('s3:ListenNotification')])
})

test('after an interruption of the storage server, the gap is reported and the events continue', async () => {
  await using behind = await startConsoleBehindFaults(process.env.STOWAGE_TEST_SERVER)
  const { c, network } = behind
  const bucket = await c.newBucket()
  await using live = await openLiveClient(c.root, 'watch', { params: { bucket } })
  await live.nextOfKind('started')
  await network.refuse()
  await live.nextOfKind('interrupted')
  await network.accept()
  await live.nextOfKind('resumed')
  await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'after', Body: 'sky' }))
  expect(await live.message()).toMatchObject({ key: 'after' })
}, 40_000)
