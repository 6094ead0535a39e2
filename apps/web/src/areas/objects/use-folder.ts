import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PagedRead } from '../../lib/api/read.ts'
import { folderQuery, rewindQuery } from '../../lib/data/folder.ts'
import { type Entry, toEntries } from './entries.ts'

/**
 * A folder page by page, as one scrolls; the first rows are there after one page, however many there are.
 * @param starts only keys that go on with this behind the folder's own prefix
 * @param date the folder as it was then; undefined for the folder as it is
 */
export function useFolder(
  bucket: string,
  prefix: string,
  starts: string,
  date: string | undefined,
): PagedRead<Entry[]> {
  const now = useInfiniteQuery({ ...folderQuery(bucket, prefix + starts), enabled: date === undefined })
  const then = useInfiniteQuery({ ...rewindQuery(bucket, prefix + starts, date ?? ''), enabled: date !== undefined })
  const query = date === undefined ? now : then
  const { data } = query
  const entries = useMemo(() => data && toEntries(data.pages, prefix), [data, prefix])
  return { ...query, data: entries }
}
