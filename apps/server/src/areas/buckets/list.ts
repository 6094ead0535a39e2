import type { Bucket, BucketAccess } from '@stowage/contract'
import { NO_DATE } from '@stowage/contract/objects/objects'
import type { AccountBucket } from '@stowage/madmin'
import { mapParallel } from '../../lib/parallel.ts'
import type { S3Wire } from '../../lib/s3-wire.ts'
import type { SessionContext } from '../../lib/serve.ts'
import { storageErrorOf } from '../../lib/storage-errors.ts'
import { childOf, childrenOf, readXml, textOf } from '../../lib/xml.ts'
import { readAccess } from './access.ts'

/** Policies read at once; a list of a thousand buckets must not keep others waiting. */
const AT_ONCE = 16

/** All buckets that the caller may list, read or write, with usage and access, by name. */
export async function listAll(context: SessionContext): Promise<Bucket[]> {
  const { s3, signal } = context
  const buckets = [...(await readBuckets(context)).values()]
  const listed = await mapParallel(buckets, AT_ONCE, async (bucket) => {
    try {
      return { ...bucket, access: await readAccess(s3, bucket.name, signal) }
    } catch (error) {
      const code = storageErrorOf(error)?.code
      if (code === 'NoSuchBucket') return undefined
      // Who may not read the policy sees the bucket all the same.
      if (code === 'AccessDenied' || code === 'NotImplemented') return bucket
      throw error
    }
  })
  return listed.filter((bucket) => bucket !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * One bucket.
 * @param known its access where that is known already, because it was just set
 * @throws UpstreamError NoSuchBucket, AccessDenied
 */
export async function getOne(name: string, context: SessionContext, known?: BucketAccess): Promise<Bucket> {
  const { s3, signal } = context
  const [buckets, access] = await Promise.all([readBuckets(context), known ?? readAccess(s3, name, signal)])
  // Both lists leave out what the caller may neither list, read nor write; who may read its policy alone gets here.
  const bucket = buckets.get(name) ?? { name, creation_date: NO_DATE, size: 0, objects: 0 }
  return { ...bucket, access }
}

/**
 * The buckets by name. Usage and details come from the account info, which servers of this family keep for about a
 * second; a bucket made since then comes from the plain S3 list.
 */
async function readBuckets({ madmin, s3, signal }: SessionContext): Promise<Map<string, Bucket>> {
  const [info, fresh] = await Promise.all([madmin.accountInfo({ signal }), listNames(s3, signal)])
  const buckets = new Map(info.buckets.map((bucket) => [bucket.name, fromAccountInfo(bucket)]))
  for (const bucket of fresh) if (!buckets.has(bucket.name)) buckets.set(bucket.name, bucket)
  return buckets
}

/** Names and dates by ListBuckets; none where the caller may not list. */
async function listNames(s3: S3Wire, signal: AbortSignal): Promise<Bucket[]> {
  try {
    const root = Object.values(readXml(await s3.text({ method: 'GET', bucket: '', signal })))[0]
    return childrenOf(childOf(root, 'Buckets'), 'Bucket').map((node) => ({
      name: textOf(node, 'Name'),
      creation_date: textOf(node, 'CreationDate'),
      size: 0,
      objects: 0,
    }))
  } catch (error) {
    if (storageErrorOf(error)?.code === 'AccessDenied') return []
    throw error
  }
}

function fromAccountInfo({ name, created, size, objects, details, access }: AccountBucket): Bucket {
  const rw_access = { read: access.read, write: access.write }
  return { name, creation_date: created, size, objects, rw_access, ...(details ? { details } : {}) }
}
