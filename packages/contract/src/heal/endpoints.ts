import { defineEndpoints } from '../call/endpoint.ts'

export const healEndpoints = defineEndpoints('heal', {
  heal: {
    method: 'GET',
    path: '/ws/heal/:bucket',
    answer: 'socket',
    actions: ['admin:Heal'],
  },
  // For all buckets, the original console sends an empty bucket name in the path above; the trailing slash makes no difference.
  healAll: {
    method: 'GET',
    path: '/ws/heal',
    answer: 'socket',
    actions: ['admin:Heal'],
  },
})
