import { S3Error } from '../../errors.ts'
import { authenticateAdmin } from '../authenticate.ts'
import { isAllowed } from '../authorize.ts'
import type { Call } from '../call.ts'
import { accessKeyEndpoints } from './access-keys.ts'
import { accountInfo } from './account-info.ts'
import { bucketMetadataEndpoints } from './bucket-metadata.ts'
import { quotaEndpoints } from './bucket-quota.ts'
import { configHistoryEndpoints } from './config-history.ts'
import { configEndpoints } from './config-text.ts'
import { dataUsageInfo } from './data-usage-info.ts'
import { driveSpeedtest } from './drive-speedtest.ts'
import type { AdminEndpoint } from './endpoint.ts'
import { groupEndpoints } from './groups.ts'
import { healEndpoints } from './heal.ts'
import { healthInfo } from './health-info.ts'
import { iamArchiveEndpoints } from './iam-archive.ts'
import { idpConfigEndpoints } from './idp-config.ts'
import { inspectDataEndpoints } from './inspect-data.ts'
import { adminKmsEndpoints, kmsEndpoints } from './kms.ts'
import { notInThisMode } from './layout.ts'
import { ldapAccessKeyEndpoints } from './ldap-access-keys.ts'
import { lifecycleEndpoints } from './lifecycle.ts'
import { consoleLog } from './log.ts'
import { refusedEventEndpoints, testNotificationTarget } from './notification-targets.ts'
import { objectSpeedtestEndpoints } from './object-speedtest.ts'
import { openIdAccessKeyEndpoints } from './openid-access-keys.ts'
import { policyEndpoints } from './policies.ts'
import { ldapPolicyEntities, policyEntities } from './policy-entities.ts'
import { policyMappingEndpoints } from './policy-mapping.ts'
import { profileEndpoints } from './profile.ts'
import { remoteTargetEndpoints } from './remote-targets.ts'
import { replicationEndpoints } from './replication.ts'
import { revokeTokens } from './revoke-tokens.ts'
import { RouteTable } from './route-table.ts'
import { serverInfo } from './server-info.ts'
import { service } from './service.ts'
import { serviceAccountEndpoints } from './service-accounts.ts'
import { storageInfo } from './storage-info.ts'
import { tierEndpoints } from './tiers.ts'
import { topLocks } from './top-locks.ts'
import { trace } from './trace.ts'
import { userEndpoints } from './users.ts'

export const ADMIN_PREFIX = '/minio/admin/'
export const KMS_PREFIX = '/minio/kms/v1/'
const VERSION = 'v3/'

/** All calls of the admin API. */
export const adminEndpoints: readonly AdminEndpoint[] = [
  accountInfo,
  serverInfo,
  storageInfo,
  dataUsageInfo,
  service,
  ...quotaEndpoints,
  ...userEndpoints,
  ...groupEndpoints,
  ...policyEndpoints,
  ...policyMappingEndpoints,
  policyEntities,
  ldapPolicyEntities,
  ...serviceAccountEndpoints,
  ...accessKeyEndpoints,
  ...ldapAccessKeyEndpoints,
  ...openIdAccessKeyEndpoints,
  ...iamArchiveEndpoints,
  revokeTokens,
  trace,
  consoleLog,
  healthInfo,
  ...healEndpoints,
  topLocks,
  ...profileEndpoints,
  driveSpeedtest,
  ...objectSpeedtestEndpoints,
  ...inspectDataEndpoints,
  ...adminKmsEndpoints,
  ...bucketMetadataEndpoints,
  ...configEndpoints,
  ...idpConfigEndpoints,
  ...configHistoryEndpoints,
  testNotificationTarget,
  ...refusedEventEndpoints,
  ...lifecycleEndpoints,
  ...tierEndpoints,
  ...remoteTargetEndpoints,
  ...replicationEndpoints,
]

const TABLE = new RouteTable(adminEndpoints)
const KMS_TABLE = new RouteTable(kmsEndpoints)

export async function handleAdmin(call: Call): Promise<void> {
  authenticateAdmin(call)
  await run(call, 'admin', findEndpoint(call))
}

/** Handles calls for encryption keys, which have a separate prefix and separate actions. */
export async function handleKms(call: Call): Promise<void> {
  authenticateAdmin(call)
  const found = KMS_TABLE.find(call.request.method ?? '', afterPrefix(call, 4), call.query)
  if (!found) throw new S3Error('NotImplemented', `The call ${call.target.path} is not supported.`)
  await run(call, 'kms', found)
}

type Found = NonNullable<ReturnType<typeof TABLE.find>>

async function run(call: Call, family: 'admin' | 'kms', { route, parameters }: Found): Promise<void> {
  call.record.operation = `${family}:${route.name}`
  const { actions } = route
  if (actions && !actions.some((action) => isAllowed(call, `${family}:${action}`, {}))) {
    throw new S3Error('AccessDenied', 'Access Denied.')
  }
  await route.handle(call, parameters)
}

/** Returns the path after this many slashes, as sent. The prefix was compared decoded. */
function afterPrefix({ target: { rawPath } }: Call, slashes: number): string {
  return rawPath.split('/').slice(slashes).join('/')
}

/** @throws S3Error XMinioAdminVersionMismatch, by which clients detect a missing feature */
function findEndpoint(call: Call): Found {
  const path = call.target.path.slice(ADMIN_PREFIX.length)
  if (!path.startsWith(VERSION)) {
    throw new S3Error('XMinioAdminVersionMismatch', `The admin API has the version v3, not ${path.split('/')[0]}.`)
  }
  const found = TABLE.find(call.request.method ?? '', afterPrefix(call, 4), call.query)
  if (found) return found
  throw notInThisMode(call.engine)
}
