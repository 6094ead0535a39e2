import { defineEndpoints } from '../call/endpoint.ts'

const ACCOUNTS = ['listServiceAccounts', 'listUserServiceAccounts', 'listAccessKeys'] as const

// Users may create, list and delete their own service accounts unless a policy denies it, so those calls list no action.
export const serviceAccountEndpoints = defineEndpoints('service-accounts', {
  listServiceAccounts: { method: 'GET', path: '/api/v1/service-accounts' },
  createServiceAccount: {
    method: 'POST',
    writes: 'generated',
    path: '/api/v1/service-accounts',
    answer: 'json',
    changes: ACCOUNTS,
  },
  createServiceAccountCredentials: {
    method: 'POST',
    writes: 'new',
    path: '/api/v1/service-account-credentials',
    answer: 'json',
    changes: ACCOUNTS,
  },
  getServiceAccount: { method: 'GET', path: '/api/v1/service-accounts/:accessKey' },
  updateServiceAccount: {
    method: 'PUT',
    writes: 'part',
    path: '/api/v1/service-accounts/:accessKey',
    status: 204,
    actions: ['admin:UpdateServiceAccount'],
    changes: [...ACCOUNTS, 'getServiceAccount'],
  },
  deleteServiceAccount: { method: 'DELETE', path: '/api/v1/service-accounts/:accessKey', changes: ACCOUNTS },
  listUserServiceAccounts: {
    method: 'GET',
    path: '/api/v1/user/:user/service-accounts',
    actions: ['admin:ListServiceAccounts'],
  },
  createUserServiceAccount: {
    method: 'POST',
    writes: 'generated',
    path: '/api/v1/user/:user/service-accounts',
    answer: 'json',
    actions: ['admin:CreateServiceAccount'],
    changes: ACCOUNTS,
  },
  createUserServiceAccountCredentials: {
    method: 'POST',
    writes: 'new',
    path: '/api/v1/user/:user/service-account-credentials',
    answer: 'json',
    actions: ['admin:CreateServiceAccount'],
    changes: ACCOUNTS,
  },
  listAccessKeys: { method: 'GET', path: '/api/v1/access-keys' },
})
