import { IconUser } from '@tabler/icons-react'
import { prefetch } from '../../lib/api/query.ts'
import { definePage } from '../../lib/navigation/pages.ts'
import { msg } from '../../lib/text/message.ts'

export const userPages = [
  definePage({
    path: '/users',
    page: '/users',
    label: msg('Users'),
    group: 'admin',
    icon: IconUser,
    load: async () => (await import('./UsersPage.tsx')).UsersPage,
    prefetch: () => prefetch('listUsers', {}),
  }),
  definePage({
    path: '/access-keys',
    page: '/users',
    under: '/users',
    label: msg('All access keys'),
    load: async () => (await import('../service-accounts/AllAccessKeysPage.tsx')).AllAccessKeysPage,
    prefetch: () => prefetch('listAccessKeys', { query: { all: 'true' } }),
  }),
  definePage({
    path: '/users/$user',
    page: '/users/:userName+',
    under: '/users',
    load: async () => (await import('./UserPage.tsx')).UserPage,
    prefetch: ({ params: { user } }) => prefetch('getUser', { query: { name: user } }),
  }),
  definePage({
    path: '/users/$user/groups',
    in: '/users/$user',
    label: msg('Groups'),
    load: async () => (await import('./UserGroupsSection.tsx')).UserGroupsSection,
  }),
  definePage({
    path: '/users/$user/service-accounts',
    in: '/users/$user',
    label: msg('Service Accounts'),
    load: async () => (await import('./UserServiceAccountsSection.tsx')).UserServiceAccountsSection,
    prefetch: ({ params: { user } }) => prefetch('listAccessKeys', { query: { user } }),
  }),
  definePage({
    path: '/users/$user/policies',
    in: '/users/$user',
    label: msg('Policies'),
    load: async () => (await import('./UserPoliciesSection.tsx')).UserPoliciesSection,
  }),
  // For names with slashes that were typed into the address without encoding.
  definePage({
    path: '/users/$user/$',
    page: '/users/:userName+',
    load: async () => (await import('./UserRedirect.tsx')).UserRedirect,
  }),
]
