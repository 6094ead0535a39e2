import { defineEndpoints } from '../endpoint.ts'

export const sessionEndpoints = defineEndpoints('session', {
  getLoginStrategy: { method: 'GET', path: '/api/v1/login', access: 'anonymous' },
  login: { method: 'POST', path: '/api/v1/login', answer: 'json', access: 'anonymous', changes: ['getSession'] },
  loginOperator: {
    method: 'POST',
    path: '/api/v1/login/operator',
    answer: 'json',
    access: 'anonymous',
    changes: ['getSession'],
  },
  logout: { method: 'POST', path: '/api/v1/logout', body: 'none', status: 200, changes: ['getSession'] },
  getSession: { method: 'GET', path: '/api/v1/session' },
  hasPermission: { method: 'POST', path: '/api/v1/has-permission', answer: 'json', changes: [] },
})
