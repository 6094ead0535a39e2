import { randomBytes } from 'node:crypto'
import { PutBucketLifecycleConfigurationCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { sampleNames } from '@stowage/contract/call/sample-names'
import type { TestTarget } from '../console/test-target.ts'
import { newLockBucket } from './objects.ts'
import { allowS3 } from './policies.ts'

/** Returns the name of an existing entity for a sample name; always the same one within one input. */
export type RealName = (name: string) => Promise<string>

/** A zip archive with the file `lake.txt`. */
const ARCHIVE =
  'UEsDBBQAAAAAAAAAIQCDFtyMAQAAAAEAAAAIAAAAbGFrZS50eHR4UEsBAhQDFAAAAAAAAAAhAIMW3IwBAAAAAQAAAAgAAAAAAAAAAAAAAIABAAAAAGxha2UudHh0UEsFBgAAAAABAAEANgAAACcAAAAAAA=='

/** Creates the entity for a sample name, or finds a free name. */
const sampleMakers: Record<string, (c: TestTarget, real: RealName) => Promise<string>> = {
  [sampleNames.bucket]: async (c) => await c.newBucket('walk'),
  [sampleNames.newBucket]: async (c) => c.freshName('walk'),
  [sampleNames.key]: async (c, real) => {
    const file = new FormData()
    file.append('lake.jpg', new Blob(['x']), 'lake.jpg')
    const params = { bucket: await real(sampleNames.bucket) }
    const response = await c.root.send('uploadObjects', { params, query: { prefix: 'italy/' }, body: file })
    await response.body?.cancel()
    return sampleNames.key
  },
  [sampleNames.keyEtag]: async (c, real) => {
    const params = { bucket: await real(sampleNames.bucket) }
    return (await c.call('getObject', { params, query: { prefix: await real(sampleNames.key) } })).etag ?? ''
  },
  [sampleNames.archive]: async (c, real) => {
    const Bucket = await real(sampleNames.bucket)
    await c.s3.send(new PutObjectCommand({ Bucket, Key: sampleNames.archive, Body: Buffer.from(ARCHIVE, 'base64') }))
    return sampleNames.archive
  },
  [sampleNames.uploadId]: async (c, real) => {
    const params = { bucket: await real(sampleNames.bucket) }
    return (await c.call('createUpload', { params, query: { prefix: sampleNames.key }, body: {} })).upload_id
  },
  [sampleNames.partEtag]: async (c, real) => {
    const params = { bucket: await real(sampleNames.bucket), uploadId: await real(sampleNames.uploadId), part: 1 }
    const body = new Uint8Array([1]) as never
    return (await c.call('uploadPart', { params, query: { prefix: sampleNames.key }, body })).etag
  },
  [sampleNames.user]: async (c) => {
    const name = c.freshName('walk')
    await c.madmin.addUser(name, { secretKey: randomBytes(12).toString('hex') })
    return name
  },
  [sampleNames.newUser]: async (c) => c.freshName('walk'),
  [sampleNames.group]: async (c) => {
    const name = c.freshName('walk')
    await c.madmin.addGroupMembers(name, [])
    return name
  },
  [sampleNames.newGroup]: async (c) => c.freshName('walk'),
  [sampleNames.policy]: async (c) => {
    const name = c.freshName('walk')
    await c.madmin.addPolicy(name, allowS3(['s3:GetObject']))
    return name
  },
  [sampleNames.newPolicy]: async (c) => c.freshName('walk'),
  [sampleNames.accessKey]: async (c, real) => {
    const targetUser = await real(sampleNames.user)
    return (await c.madmin.addServiceAccount({ targetUser })).accessKey
  },
  [sampleNames.newAccessKey]: async () => randomBytes(10).toString('hex'),
  [sampleNames.versionBucket]: async (c) => {
    const bucket = await c.newBucket('walk')
    await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
    return bucket
  },
  [sampleNames.versionId]: async (c, real) => {
    const put = { Bucket: await real(sampleNames.versionBucket), Key: sampleNames.key, Body: 'x' }
    const { VersionId } = await c.s3.send(new PutObjectCommand(put))
    await c.s3.send(new PutObjectCommand(put))
    return VersionId ?? ''
  },
  [sampleNames.ruledBucket]: async (c) => {
    const bucket = await c.newBucket('walk')
    const Rules = [
      { ID: 'delete-old-drafts', Status: 'Enabled' as const, Filter: { Prefix: 'old/' }, Expiration: { Days: 30 } },
    ]
    await c.s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration: { Rules } }))
    return bucket
  },
  [sampleNames.replicatedBucket]: async (c) => {
    const bucket = await c.newBucket('walk')
    await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
    return bucket
  },
  [sampleNames.lockBucket]: async (c) => {
    const bucket = await newLockBucket(c)
    if (!bucket) return await c.newBucket('walk')
    await c.s3.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: sampleNames.key,
        Body: 'x',
        // MinIO does not check the right to delete something that does not exist.
        ObjectLockMode: 'GOVERNANCE',
        ObjectLockRetainUntilDate: new Date('2030-01-01'),
      }),
    )
    return bucket
  },
  [sampleNames.encryptedBucket]: async (c) => {
    const bucket = await c.newBucket('walk')
    if (c.embedded) await c.call('enableBucketEncryption', { params: { bucket }, body: {} })
    return bucket
  },
  [sampleNames.configChange]: async (c) => {
    // The present value, so that nothing changes.
    await c.madmin.setConfig('scanner speed=default')
    return (await c.madmin.listConfigHistory()).at(-1)?.id ?? ''
  },
  [sampleNames.arn]: async (c, real) => {
    const [arn = sampleNames.arn] = (await c.call('listArns', {})).arns
    const params = { bucket: await real(sampleNames.bucket) }
    // Create a rule to delete.
    const configuration = { arn, events: ['delete' as const] }
    await c.call('createBucketEvent', { params, body: { configuration, ignoreExisting: true } })
    return arn
  },
  [sampleNames.linkKey]: async (c, real) => {
    const params = { bucket: await real(sampleNames.bucket) }
    await real(sampleNames.key)
    const expires = new Date(Date.now() + 3_600_000).toISOString()
    const { access_key } = await c.call('createLink', { params, body: { path: sampleNames.key, expires } })
    return access_key ?? ''
  },
}

/** Returns the input of an example with each sample name replaced by the name of an existing entity. */
export async function realInput(c: TestTarget, example: object): Promise<object> {
  const made = new Map<string, Promise<string>>()
  const real: RealName = (name) => {
    const make = sampleMakers[name]
    if (!make) return Promise.resolve(name)
    const known = made.get(name) ?? make(c, real)
    made.set(name, known)
    return known
  }
  return (await replaceText(example, real)) as object
}

async function replaceText(value: unknown, real: RealName): Promise<unknown> {
  if (typeof value === 'string') return await real(value)
  if (Array.isArray(value)) return await Promise.all(value.map((item) => replaceText(item, real)))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(async ([name, member]) => [name, await replaceText(member, real)] as const)
  return Object.fromEntries(await Promise.all(members))
}
