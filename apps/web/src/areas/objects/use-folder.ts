import type { Output } from '@stowage/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { call } from '../../lib/api.ts'
import { type Entry, toEntries } from './entries.ts'

/** Entries of the first page: enough for any window, and there sooner. */
const FIRST = 250
/** Entries of the pages behind it, the most that a server gives at once. */
const NEXT = 1000

/**
 * A folder page by page, as one scrolls; the first rows are there after one page, however many there are.
 * @param starts only keys that go on with this behind the folder's own prefix
 */
export function useFolder(bucket: string, prefix: string, starts: string) {
  const input = { params: { bucket }, query: { prefix: prefix + starts } }
  const query = useInfiniteQuery({
    queryKey: ['listObjects', input, 'pages'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<Output<'listObjects'>> => {
      const page = pageParam === '' ? { limit: FIRST } : { limit: NEXT, continuation: pageParam }
      return call('listObjects', { ...input, query: { ...input.query, ...page }, signal })
    },
    getNextPageParam: (last) => last.next,
  })
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const entries = useMemo<Entry[]>(() => (data ? toEntries(data.pages, prefix) : []), [data, prefix])
  // After a failed page the user asks again; scrolling alone would ask over and over.
  const readOn = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage])
  return { ...query, entries, loadMore: readOn ? loadMore : undefined }
}
