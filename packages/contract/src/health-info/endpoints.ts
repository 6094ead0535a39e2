import { defineEndpoints } from '../call/endpoint.ts'

export const healthInfoEndpoints = defineEndpoints('health-info', {
  healthInfo: { method: 'GET', path: '/ws/health-info', answer: 'socket', actions: ['admin:OBDInfo'] },
  listLocks: { method: 'GET', path: '/api/v1/admin/locks', actions: ['admin:TopLocksInfo'] },
  profile: { method: 'GET', path: '/api/v1/admin/profile', answer: 'stream', actions: ['admin:Profiling'] },
  inspectData: {
    method: 'POST',
    writes: 'nothing',
    path: '/api/v1/admin/inspect',
    answer: 'json',
    status: 200,
    actions: ['admin:InspectData'],
    changes: [],
  },
  speedtest: { method: 'GET', path: '/ws/speedtest', answer: 'socket', actions: ['admin:OBDInfo'] },
})
