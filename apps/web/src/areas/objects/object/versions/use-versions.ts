import type { ObjectItem, Output } from '@stowage/contract'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../../../lib/api/api.ts'

/** The number of versions in the first page; most objects have fewer. */
const PAGE = 250
/** The number of versions in later pages, the maximum of servers. */
const LATER_PAGE = 1000

/** A version of an object. Lists have the newest first. */
export interface VersionRow extends ObjectItem {
  version_id: string
  /** Counted from the oldest; undefined until all versions are loaded. */
  number: number | undefined
}

/** Lists the versions of all keys with this prefix. The key itself comes first, with all its versions. */
function versionsQuery(bucket: string, key: string) {
  const input = { params: { bucket }, query: { prefix: key, with_versions: 'true' } }
  return infiniteQueryOptions({
    queryKey: ['listObjects', input, 'versions'] as const,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<Output<'listObjects'>> => {
      const page = pageParam === '' ? { limit: PAGE } : { limit: LATER_PAGE, continuation: pageParam }
      return call('listObjects', { ...input, query: { ...input.query, ...page }, signal })
    },
    // If another key is listed, the versions of this one are complete.
    getNextPageParam: (last) => (last.objects.at(-1)?.name === key ? last.next : undefined),
  })
}

/** Returns all versions and delete markers of an object, page by page. */
export function useVersions(bucket: string, key: string, enabled: boolean) {
  const query = useInfiniteQuery({ ...versionsQuery(bucket, key), enabled })
  const { data, hasNextPage } = query
  const versions = useMemo(
    () =>
      data && numberVersions(data.pages.flatMap(({ objects }) => objects).filter(isVersionWithKey(key)), hasNextPage),
    [data, hasNextPage, key],
  )
  return { ...query, versions }
}

const isVersionWithKey =
  (key: string) =>
  (item: ObjectItem): item is ObjectItem & { version_id: string } =>
    item.name === key && item.version_id !== undefined

/** The newest version has the highest number. */
export function numberVersions(items: readonly (ObjectItem & { version_id: string })[], more: boolean): VersionRow[] {
  return items.map((item, index) => ({ ...item, number: more ? undefined : items.length - index }))
}
