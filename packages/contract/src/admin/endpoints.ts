import { defineEndpoints } from '../endpoint.ts'

export const adminEndpoints = defineEndpoints({
  getAdminInfo: {
    method: 'GET',
    path: '/api/v1/admin/info',
    summary: 'Usage, servers and drives',
    body: 'none',
    status: 200,
    answer: 'json',
    access: 'session',
    actions: ['admin:ServerInfo'],
  },
})
