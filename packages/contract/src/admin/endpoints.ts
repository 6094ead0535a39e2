import { defineEndpoints } from '../endpoint.ts'

export const adminEndpoints = defineEndpoints('admin', {
  getAdminInfo: { method: 'GET', path: '/api/v1/admin/info', actions: ['admin:ServerInfo'] },
})
