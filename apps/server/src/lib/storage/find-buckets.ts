import pMap from 'p-map'
import { HttpError } from '../errors/http-errors.ts'
import { toStorageError } from '../errors/storage-errors.ts'
import type { S3Api } from './s3-api.ts'

/** Buckets that are read at the same time. */
const CONCURRENCY = 8

/** The buckets for which `uses` returned true. */
export interface BucketsFound {
  buckets: string[]
  /** False if the settings of some buckets could not be read, for instance because the user may not. */
  complete: boolean
}

/** Finds buckets by their settings. Buckets that are deleted meanwhile are left out. */
export async function findBuckets(s3: S3Api, uses: (bucket: string) => Promise<boolean>): Promise<BucketsFound> {
  const found: BucketsFound = { buckets: [], complete: true }
  const leaveOut = (error: unknown) => {
    const code = toStorageError(error)?.code
    if (code === 'NoSuchBucket') return
    if (code !== 'AccessDenied' && code !== 'NotImplemented' && !(error instanceof HttpError)) throw error
    found.complete = false
  }
  const read = async (bucket: string) => {
    if (await uses(bucket).catch(leaveOut)) found.buckets.push(bucket)
  }
  const { Buckets = [] } = (await s3.listBuckets({}).catch(leaveOut)) ?? {}
  await pMap(
    Buckets.flatMap(({ Name }) => Name ?? []),
    read,
    { concurrency: CONCURRENCY },
  )
  found.buckets.sort()
  return found
}
