import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { folderQuery } from '../../lib/data/folder.ts'
import { type Entry, toEntries } from './entries.ts'

/**
 * A folder page by page, as one scrolls; the first rows are there after one page, however many there are.
 * @param starts only keys that go on with this behind the folder's own prefix
 */
export function useFolder(bucket: string, prefix: string, starts: string) {
  const query = useInfiniteQuery(folderQuery(bucket, prefix + starts))
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const entries = useMemo<Entry[]>(() => (data ? toEntries(data.pages, prefix) : []), [data, prefix])
  // After a failed page the user asks again; scrolling alone would ask over and over.
  const readOn = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  const loadMore = useCallback(() => void fetchNextPage(), [fetchNextPage])
  return { ...query, entries, loadMore: readOn ? loadMore : undefined }
}
