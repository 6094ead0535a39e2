import { accountInfo } from './account-info.ts'
import { getBucketQuota, setBucketQuota } from './bucket-quota.ts'
import { dataUsage } from './data-usage.ts'
import { addGroupMembers, getGroup, listGroups, removeGroup, removeGroupMembers, setGroupStatus } from './groups.ts'
import { clusterHealth, isLive, isReady } from './health.ts'
import { addPolicy, getPolicy, listPolicies, removePolicy } from './policies.ts'
import { attachPolicies, detachPolicies, listPolicyEntities, setPolicyMapping } from './policy-attachments.ts'
import { revokeTokens } from './revoke-tokens.ts'
import { serverInfo } from './server-info.ts'
import { service } from './service.ts'
import {
  addServiceAccount,
  deleteServiceAccount,
  getServiceAccount,
  listServiceAccounts,
  updateServiceAccount,
} from './service-accounts.ts'
import { storageInfo } from './storage-info.ts'
import { createTransport, type Transport, type TransportOptions } from './transport.ts'
import { addUser, getUser, listUsers, removeUser, setUserStatus } from './users.ts'

const calls = {
  accountInfo,
  addGroupMembers,
  addPolicy,
  addServiceAccount,
  addUser,
  attachPolicies,
  clusterHealth,
  dataUsage,
  deleteServiceAccount,
  detachPolicies,
  getBucketQuota,
  getGroup,
  getPolicy,
  getServiceAccount,
  getUser,
  isLive,
  isReady,
  listGroups,
  listPolicies,
  listPolicyEntities,
  listServiceAccounts,
  listUsers,
  removeGroup,
  removeGroupMembers,
  removePolicy,
  removeUser,
  revokeTokens,
  serverInfo,
  service,
  setBucketQuota,
  setGroupStatus,
  setPolicyMapping,
  setUserStatus,
  storageInfo,
  updateServiceAccount,
}

type Bound<F> = F extends (t: Transport, ...rest: infer A) => infer R ? (...rest: A) => R : never

/** Every call of the admin API, for one server and one identity. */
export type Madmin = { readonly [Name in keyof typeof calls]: Bound<(typeof calls)[Name]> }

/** Binds all calls to a server and credentials. Cheap, and nothing is sent: make one per request. */
export function createMadmin(options: TransportOptions): Madmin {
  const t = createTransport(options)
  const bound = Object.entries(calls).map(([name, call]) => [
    name,
    (call as (...args: unknown[]) => unknown).bind(null, t),
  ])
  // Object.fromEntries forgets which name has which function; `Bound` says it again.
  return Object.fromEntries(bound) as Madmin
}
