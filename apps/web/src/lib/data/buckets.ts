import type { Bucket } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q, queryClient } from '../api/query.ts'
import { type Read, withData } from '../api/read.ts'

/** Without their access, which is one more question to the storage server for each of them. */
export const bucketsQuery = q('listBuckets', { query: { without_access: 'true' } })

const withAccess = q('listBuckets', {})

/** For pages that show the access. */
export function prefetchBucketsWithAccess(): void {
  prefetchBuckets()
  void queryClient.prefetchQuery(withAccess)
}

export function prefetchBuckets(): void {
  void queryClient.prefetchQuery(bucketsQuery)
}

interface Buckets {
  /** With their access as soon as it is known. */
  buckets: Read<Bucket[]>
  /** Whether the access is here of all whose policy the caller may read. */
  accessKnown: boolean
}

/** The buckets as soon as they are there, and then their access. */
export function useBuckets(): Buckets {
  const list = useQuery(bucketsQuery)
  const { data: full } = useQuery(withAccess)
  const { data } = list
  const buckets = useMemo(() => {
    const known = new Map(full?.buckets.map(({ name, access, anonymous }) => [name, { access, anonymous }]))
    return data?.buckets.map((bucket): Bucket => {
      const { access, anonymous } = known.get(bucket.name) ?? {}
      return access ? { ...bucket, access, ...(anonymous && { anonymous }) } : bucket
    })
  }, [data, full])
  return { buckets: withData(list, buckets), accessKnown: full !== undefined }
}

/**
 * Bytes that the quota of a bucket leaves, as the server counts; undefined without a quota, or when that is not known.
 * @param fresh reads the list of buckets again, even if it was read a moment ago
 */
export async function roomInBucket(bucket: string, fresh: boolean): Promise<number | undefined> {
  try {
    const { buckets } = await queryClient.fetchQuery(fresh ? { ...bucketsQuery, staleTime: 0 } : bucketsQuery)
    const found = buckets.find(({ name }) => name === bucket)
    const quota = found?.details?.quota
    return found && quota?.type === 'hard' && quota.quota > 0 ? quota.quota - found.size : undefined
  } catch {
    // The server refuses what is too much, whatever is known here.
    return undefined
  }
}
