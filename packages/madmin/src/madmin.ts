import { listAccessKeys, listLdapAccessKeys, listOpenIdAccessKeys } from './access-keys.ts'
import { accountInfo } from './account-info.ts'
import { getBucketQuota, setBucketQuota } from './bucket-quota.ts'
import {
  checkConfig,
  clearConfigHistory,
  configHelp,
  deleteConfig,
  getConfig,
  getFullConfig,
  listConfigHistory,
  restoreConfigHistory,
  setConfig,
  setFullConfig,
  testNotificationTarget,
} from './config.ts'
import { consoleLog } from './console-log.ts'
import { dataUsage } from './data-usage.ts'
import { driveSpeedtest, inspectData, objectSpeedtest, profile, topLocks } from './diagnostics.ts'
import { addGroupMembers, getGroup, listGroups, removeGroup, removeGroupMembers, setGroupStatus } from './groups.ts'
import { healStatus, startHeal, stopHeal } from './heal.ts'
import { clusterHealth, isLive, isReady } from './health.ts'
import { healthInfo } from './health-info.ts'
import { exportIam, importIam } from './iam-archive.ts'
import { listKmsKeys } from './kms.ts'
import { confirmLifecycleClock, lifecycleStatus } from './lifecycle-status.ts'
import { addPolicy, getPolicy, listPolicies, removePolicy } from './policies.ts'
import { attachPolicies, detachPolicies, listPolicyEntities, setPolicyMapping } from './policy-attachments.ts'
import { cancelDecommission, decommissionPool, listPools } from './pools.ts'
import { dropRefusedEvents, listRefusedEvents, resendRefusedEvents } from './refused-events.ts'
import {
  listRemoteTargets,
  removeRemoteTarget,
  replicationFailures,
  retryReplication,
  setRemoteTarget,
  updateRemoteTarget,
} from './remote-targets.ts'
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
import { addTier, editTier, listTiers, removeTier, tierUsage, verifyTier } from './tiers.ts'
import { trace } from './trace.ts'
import { createTransport, type Transport, type TransportOptions } from './transport.ts'
import { addUser, getUser, listUsers, removeUser, setUserStatus } from './users.ts'

const calls = {
  accountInfo,
  addGroupMembers,
  addPolicy,
  addServiceAccount,
  addUser,
  attachPolicies,
  cancelDecommission,
  clusterHealth,
  consoleLog,
  dataUsage,
  decommissionPool,
  deleteServiceAccount,
  driveSpeedtest,
  detachPolicies,
  exportIam,
  getBucketQuota,
  getGroup,
  getPolicy,
  getServiceAccount,
  getUser,
  healStatus,
  healthInfo,
  importIam,
  isLive,
  isReady,
  objectSpeedtest,
  inspectData,
  profile,
  listAccessKeys,
  listGroups,
  listKmsKeys,
  listLdapAccessKeys,
  listOpenIdAccessKeys,
  listPolicies,
  listPolicyEntities,
  listPools,
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
  startHeal,
  stopHeal,
  storageInfo,
  trace,
  updateServiceAccount,
  addTier,
  checkConfig,
  clearConfigHistory,
  confirmLifecycleClock,
  lifecycleStatus,
  configHelp,
  deleteConfig,
  dropRefusedEvents,
  editTier,
  getConfig,
  getFullConfig,
  listConfigHistory,
  listRefusedEvents,
  listRemoteTargets,
  listTiers,
  removeRemoteTarget,
  removeTier,
  replicationFailures,
  resendRefusedEvents,
  restoreConfigHistory,
  retryReplication,
  setConfig,
  setFullConfig,
  setRemoteTarget,
  testNotificationTarget,
  topLocks,
  tierUsage,
  updateRemoteTarget,
  verifyTier,
}

type Bound<F> = F extends (t: Transport, ...rest: infer A) => infer R ? (...rest: A) => R : never

/** All calls of the admin API, for one server and one identity. */
export type Madmin = { readonly [Name in keyof typeof calls]: Bound<(typeof calls)[Name]> }

/** Binds all calls to a server and credentials. Cheap and sends nothing: create one per request. */
export function createMadmin(options: TransportOptions): Madmin {
  const t = createTransport(options)
  const bound = Object.entries(calls).map(([name, call]) => [
    name,
    (call as (...args: unknown[]) => unknown).bind(null, t),
  ])
  // Object.fromEntries loses the type of each function; `Bound` restores it.
  return Object.fromEntries(bound) as Madmin
}
