import type { Bucket } from '@stowage/contract'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q, queryClient } from '../api/query.ts'

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

interface Buckets extends Pick<UseQueryResult, 'isPending' | 'isFetching' | 'error' | 'refetch' | 'dataUpdatedAt'> {
  /** With their access as soon as it is known; undefined until there is a list at all. */
  buckets: Bucket[] | undefined
  /** Whether the access is here of all whose policy the caller may read. */
  accessKnown: boolean
}

/** The buckets as soon as they are there, and then their access. */
export function useBuckets(): Buckets {
  const { data, isPending, isFetching, error, refetch, dataUpdatedAt } = useQuery(bucketsQuery)
  const { data: full } = useQuery(withAccess)
  const buckets = useMemo(() => {
    const known = new Map(full?.buckets.map(({ name, access }) => [name, access]))
    return data?.buckets.map((bucket): Bucket => {
      const access = known.get(bucket.name)
      return access ? { ...bucket, access } : bucket
    })
  }, [data, full])
  return { buckets, accessKnown: full !== undefined, isPending, isFetching, error, refetch, dataUpdatedAt }
}
