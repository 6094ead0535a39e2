import { IconShieldLock } from '@tabler/icons-react'
import { prefetch } from '../../lib/api/query.ts'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

export const policyPages = [
  definePage({
    path: '/policies',
    page: '/policies',
    label: msg('IAM Policies'),
    group: 'admin',
    icon: IconShieldLock,
    load: async () => (await import('./PoliciesPage.tsx')).PoliciesPage,
    prefetch: () => prefetch('listPolicies', {}),
  }),
  definePage({
    path: '/policies/$policy',
    page: '/policies/:policyName',
    under: '/policies',
    load: async () => (await import('./PolicyPage.tsx')).PolicyPage,
    prefetch: ({ params: { policy } }) => prefetch('getPolicy', { query: { name: policy } }),
  }),
  definePage({
    path: '/policies/$policy/summary',
    in: '/policies/$policy',
    label: msg('Summary'),
    load: async () => (await import('./PolicySummarySection.tsx')).PolicySummarySection,
  }),
  definePage({
    path: '/policies/$policy/users',
    in: '/policies/$policy',
    label: msg('Users'),
    load: async () => (await import('./PolicyUsersSection.tsx')).PolicyUsersSection,
    prefetch: ({ params }) => prefetch('listPolicyUsers', { params }),
  }),
  definePage({
    path: '/policies/$policy/groups',
    in: '/policies/$policy',
    label: msg('Groups'),
    load: async () => (await import('./PolicyGroupsSection.tsx')).PolicyGroupsSection,
    prefetch: ({ params }) => prefetch('listPolicyGroups', { params }),
  }),
  definePage({
    path: '/policies/$policy/json',
    in: '/policies/$policy',
    label: msg('JSON'),
    load: async () => (await import('./PolicyJsonSection.tsx')).PolicyJsonSection,
  }),
  definePage({
    path: '/directory',
    page: '/policies',
    under: '/policies',
    label: msg('Directory (LDAP)'),
    load: async () => (await import('./directory/DirectoryPage.tsx')).DirectoryPage,
    prefetch: () => prefetch('listDirectoryPolicies', {}),
  }),
  definePage({
    path: '/can-they',
    under: '/policies',
    label: msg('Can they?'),
    load: async () => (await import('./can-they/CanTheyPage.tsx')).CanTheyPage,
  }),
]
