import { defineEndpoints } from '../endpoint.ts'

export const bucketEndpoints = defineEndpoints('buckets', {
  listBuckets: { method: 'GET', path: '/api/v1/buckets' },
  createBucket: {
    method: 'POST',
    path: '/api/v1/buckets',
    actions: ['s3:CreateBucket'],
    changes: ['listBuckets', 'getAdminInfo'],
  },
  getBucket: { method: 'GET', path: '/api/v1/buckets/:bucket', actions: ['s3:GetBucketPolicy'] },
  deleteBucket: {
    method: 'DELETE',
    path: '/api/v1/buckets/:bucket',
    body: 'json',
    actions: ['s3:DeleteBucket'],
    changes: ['listBuckets', 'getAdminInfo'],
  },
  setBucketAccess: {
    method: 'PUT',
    path: '/api/v1/buckets/:bucket/set-policy',
    answer: 'json',
    // Closing a bucket deletes its policy.
    actions: ['s3:PutBucketPolicy', 's3:DeleteBucketPolicy'],
    changes: ['getBucket', 'listBuckets'],
  },
  getBucketVersioning: {
    method: 'GET',
    path: '/api/v1/buckets/:bucket/versioning',
    actions: ['s3:GetBucketVersioning'],
  },
  setBucketVersioning: {
    method: 'PUT',
    path: '/api/v1/buckets/:bucket/versioning',
    status: 201,
    actions: ['s3:PutBucketVersioning'],
    changes: ['getBucketVersioning', 'getBucket', 'listBuckets'],
  },
  getBucketQuota: { method: 'GET', path: '/api/v1/buckets/:bucket/quota', actions: ['admin:GetBucketQuota'] },
  setBucketQuota: {
    method: 'PUT',
    path: '/api/v1/buckets/:bucket/quota',
    actions: ['admin:SetBucketQuota'],
    changes: ['getBucketQuota', 'getBucket', 'listBuckets'],
  },
})
