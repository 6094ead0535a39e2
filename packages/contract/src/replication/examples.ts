import type { AreaExamples } from '../call/area-examples.ts'
import { sampleNames } from '../call/sample-names.ts'
import type { replicationEndpoints } from './endpoints.ts'

const params = { bucket: sampleNames.replicatedBucket }
const arn = sampleNames.targetArn
const remote = { accessKey: 'replicator', secretKey: 'c2VjcmV0LW9mLXJlcGxpY2F0b3I' }

export const replicationExamples: AreaExamples<typeof replicationEndpoints> = {
  listReplicationRules: { params },
  updateReplicationRule: {
    params: { ...params, ruleId: 'to-backup' },
    body: { ruleState: true, prefix: 'photos/', syncMode: 'async', healthCheckPeriod: 60 },
  },
  deleteReplicationRule: { params: { ...params, ruleId: 'to-backup' } },
  deleteReplicationRules: { params, body: { rules: ['to-backup'] } },
  setReplication: {
    body: {
      ...remote,
      targetURL: 'https://backup.example:9000',
      syncMode: 'async',
      bandwidth: 0,
      healthCheckPeriod: 60,
      bucketsRelation: [{ originBucket: sampleNames.versionBucket, destinationBucket: 'backup' }],
    },
  },
  listExternalBuckets: { body: { ...remote, targetURL: 'backup.example:9000', useTLS: true } },
  listReplicationTargets: { params },
  listReplicationFailures: { params, query: { arn } },
  resyncReplication: { params, body: { arn } },
  retryReplication: { params, body: { arn } },
  listRemoteBuckets: {},
}
