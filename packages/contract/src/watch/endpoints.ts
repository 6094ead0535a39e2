import { defineEndpoints } from '../call/endpoint.ts'

export const watchEndpoints = defineEndpoints('watch', {
  watch: {
    method: 'GET',
    path: '/ws/watch/:bucket',
    answer: 'socket',
    actions: ['s3:ListenBucketNotification'],
  },
  // For all buckets, the original console sends an empty bucket name in the path above; the trailing slash makes no difference.
  watchAll: {
    method: 'GET',
    path: '/ws/watch',
    answer: 'socket',
    actions: ['s3:ListenNotification'],
  },
})
