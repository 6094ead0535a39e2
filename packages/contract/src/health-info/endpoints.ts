import { defineEndpoints } from '../endpoint.ts'

export const healthInfoEndpoints = defineEndpoints('health-info', {
  healthInfo: { method: 'GET', path: '/ws/health-info', answer: 'socket', actions: ['admin:OBDInfo'] },
})
