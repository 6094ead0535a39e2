import {
  GetBucketNotificationConfigurationCommand,
  PutBucketNotificationConfigurationCommand,
} from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
let arn: string
beforeAll(async () => {
  c = await sharedConsole()
  // Other files have targets of their own at the same console.
  const { arns } = await c.call('listArns', {})
  arn = arns.find((each) => each.includes(':PRIMARY:')) ?? arns[0] ?? ''
})

type Kind = 'put' | 'get' | 'delete'
const subscribe = async (bucket: string, configuration: object, ignoreExisting = true) =>
  await c.call('createBucketEvent', {
    params: { bucket },
    body: { configuration: { arn, events: [] as Kind[], ...configuration }, ignoreExisting },
  })
const listEvents = async (bucket: string) => {
  const { events, total } = await c.call('listBucketEvents', { params: { bucket } })
  expect(total).toBe(events.length)
  return events.map(({ id: _, ...event }) => event)
}
const remove = async (bucket: string, body: { events: string[]; prefix: string; suffix: string }, of = arn) =>
  await c.call('deleteBucketEvent', { params: { bucket, arn: of }, body })

ownStore.test('the ARNs are those of the targets of the server [EVT-03]', async () => {
  const { arns } = await c.call('listArns', {})
  expect(arns).toContainEqual(expect.stringMatching(/^arn:minio:sqs:.*:PRIMARY:webhook$/))
})

ownStore.test('subscriptions are added, listed and deleted one by one [EVT-04] [EVT-05] [EVT-06]', async () => {
  const bucket = await c.newBucket()
  expect(await listEvents(bucket)).toEqual([])
  await subscribe(bucket, { events: ['put', 'delete'], prefix: 'in/', suffix: '.jpg' })
  await subscribe(bucket, { events: ['get'], prefix: 'a & <b>/' })
  // No events means all three.
  await subscribe(bucket, { prefix: 'all/' })
  expect(await listEvents(bucket)).toEqual([
    { arn, events: ['put', 'delete'], prefix: 'in/', suffix: '.jpg' },
    { arn, events: ['get'], prefix: 'a & <b>/', suffix: '' },
    { arn, events: ['put', 'get', 'delete'], prefix: 'all/', suffix: '' },
  ])
  const { QueueConfigurations } = await c.s3.send(new GetBucketNotificationConfigurationCommand({ Bucket: bucket }))
  expect(QueueConfigurations?.[0]?.Events).toEqual(['s3:ObjectCreated:*', 's3:ObjectRemoved:*'])

  await remove(bucket, { events: ['delete', 'put'], prefix: 'in/', suffix: '.jpg' })
  expect((await listEvents(bucket)).map(({ prefix }) => prefix)).toEqual(['a & <b>/', 'all/'])
  await remove(bucket, { events: [], prefix: '', suffix: '' })
  expect(await listEvents(bucket)).toEqual([])
})

ownStore.test('of subscriptions that differ in one part only, one is deleted [EVT-06]', async () => {
  const bucket = await c.newBucket()
  const kept = [
    { events: ['put'], prefix: 'in/', suffix: '.png' },
    { events: ['put'], prefix: 'out/', suffix: '.jpg' },
    { events: ['delete'], prefix: 'in/', suffix: '.jpg' },
  ]
  for (const each of [...kept, { events: ['put'], prefix: 'in/', suffix: '.jpg' }]) await subscribe(bucket, each)
  await remove(bucket, { events: ['put'], prefix: 'in/', suffix: '.jpg' })
  expect(await listEvents(bucket)).toEqual(kept.map((each) => ({ arn, ...each })))
})

ownStore.test('the same subscription again is ignored or refused, as the caller asks', async () => {
  const bucket = await c.newBucket()
  await subscribe(bucket, { events: ['put'] })
  await subscribe(bucket, { events: ['put'] })
  expect(await listEvents(bucket)).toHaveLength(1)
  const again = await callFailure(subscribe(bucket, { events: ['put'] }, false))
  expect(again).toMatchObject({ status: 409, body: { reason: { id: 'event-exists' } } })
})

ownStore.test('subscriptions that are made at the same time are all stored', async () => {
  const bucket = await c.newBucket()
  const prefixes = Array.from({ length: 12 }, (_, i) => `p${i}/`)
  await Promise.all(prefixes.map((prefix) => subscribe(bucket, { prefix })))
  expect((await listEvents(bucket)).map(({ prefix }) => prefix).sort()).toEqual(prefixes.sort())
})

ownStore.test('an event that the console has no word for is listed by its name, and can be deleted', async () => {
  const bucket = await c.newBucket()
  const QueueConfigurations = [{ QueueArn: arn, Events: ['s3:ObjectCreated:Put' as const] }]
  const NotificationConfiguration = { QueueConfigurations }
  await c.s3.send(new PutBucketNotificationConfigurationCommand({ Bucket: bucket, NotificationConfiguration }))
  expect(await listEvents(bucket)).toEqual([{ arn, events: ['s3:ObjectCreated:Put'], prefix: '', suffix: '' }])
  await remove(bucket, { events: ['s3:ObjectCreated:Put'], prefix: '', suffix: '' })
  expect(await listEvents(bucket)).toEqual([])
})

test.each([
  ['no ARN', { arn: '' }, 400],
  ['text that is no ARN', { arn: 'webhook' }, 400],
  ['an ARN of another service', { arn: 'arn:minio:s3::x:y' }, 400],
  ['the ARN of a target that does not exist', { arn: 'arn:minio:sqs::ABSENT:webhook' }, 400],
  ['an unknown event', { events: ['copy'] }, 400],
  ['a prefix that is too long', { prefix: 'x'.repeat(1025) }, 400],
])('a subscription with %s is refused', async (_what, wrong, status) => {
  const bucket = await c.newBucket()
  expect(await callFailure(subscribe(bucket, { arn: arn || 'arn:minio:sqs::1:webhook', ...wrong }))).toMatchObject({
    status,
  })
  expect(await listEvents(bucket)).toEqual([])
})

test('a missing subscription is 404, and so is a missing bucket', async () => {
  const bucket = await c.newBucket()
  const body = { events: ['put'], prefix: '', suffix: '' }
  expect(await callFailure(remove(bucket, body, 'arn:minio:sqs::1:webhook'))).toMatchObject({
    status: 404,
    body: { reason: { id: 'event-not-found' } },
  })
  const gone = c.freshName()
  expect(await callFailure(c.call('listBucketEvents', { params: { bucket: gone } }))).toMatchObject({ status: 404 })
  expect(await callFailure(remove(gone, body, 'arn:minio:sqs::1:webhook'))).toMatchObject({ status: 404 })
})
