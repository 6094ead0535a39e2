import { type BucketPolicyDocument, bucketPolicyFromJson } from '@stowage/iam-policy'
import { toStorageError } from '../errors/storage-errors.ts'
import type { StorageClients } from '../storage/storage-clients.ts'
import type { BucketPolicies } from './caller-permissions.ts'

/** Returns the policy of a bucket as JSON, empty if it has none. */
export async function readBucketPolicyText(
  bucket: string,
  { s3Stream }: Pick<StorageClients, 's3Stream'>,
): Promise<string> {
  try {
    return await s3Stream.text({ method: 'GET', bucket, query: { policy: '' } })
  } catch (error) {
    if (toStorageError(error)?.code === 'NoSuchBucketPolicy') return ''
    throw error
  }
}

/** Policies that are read for one call. Questions about more buckets are about a list, whose rows are not worth a request each. */
const MAX_READ = 4

/** Reads the policies of buckets with the rights of the caller. */
export async function readBucketPolicies(
  buckets: ReadonlySet<string>,
  context: Pick<StorageClients, 's3Stream'>,
): Promise<BucketPolicies> {
  const names = [...buckets]
  if (names.length > MAX_READ) return new Map(names.map((name) => [name, 'unknown']))
  const found = await Promise.all(
    names.map(async (name): Promise<[string, BucketPolicyDocument | 'unknown'][]> => {
      try {
        const text = await readBucketPolicyText(name, context)
        return text === '' ? [] : [[name, bucketPolicyFromJson(text)]]
      } catch (error) {
        const code = toStorageError(error)?.code
        if (code === 'AccessDenied') return [[name, 'unknown']]
        // The bucket has no policy: it does not exist.
        if (code === 'NoSuchBucket' || code === 'InvalidBucketName') return []
        throw error
      }
    }),
  )
  return new Map(found.flat())
}
