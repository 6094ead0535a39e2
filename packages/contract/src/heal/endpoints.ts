import { defineEndpoints } from '../endpoint.ts'

export const healEndpoints = defineEndpoints('heal', {
  heal: {
    method: 'GET',
    path: '/ws/heal/:bucket',
    answer: 'socket',
    actions: ['admin:Heal'],
  },
  // The original leaves the bucket's name out of the path above; the slash before it makes no difference.
  healAll: {
    method: 'GET',
    path: '/ws/heal',
    answer: 'socket',
    actions: ['admin:Heal'],
  },
})
