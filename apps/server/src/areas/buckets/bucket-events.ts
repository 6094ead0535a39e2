import type {
  Event,
  LambdaFunctionConfiguration,
  NotificationConfiguration,
  QueueConfiguration,
  TopicConfiguration,
} from '@aws-sdk/client-s3'
import { reason } from '@stowage/contract'
import { type BucketEvent, bucketEventCalls, EventKind } from '@stowage/contract/buckets/events'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { serve } from '../../lib/http/serve.ts'
import type { S3Api } from '../../lib/storage/s3-api.ts'
import { settingQueue } from '../../lib/storage/setting-conflicts.ts'

const S3_NAMES: Readonly<Record<EventKind, Event>> = {
  put: 's3:ObjectCreated:*',
  get: 's3:ObjectAccessed:*' as Event,
  delete: 's3:ObjectRemoved:*',
}
const KINDS = new Map<string, EventKind>(EventKind.options.map((kind) => [S3_NAMES[kind], kind]))

type Configuration = QueueConfiguration | TopicConfiguration | LambdaFunctionConfiguration
type Subscription = Omit<BucketEvent, 'id'>

export function bucketEventRoutes(app: FastifyInstance): void {
  serve(app, bucketEventCalls.listArns, async (_, { madmin }) => ({ arns: [...(await madmin.serverInfo()).sqsARN] }))

  serve(app, bucketEventCalls.listBucketEvents, async ({ params: { bucket } }, { s3 }) => {
    const events = Object.values(configurationLists(await readEventConfiguration(s3, bucket))).flatMap((list) =>
      list.map(toBucketEvent),
    )
    return { events, total: events.length }
  })

  serve(app, bucketEventCalls.createBucketEvent, async ({ params: { bucket }, body }, { s3 }) => {
    const { configuration: wanted, ignoreExisting } = body
    const name = configurationListName(wanted.arn)
    const kinds = wanted.events.length > 0 ? [...new Set(wanted.events)] : EventKind.options
    await settingQueue.run(bucket, async () => {
      const stored = await readEventConfiguration(s3, bucket)
      if (
        configurationLists(stored)[name].some((one) => isSame(toBucketEvent(one), { ...wanted, events: [...kinds] }))
      ) {
        if (ignoreExisting) return
        throw new HttpError(409, reason('event-exists'))
      }
      await writeEventConfiguration(s3, bucket, {
        ...stored,
        [name]: [...(stored[name] ?? []), eventConfiguration(wanted, kinds)],
      })
    })
  })

  serve(app, bucketEventCalls.deleteBucketEvent, async ({ params: { bucket, arn }, body }, { s3 }) => {
    const name = configurationListName(arn)
    const all = body.events.length === 0 && body.prefix === '' && body.suffix === ''
    await settingQueue.run(bucket, async () => {
      const stored = await readEventConfiguration(s3, bucket)
      const list = configurationLists(stored)[name]
      const isRemoved = (one: Configuration) => {
        const event = toBucketEvent(one)
        return all ? event.arn === arn : isSame(event, { arn, ...body })
      }
      if (!list.some(isRemoved)) throw new HttpError(404, reason('event-not-found'))
      await writeEventConfiguration(s3, bucket, { ...stored, [name]: list.filter((one) => !isRemoved(one)) })
    })
  })
}

export async function readEventConfiguration(s3: S3Api, Bucket: string): Promise<NotificationConfiguration> {
  const { $metadata: _, ...configuration } = await s3.getBucketNotificationConfiguration({ Bucket })
  return configuration
}

export async function writeEventConfiguration(
  s3: S3Api,
  Bucket: string,
  NotificationConfiguration: NotificationConfiguration,
): Promise<void> {
  await s3.putBucketNotificationConfiguration({ Bucket, NotificationConfiguration })
}

const configurationLists = (configuration: NotificationConfiguration) => ({
  TopicConfigurations: configuration.TopicConfigurations ?? [],
  QueueConfigurations: configuration.QueueConfigurations ?? [],
  LambdaFunctionConfigurations: configuration.LambdaFunctionConfigurations ?? [],
})

const LISTS = new Map([
  ['sns', 'TopicConfigurations'],
  ['sqs', 'QueueConfigurations'],
  ['lambda', 'LambdaFunctionConfigurations'],
] as const)

/** @throws HttpError 400 */
function configurationListName(arn: string) {
  const parts = arn.split(':')
  const name = parts.length === 6 ? LISTS.get(parts[2] as 'sqs') : undefined
  if (!name) throw new HttpError(400, reason('arn-invalid'), { field: 'configuration.arn' })
  return name
}

/** Returns the ARNs of all targets in the rules. */
export function targetArns(configuration: NotificationConfiguration): string[] {
  return Object.values(configurationLists(configuration)).flatMap((configurations) => configurations.map(targetArn))
}

function targetArn(one: Configuration): string {
  if ('QueueArn' in one) return one.QueueArn ?? ''
  if ('TopicArn' in one) return one.TopicArn ?? ''
  return ('LambdaFunctionArn' in one && one.LambdaFunctionArn) || ''
}

function toBucketEvent(one: Configuration): BucketEvent {
  const filter = (name: string) =>
    one.Filter?.Key?.FilterRules?.find((rule) => rule.Name?.toLowerCase() === name)?.Value ?? ''
  return {
    id: one.Id ?? '',
    arn: targetArn(one),
    events: (one.Events ?? []).map((event) => KINDS.get(event) ?? event),
    prefix: filter('prefix'),
    suffix: filter('suffix'),
  }
}

function eventConfiguration(
  { arn, prefix, suffix, id }: Omit<Subscription, 'events'> & { id?: string | undefined },
  kinds: readonly EventKind[],
) {
  const rules = [
    { Name: 'prefix' as const, Value: prefix },
    { Name: 'suffix' as const, Value: suffix },
  ].filter(({ Value }) => Value !== '')
  const name = configurationListName(arn)
  const key =
    name === 'TopicConfigurations' ? 'TopicArn' : name === 'QueueConfigurations' ? 'QueueArn' : 'LambdaFunctionArn'
  return {
    ...(id ? { Id: id } : {}),
    [key]: arn,
    Events: kinds.map((kind) => S3_NAMES[kind]),
    ...(rules.length > 0 ? { Filter: { Key: { FilterRules: rules } } } : {}),
  }
}

function isSame(a: Subscription, b: Subscription): boolean {
  const events = new Set(a.events)
  return (
    a.arn === b.arn &&
    a.prefix === b.prefix &&
    a.suffix === b.suffix &&
    events.size === new Set(b.events).size &&
    b.events.every((event) => events.has(event))
  )
}
