import { randomUUID } from 'node:crypto'
import { type LifecycleSetting, lifecycleCodec } from '../../../bucket-settings/lifecycle-codec.ts'
import { S3Error } from '../../../lib/errors.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import type { StoreCall } from '../../call/call.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { deleteSettingOperation } from './setting-calls.ts'

/** Enough for 1,000 rules with their filters. */
const MAX_BYTES = 1024 * 1024

/**
 * Reads new rules of a bucket. Rules without an ID get one, because `x-amz-expiration` contains it.
 * @throws S3Error NoSuchBucket, InvalidRequest, MalformedXML, InvalidArgument
 */
export function readBucketLifecycle(call: StoreCall, bucket: string, document: string): LifecycleSetting {
  const read = lifecycleCodec.read(document)
  const { objectLock } = call.engine.getBucket(bucket)
  if (objectLock && read.some((rule) => rule.expiration?.allVersions || rule.deleteMarkerDays !== undefined)) {
    throw new S3Error(
      'InvalidRequest',
      'ExpiredObjectAllVersions element and DelMarkerExpiration action cannot be used on an object locked bucket',
    )
  }
  requireTiers(call, read)
  return read.map((rule) => (rule.id === '' ? { ...rule, id: randomUUID() } : rule))
}

/** A transition to a tier that does not exist would never happen. @throws S3Error InvalidStorageClass */
function requireTiers({ store }: StoreCall, lifecycle: LifecycleSetting): void {
  const classes = lifecycle.flatMap((rule) => [...rule.transitions, ...rule.noncurrentTransitions])
  if (classes.some(({ storageClass }) => !store.tiers.has(storageClass))) {
    throw new S3Error('InvalidStorageClass', 'Invalid storage class.')
  }
}

const common = { level: 'bucket', query: ['lifecycle'] } as const

const putBucketLifecycle: S3Operation = {
  ...common,
  name: 'PutBucketLifecycle',
  method: 'PUT',
  async handle(call) {
    const lifecycle = readBucketLifecycle(call, call.bucket, (await readRequestBody(call, MAX_BYTES)).toString('utf8'))
    await call.engine.setBucketSettings(call.bucket, { lifecycle })
    call.empty(200)
  },
}

const getBucketLifecycle: S3Operation = {
  ...common,
  name: 'GetBucketLifecycle',
  method: 'GET',
  handle(call) {
    const found = call.engine.getBucketSetting(call.bucket, 'lifecycle')
    if (!found) throw new S3Error('NoSuchLifecycleConfiguration', 'The lifecycle configuration does not exist')
    const updatedAt = new Date(found.updatedAt).toISOString().replace(/[-:]|\.\d+/g, '')
    const isAsked = call.query.get('withUpdatedAt') === 'true'
    call.xml(lifecycleCodec.write(found.value), 200, isAsked ? { 'X-Minio-LifecycleConfig-UpdatedAt': updatedAt } : {})
  },
}

export const bucketLifecycle: readonly S3Operation[] = [
  getBucketLifecycle,
  putBucketLifecycle,
  deleteSettingOperation('lifecycle', 'lifecycle', {
    name: 'DeleteBucketLifecycle',
  }),
]
