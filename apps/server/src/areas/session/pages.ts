import type { SessionPage } from '@stowage/contract'
import { type Access, can } from '@stowage/iam-policy'

/** The actions that a page requires: none, the wildcard action, or all of the others. */
interface PageRule {
  pages: readonly SessionPage[]
  /** A caller with this right sees the page, unless one of `actions` is denied. */
  wildcard?: string
  actions: readonly string[]
}

const admin = (...actions: string[]) => ({ wildcard: 'admin:*', actions: actions.map((action) => `admin:${action}`) })

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
  { pages: ['/dashboard', '/metrics'], ...admin('ServerInfo') },
  { pages: ['/settings', '/remote-buckets', '/replication'], ...admin('ConfigUpdate') },
  {
    pages: ['/users', '/users/:userName+'],
    ...admin('ListUsers', 'CreateUser', 'DeleteUser', 'GetUser', 'EnableUser', 'DisableUser'),
  },
  { pages: ['/groups'], ...admin('ListGroups', 'AddUserToGroup', 'EnableGroup', 'DisableGroup') },
  {
    pages: ['/policies', '/policies/:policyName'],
    ...admin('GetPolicy', 'DeletePolicy', 'CreatePolicy', 'AttachUserOrGroupPolicy', 'ListUserPolicies'),
  },
  { pages: ['/profiling'], ...admin('Profiling') },
  { pages: ['/heal'], ...admin('Heal') },
  { pages: ['/trace'], ...admin('ServerTrace') },
  { pages: ['/logs'], ...admin('ConsoleLog') },
  { pages: ['/health-info'], ...admin('OBDInfo') },
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
export function pagesOf(access: Access): SessionPage[] {
  return RULES.filter((rule) => maySee(access, rule)).flatMap((rule) => rule.pages)
}

function maySee(access: Access, { wildcard, actions }: PageRule): boolean {
  const verdicts = actions.map((action) => can(access, { action }))
  if (verdicts.every(({ decision }) => decision !== 'deny')) return true
  // An explicit denial counts more than a missing permission: the wildcard does not override it.
  if (!wildcard || verdicts.some(({ decision, reason }) => decision === 'deny' && reason === 'statement')) return false
  return can(access, { action: wildcard }).decision !== 'deny'
}
