import { IconFolder } from '@tabler/icons-react'
import { queryClient } from '../../lib/api/query.ts'
import { prefetchBuckets } from '../../lib/data/buckets.ts'
import { folderQuery } from '../../lib/data/folder-query.ts'
import { parseBrowserLocation } from '../../lib/navigation/object-address.ts'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

const browser = async () => (await import('./BrowserPage.tsx')).BrowserPage

// The router's parameters would alter some keys, so `parseBrowserLocation` parses the address.
function prefetchFolder({ pathname, search }: { pathname: string; search: string }) {
  const place = parseBrowserLocation(pathname, search)
  if (place) void queryClient.prefetchInfiniteQuery(folderQuery(place.bucket, place.prefix))
}

export const objectPages = [
  definePage({
    path: '/object-browser',
    page: '/object-browser',
    label: msg('Object Browser'),
    group: 'user',
    icon: IconFolder,
    load: async () => (await import('./buckets/BrowserBucketsPage.tsx')).BrowserBucketsPage,
    prefetch: prefetchBuckets,
  }),
  definePage({
    path: '/object-browser/$bucket',
    page: '/object-browser/:bucket',
    under: '/object-browser',
    load: browser,
    prefetch: prefetchFolder,
  }),
  definePage({
    path: '/object-browser/$bucket/$',
    page: '/object-browser/:bucket/*',
    under: '/object-browser',
    load: browser,
    prefetch: prefetchFolder,
  }),
  definePage({
    // Not below `/object-browser`, where every path is a key.
    path: '/search-objects/$bucket',
    page: '/object-browser/:bucket',
    under: '/object-browser',
    load: async () => (await import('./search/SearchPage.tsx')).SearchPage,
  }),
]
