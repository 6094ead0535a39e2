import { POLICY_VERSION, type PolicyDocument, type Statement } from '../language/document.ts'

const ALL_S3 = ['arn:aws:s3:::*']
const allow = (Action: string[], Resource?: string[]): Statement => ({
  Effect: 'Allow',
  Action,
  ...(Resource ? { Resource } : {}),
})
const policy = (...Statement: Statement[]): PolicyDocument => ({ Version: POLICY_VERSION, Statement })

/** The built-in policies of every server. Each call returns a new copy, which the caller may change. */
export function cannedPolicies(): Record<CannedPolicyName, PolicyDocument> {
  return {
    consoleAdmin: policy(allow(['admin:*']), allow(['kms:*']), allow(['s3:*'], ALL_S3)),
    diagnostics: policy(
      allow(
        [
          'admin:Profiling',
          'admin:ServerTrace',
          'admin:ConsoleLog',
          'admin:ServerInfo',
          'admin:TopLocksInfo',
          'admin:OBDInfo',
          'admin:BandwidthMonitor',
          'admin:Prometheus',
        ],
        ALL_S3,
      ),
    ),
    // As on all servers, without ListBucket: its holders can only read objects whose names they know.
    readonly: policy(allow(['s3:GetBucketLocation', 's3:GetObject'], ALL_S3)),
    readwrite: policy(allow(['s3:*'], ALL_S3)),
    writeonly: policy(allow(['s3:PutObject'], ALL_S3)),
  }
}

export type CannedPolicyName = 'consoleAdmin' | 'diagnostics' | 'readonly' | 'readwrite' | 'writeonly'
