import { IconBucket } from '@tabler/icons-react'
import { prefetch } from '../../lib/api/query.ts'
import { prefetchBucketsWithAccess } from '../../lib/data/buckets.ts'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

/** Sections of the specification that are not built yet have their address, and say so. */
const unbuilt = async () => (await import('./UnbuiltSection.tsx')).UnbuiltSection

export const bucketPages = [
  definePage({
    path: '/buckets',
    page: '/buckets',
    label: msg('Buckets'),
    group: 'admin',
    icon: IconBucket,
    load: async () => (await import('./BucketsPage.tsx')).BucketsPage,
    prefetch: prefetchBucketsWithAccess,
  }),
  definePage({
    path: '/buckets/$bucket',
    page: '/buckets/*',
    under: '/buckets',
    load: async () => (await import('./BucketPage.tsx')).BucketPage,
    prefetch: ({ params }) => prefetch('getBucket', { params }),
  }),
  definePage({
    path: '/buckets/$bucket/summary',
    in: '/buckets/$bucket',
    label: msg('Summary'),
    load: async () => (await import('./SummarySection.tsx')).SummarySection,
    prefetch: ({ params, session }) => {
      if (!session.distributedMode) return
      prefetch('getBucketQuota', { params })
      prefetch('getBucketVersioning', { params })
    },
  }),
  definePage({ path: '/buckets/$bucket/events', in: '/buckets/$bucket', label: msg('Events'), load: unbuilt }),
  definePage({
    path: '/buckets/$bucket/replication',
    in: '/buckets/$bucket',
    label: msg('Replication'),
    load: unbuilt,
  }),
  definePage({ path: '/buckets/$bucket/lifecycle', in: '/buckets/$bucket', label: msg('Lifecycle'), load: unbuilt }),
  definePage({ path: '/buckets/$bucket/access', in: '/buckets/$bucket', label: msg('Access Audit'), load: unbuilt }),
  definePage({ path: '/buckets/$bucket/prefix', in: '/buckets/$bucket', label: msg('Access Rules'), load: unbuilt }),
]
