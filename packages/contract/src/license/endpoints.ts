import { defineEndpoints } from '../call/endpoint.ts'

const operator = { mode: 'operator' } as const

export const licenseEndpoints = defineEndpoints('license', {
  getSubscription: { method: 'GET', path: '/api/v1/subscription/info', mode: 'both' },
  validateSubscription: {
    method: 'POST',
    writes: 'action',
    path: '/api/v1/subscription/validate',
    status: 200,
    answer: 'json',
    ...operator,
    changes: ['getSubscription'],
  },
  refreshSubscription: {
    method: 'POST',
    writes: 'action',
    path: '/api/v1/subscription/refresh',
    body: 'none',
    status: 200,
    answer: 'json',
    ...operator,
    changes: ['getSubscription', 'getTenant'],
  },
})
