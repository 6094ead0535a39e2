import { defineEndpoints } from '../call/endpoint.ts'

export const traceEndpoints = defineEndpoints('trace', {
  trace: { method: 'GET', path: '/ws/trace', answer: 'socket', actions: ['admin:ServerTrace'] },
})
