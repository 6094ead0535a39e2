import type { SessionPage } from '@stowage/contract'
import { type CallerAccess, evaluateCapability } from '@stowage/iam-policy'

/** The actions that a page requires: none, the wildcard action, or all of the others. */
interface PageRule {
  pages: readonly SessionPage[]
  /** A caller with this right sees the page, unless one of `actions` is denied. */
  wildcard?: string
  actions: readonly string[]
}

const adminActions = (...actions: string[]) => ({
  wildcard: 'admin:*',
  actions: actions.map((action) => `admin:${action}`),
})

/** Actions required for each page. */
const RULES: readonly PageRule[] = [
  {
    pages: [
      '/account',
      '/account/change-password',
      '/license',
      '/object-browser',
      '/object-browser/:bucket',
      '/object-browser/:bucket/*',
    ],
    actions: [],
  },
  { pages: ['/dashboard', '/metrics'], ...adminActions('ServerInfo') },
  { pages: ['/settings', '/remote-buckets', '/replication'], ...adminActions('ConfigUpdate') },
  {
    pages: ['/users', '/users/:userName+'],
    ...adminActions('ListUsers', 'CreateUser', 'DeleteUser', 'GetUser', 'EnableUser', 'DisableUser'),
  },
  { pages: ['/groups'], ...adminActions('ListGroups', 'AddUserToGroup', 'EnableGroup', 'DisableGroup') },
  {
    pages: ['/policies', '/policies/:policyName'],
    ...adminActions('GetPolicy', 'DeletePolicy', 'CreatePolicy', 'AttachUserOrGroupPolicy', 'ListUserPolicies'),
  },
  { pages: ['/profiling'], ...adminActions('Profiling') },
  { pages: ['/heal'], ...adminActions('Heal') },
  { pages: ['/trace'], ...adminActions('ServerTrace') },
  { pages: ['/logs'], ...adminActions('ConsoleLog') },
  { pages: ['/health-info'], ...adminActions('OBDInfo') },
  { pages: ['/watch'], wildcard: 'admin:*', actions: ['s3:ListenBucketNotification'] },
  {
    pages: ['/buckets', '/buckets/*'],
    wildcard: 's3:*',
    actions: [
      's3:ListMultipartUploadParts',
      's3:ListBucketMultipartUploads',
      's3:ListBucket',
      's3:HeadBucket',
      's3:GetObject',
      's3:GetBucketLocation',
      's3:AbortMultipartUpload',
      's3:CreateBucket',
      's3:PutObject',
      's3:DeleteObject',
      's3:DeleteBucket',
      's3:PutBucketPolicy',
      's3:DeleteBucketPolicy',
      's3:GetBucketPolicy',
    ],
  },
]

/** Returns the pages that a caller may see. Actions that depend on a condition or on the bucket count as allowed. */
export function allowedPages(access: CallerAccess): SessionPage[] {
  return RULES.filter((rule) => maySee(access, rule)).flatMap((rule) => rule.pages)
}

function maySee(access: CallerAccess, { wildcard, actions }: PageRule): boolean {
  const verdicts = actions.map((action) => evaluateCapability(access, { action }))
  if (verdicts.every(({ decision }) => decision !== 'deny')) return true
  // An explicit denial counts more than a missing permission: the wildcard does not override it.
  if (!wildcard || verdicts.some(({ decision, reason }) => decision === 'deny' && reason === 'statement')) return false
  return evaluateCapability(access, { action: wildcard }).decision !== 'deny'
}
