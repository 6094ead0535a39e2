import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PagedQueryResult } from '../../../lib/api/query-result.ts'
import { folderQuery, rewindQuery } from '../../../lib/data/folder-query.ts'
import { type FolderEntry, toFolderEntries } from '../entries/folder-entries.ts'

/**
 * Lists a folder page by page while the user scrolls. The first rows appear after one page, even in a large folder.
 * @param starts lists only keys that begin with this after the folder's prefix
 * @param date lists the folder as it was at that time; undefined for the current state
 */
export function useFolder(
  bucket: string,
  prefix: string,
  starts: string,
  date: string | undefined,
): PagedQueryResult<FolderEntry[]> {
  const now = useInfiniteQuery({ ...folderQuery(bucket, prefix + starts), enabled: date === undefined })
  const then = useInfiniteQuery({ ...rewindQuery(bucket, prefix + starts, date ?? ''), enabled: date !== undefined })
  const query = date === undefined ? now : then
  const { data } = query
  const entries = useMemo(() => data && toFolderEntries(data.pages, prefix), [data, prefix])
  return { ...query, data: entries }
}
