import { defineEndpoints } from '../endpoint.ts'

export const watchEndpoints = defineEndpoints('watch', {
  watch: {
    method: 'GET',
    path: '/ws/watch/:bucket',
    answer: 'socket',
    actions: ['s3:ListenBucketNotification'],
  },
  // The original leaves the bucket's name out of the path above; the slash before it makes no difference.
  watchAll: {
    method: 'GET',
    path: '/ws/watch',
    answer: 'socket',
    actions: ['s3:ListenNotification'],
  },
})
