import type { Session } from '@stowage/contract'
import { IconBucket } from '@tabler/icons-react'
import { prefetch } from '../../lib/api/query.ts'
import { prefetchBucketsWithAccess } from '../../lib/data/buckets.ts'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

const isDistributed = ({ distributedMode }: Session) => distributedMode

export const bucketPages = [
  definePage({
    path: '/buckets',
    page: '/buckets',
    label: msg('Buckets'),
    group: 'admin',
    icon: IconBucket,
    load: async () => (await import('./list/BucketsPage.tsx')).BucketsPage,
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
    load: async () => (await import('./summary/BucketSummarySection.tsx')).BucketSummarySection,
    prefetch: ({ params, session }) => {
      prefetch('getBucketEncryption', { params })
      prefetch('getBucketTags', { params })
      if (!session.distributedMode) return
      prefetch('getBucketQuota', { params })
      prefetch('getBucketVersioning', { params })
      prefetch('getObjectLocking', { params })
    },
  }),
  definePage({
    path: '/buckets/$bucket/events',
    in: '/buckets/$bucket',
    label: msg('Events'),
    load: async () => (await import('./events/BucketEventsSection.tsx')).BucketEventsSection,
    prefetch: ({ params }) => prefetch('listBucketEvents', { params }),
  }),
  definePage({
    path: '/buckets/$bucket/replication',
    in: '/buckets/$bucket',
    label: msg('Replication'),
    when: isDistributed,
    needs: 's3:GetReplicationConfiguration',
    load: async () => (await import('../replication/ReplicationSection.tsx')).ReplicationSection,
    prefetch: ({ params }) => prefetch('listReplicationRules', { params }),
  }),
  definePage({
    path: '/buckets/$bucket/lifecycle',
    in: '/buckets/$bucket',
    when: isDistributed,
    label: msg('Lifecycle'),
    load: async () => (await import('./lifecycle/LifecycleSection.tsx')).LifecycleSection,
    prefetch: ({ params }) => prefetch('listLifecycleRules', { params }),
  }),
  definePage({
    path: '/buckets/$bucket/access',
    in: '/buckets/$bucket',
    label: msg('Access Audit'),
    load: async () => (await import('./access/AccessAuditSection.tsx')).AccessAuditSection,
    prefetch: ({ params }) => prefetch('listBucketPolicies', { params }),
  }),
  definePage({
    path: '/buckets/$bucket/prefix',
    in: '/buckets/$bucket',
    label: msg('Access Rules'),
    load: async () => (await import('./access/AccessRulesSection.tsx')).AccessRulesSection,
    prefetch: ({ params }) => prefetch('listAccessRules', { params }),
  }),
  definePage({
    path: '/buckets/$bucket/usage',
    in: '/buckets/$bucket',
    label: msg('Usage'),
    load: async () => (await import('./BucketUsageSection.tsx')).BucketUsageSection,
  }),
]
