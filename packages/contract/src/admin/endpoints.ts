import { defineEndpoints } from '../call/endpoint.ts'

export const adminEndpoints = defineEndpoints('admin', {
  getAdminInfo: { method: 'GET', path: '/api/v1/admin/info', actions: ['admin:ServerInfo'] },
  getUsage: { method: 'GET', path: '/api/v1/admin/usage', actions: ['admin:ServerInfo'] },
  // One of the two is enough.
  getWidget: {
    method: 'GET',
    path: '/api/v1/admin/info/widgets/:id',
    actions: ['admin:ServerInfo', 'admin:Prometheus'],
  },
  getWidgets: {
    method: 'GET',
    path: '/api/v1/admin/info/widgets',
    answer: 'lines',
    actions: ['admin:ServerInfo', 'admin:Prometheus'],
  },
  connectPrometheus: {
    method: 'POST',
    writes: 'generated',
    path: '/api/v1/admin/prometheus',
    body: 'none',
    status: 201,
    answer: 'json',
    actions: ['admin:Prometheus'],
    changes: ['listAccessKeys'],
  },
  keepHistory: {
    method: 'POST',
    writes: 'action',
    path: '/api/v1/admin/history',
    body: 'none',
    status: 204,
    actions: ['admin:Prometheus', 'admin:ServerInfo', 'admin:StorageInfo', 'admin:DataUsageInfo'],
    changes: ['getAdminInfo', 'getUsage', 'getBucketUsage'],
  },
  endHistory: {
    method: 'DELETE',
    path: '/api/v1/admin/history',
    actions: ['admin:Prometheus', 'admin:ServerInfo', 'admin:StorageInfo', 'admin:DataUsageInfo'],
    changes: ['getAdminInfo', 'getUsage', 'getBucketUsage'],
  },
})
