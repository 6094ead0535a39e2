import { accountInfo } from './buckets/account-info.ts'
import { getBucketQuota, setBucketQuota } from './buckets/bucket-quota.ts'
import { dataUsage } from './buckets/data-usage.ts'
import { confirmLifecycleClock, lifecycleStatus } from './buckets/lifecycle-status.ts'
import {
  listRemoteTargets,
  removeRemoteTarget,
  replicationFailures,
  retryReplication,
  setRemoteTarget,
  updateRemoteTarget,
} from './buckets/remote-targets.ts'
import { addTier, editTier, listTiers, removeTier, tierUsage, verifyTier } from './buckets/tiers.ts'
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
} from './config/config.ts'
import { dropRefusedEvents, listRefusedEvents, resendRefusedEvents } from './config/refused-events.ts'
import { listAccessKeys, listLdapAccessKeys, listOpenIdAccessKeys } from './iam/access-keys.ts'
import { addGroupMembers, getGroup, listGroups, removeGroup, removeGroupMembers, setGroupStatus } from './iam/groups.ts'
import { exportIam, importIam } from './iam/iam-archive.ts'
import { addPolicy, getPolicy, listPolicies, removePolicy } from './iam/policies.ts'
import { attachPolicies, detachPolicies, listPolicyEntities, setPolicyMapping } from './iam/policy-attachments.ts'
import { revokeTokens } from './iam/revoke-tokens.ts'
import {
  addServiceAccount,
  deleteServiceAccount,
  getServiceAccount,
  listServiceAccounts,
  updateServiceAccount,
} from './iam/service-accounts.ts'
import { addUser, getUser, listUsers, removeUser, setUserStatus } from './iam/users.ts'
import { consoleLog } from './servers/console-log.ts'
import { driveSpeedtest, inspectData, objectSpeedtest, profile, topLocks } from './servers/diagnostics.ts'
import { healStatus, startHeal, stopHeal } from './servers/heal.ts'
import { clusterHealth, isLive, isReady } from './servers/health.ts'
import { healthInfo } from './servers/health-info.ts'
import { listKmsKeys } from './servers/kms.ts'
import { cancelDecommission, decommissionPool, listPools } from './servers/pools.ts'
import { serverInfo } from './servers/server-info.ts'
import { service } from './servers/service.ts'
import { storageInfo } from './servers/storage-info.ts'
import { trace } from './servers/trace.ts'
import { createTransport, type Transport, type TransportOptions } from './transport/transport.ts'

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
