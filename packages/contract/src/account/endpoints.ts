import { defineEndpoints } from '../call/endpoint.ts'

export const accountEndpoints = defineEndpoints('account', {
  // Users may change their own password unless a policy denies it, so no action is listed.
  changePassword: {
    method: 'POST',
    writes: 'part',
    path: '/api/v1/account/change-password',
    answer: 'json',
    changes: ['getSession'],
  },
  changeUserPassword: {
    method: 'POST',
    writes: 'part',
    path: '/api/v1/account/change-user-password',
    actions: ['admin:CreateUser', 'admin:GetUser'],
    changes: [],
  },
  signOutEverywhere: {
    method: 'POST',
    writes: 'action',
    path: '/api/v1/account/sign-out-everywhere',
    body: 'none',
    status: 204,
    changes: ['getSession'],
  },
})
