import { defineEndpoints } from '../endpoint.ts'

export const sessionEndpoints = defineEndpoints({
  getLoginStrategy: {
    method: 'GET',
    path: '/api/v1/login',
    summary: 'Which of the three ways to sign in this console offers',
    body: 'none',
    status: 200,
    answer: 'json',
    access: 'anonymous',
  },
  login: {
    method: 'POST',
    path: '/api/v1/login',
    summary: 'Sign in with an access key and a secret key',
    body: 'json',
    status: 201,
    answer: 'json',
    access: 'anonymous',
  },
  loginOperator: {
    method: 'POST',
    path: '/api/v1/login/operator',
    summary:
      'Sign in with the JWT of a service account of the cluster; refused by a console that is not in operator mode',
    body: 'json',
    status: 201,
    answer: 'json',
    access: 'anonymous',
  },
  logout: {
    method: 'POST',
    path: '/api/v1/logout',
    summary: 'Sign out: the session ends here and on the storage server',
    body: 'none',
    status: 200,
    answer: 'empty',
    access: 'session',
  },
  getSession: {
    method: 'GET',
    path: '/api/v1/session',
    summary: 'The session: pages, features and mode of the server',
    body: 'none',
    status: 200,
    answer: 'json',
    access: 'session',
  },
  hasPermission: {
    method: 'POST',
    path: '/api/v1/has-permission',
    summary: 'Whether the caller may do each of some actions',
    body: 'json',
    status: 201,
    answer: 'json',
    access: 'session',
  },
})
