import type { SessionPage } from '@stowage/contract'
import {
  type ActionName,
  type AdminActionName,
  type CallerAccess,
  evaluateCapability,
  type FamilyWildcard,
} from '@stowage/iam-policy'
import type { CallerPolicy } from '../../../lib/permissions/caller-permissions.ts'

/** The actions that open a page: none, the wildcard action, or all of the others. */
interface PageRule {
  pages: readonly SessionPage[]
  wildcard?: FamilyWildcard
  actions: readonly ActionName[]
}

const adminActions = (...actions: AdminActionName[]) => ({ wildcard: 'admin:*', actions }) as const

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
  { pages: ['/dashboard', '/metrics'], ...adminActions('admin:ServerInfo') },
  { pages: ['/settings', '/remote-buckets', '/replication'], ...adminActions('admin:ConfigUpdate') },
  {
    pages: ['/users', '/users/:userName+'],
    ...adminActions(
      'admin:ListUsers',
      'admin:CreateUser',
      'admin:DeleteUser',
      'admin:GetUser',
      'admin:EnableUser',
      'admin:DisableUser',
    ),
  },
  {
    pages: ['/groups'],
    ...adminActions('admin:ListGroups', 'admin:AddUserToGroup', 'admin:EnableGroup', 'admin:DisableGroup'),
  },
  {
    pages: ['/policies', '/policies/:policyName'],
    ...adminActions(
      'admin:GetPolicy',
      'admin:DeletePolicy',
      'admin:CreatePolicy',
      'admin:AttachUserOrGroupPolicy',
      'admin:ListUserPolicies',
    ),
  },
  { pages: ['/profiling'], ...adminActions('admin:Profiling') },
  { pages: ['/heal'], ...adminActions('admin:Heal') },
  { pages: ['/trace'], ...adminActions('admin:ServerTrace') },
  { pages: ['/logs'], ...adminActions('admin:ConsoleLog') },
  { pages: ['/health-info'], ...adminActions('admin:OBDInfo') },
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

/**
 * Returns the pages that a caller may see. Actions that depend on a condition or on the bucket count as allowed. A Deny does not
 * close a page, because its controls say what is missing, unless it denies every action of the page.
 */
export function allowedPages({ access, allowing }: CallerPolicy): SessionPage[] {
  return RULES.filter(
    ({ wildcard, actions }) =>
      actions.length === 0 ||
      ((actions.every((action) => mayHave(allowing, action)) || (wildcard && mayHave(allowing, wildcard))) &&
        !actions.every((action) => isDenied(access, action))),
  ).flatMap((rule) => rule.pages)
}

/** Whether a Deny decides: an action that is merely not allowed does not close a page that the wildcard action opens. */
function isDenied(access: CallerAccess, action: ActionName): boolean {
  const { decision, reason } = evaluateCapability(access, { action })
  return decision === 'deny' && reason === 'statement'
}

const mayHave = (access: CallerAccess, action: ActionName | FamilyWildcard) =>
  evaluateCapability(access, { action }).decision !== 'deny'
