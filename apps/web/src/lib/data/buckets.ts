import type { Bucket } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q, queryClient } from '../api/query.ts'
import { type QueryResult, withData } from '../api/query-result.ts'

/** The buckets without their access, which would take one more request to the storage server for each bucket. */
export const bucketsQuery = q('listBuckets', { query: { without_access: 'true' } })

const bucketsWithAccessQuery = q('listBuckets', {})

/** For pages that show the access of buckets. */
export function prefetchBucketsWithAccess(): void {
  prefetchBuckets()
  void queryClient.prefetchQuery(bucketsWithAccessQuery)
}

export function prefetchBuckets(): void {
  void queryClient.prefetchQuery(bucketsQuery)
}

interface BucketsWithAccess {
  /** Includes the access of each bucket as soon as it is loaded. */
  buckets: QueryResult<Bucket[]>
  /** Whether the access is loaded for all buckets whose policy the caller may read. */
  accessKnown: boolean
}

/** Returns the buckets as soon as they are loaded, and adds their access later. */
export function useBuckets(): BucketsWithAccess {
  const list = useQuery(bucketsQuery)
  const { data: full } = useQuery(bucketsWithAccessQuery)
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
 * Returns how many bytes the quota of a bucket leaves, as counted by the server; undefined without a quota or if unknown.
 * @param fresh reads the list of buckets again, even if it is cached
 */
export async function remainingQuota(bucket: string, fresh: boolean): Promise<number | undefined> {
  try {
    const { buckets } = await queryClient.fetchQuery(fresh ? { ...bucketsQuery, staleTime: 0 } : bucketsQuery)
    const found = buckets.find(({ name }) => name === bucket)
    const quota = found?.details?.quota
    return found && quota?.type === 'hard' && quota.quota > 0 ? quota.quota - found.size : undefined
  } catch {
    // Not needed: the server rejects an upload that exceeds the quota.
    return undefined
  }
}
