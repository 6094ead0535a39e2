import { defineEndpoints } from '../call/endpoint.ts'

const rules = '/api/v1/buckets/:bucket/replication'
const targets = '/api/v1/buckets/:bucket/replication-targets'
const read = ['s3:GetReplicationConfiguration'] as const
const write = ['s3:GetReplicationConfiguration', 's3:PutReplicationConfiguration'] as const
const changes = ['listReplicationRules', 'listReplicationTargets', 'getBucket', 'listBuckets'] as const

export const replicationEndpoints = defineEndpoints('replication', {
  listReplicationRules: { method: 'GET', path: rules, actions: read },
  updateReplicationRule: {
    method: 'PUT',
    writes: 'whole',
    path: `${rules}/:ruleId`,
    // Mode and bandwidth are settings of the target.
    actions: [...write, 'admin:SetBucketTarget', 'admin:GetBucketTarget'],
    changes,
  },
  deleteReplicationRule: {
    method: 'DELETE',
    path: `${rules}/:ruleId`,
    actions: [...write, 'admin:SetBucketTarget'],
    changes,
  },
  deleteReplicationRules: {
    method: 'DELETE',
    path: '/api/v1/buckets/:bucket/delete-selected-replication-rules',
    body: 'json',
    actions: [...write, 'admin:SetBucketTarget'],
    changes,
  },
  setReplication: {
    method: 'POST',
    writes: 'new',
    path: '/api/v1/buckets-replication',
    status: 200,
    answer: 'json',
    actions: [...write, 'admin:SetBucketTarget', 'admin:GetBucketTarget'],
    changes,
  },
  listExternalBuckets: {
    method: 'POST',
    writes: 'nothing',
    path: '/api/v1/list-external-buckets',
    status: 200,
    answer: 'json',
    // Without a required action, every session could probe the network.
    actions: ['admin:SetBucketTarget'],
    changes: [],
  },
  listReplicationTargets: { method: 'GET', path: targets, actions: ['admin:GetBucketTarget', ...read] },
  listReplicationFailures: { method: 'GET', path: `${targets}/failures`, actions: ['admin:ReplicationDiff'] },
  resyncReplication: {
    method: 'POST',
    writes: 'action',
    path: `${targets}/resync`,
    status: 204,
    actions: ['s3:ResetBucketReplicationState'],
    changes: ['listReplicationTargets'],
  },
  retryReplication: {
    method: 'POST',
    writes: 'action',
    path: `${targets}/retry`,
    status: 200,
    answer: 'json',
    actions: ['admin:SetBucketTarget'],
    changes: ['listReplicationTargets', 'listReplicationFailures'],
  },
  listRemoteBuckets: { method: 'GET', path: '/api/v1/remote-buckets', actions: ['admin:GetBucketTarget'] },
})
