import { defineEndpoints } from '../call/endpoint.ts'

export const sessionEndpoints = defineEndpoints('session', {
  getLoginStrategy: { method: 'GET', path: '/api/v1/login', access: 'anonymous', mode: 'both' },
  login: { method: 'POST', path: '/api/v1/login', answer: 'json', access: 'anonymous', changes: ['getSession'] },
  loginOperator: {
    method: 'POST',
    path: '/api/v1/login/operator',
    answer: 'json',
    access: 'anonymous',
    mode: 'both',
    changes: ['getSession'],
  },
  startSignIn: { method: 'GET', path: '/api/v1/login/oauth2/start/:provider', answer: 'stream', access: 'anonymous' },
  loginOauth2: {
    method: 'POST',
    path: '/api/v1/login/oauth2/auth',
    answer: 'json',
    access: 'anonymous',
    changes: ['getSession'],
  },
  logout: {
    method: 'POST',
    path: '/api/v1/logout',
    body: 'none',
    answer: 'json',
    status: 200,
    mode: 'both',
    changes: ['getSession'],
  },
  getSession: { method: 'GET', path: '/api/v1/session', mode: 'both' },
  hasPermission: { method: 'POST', path: '/api/v1/has-permission', answer: 'json', mode: 'both', changes: [] },
})
