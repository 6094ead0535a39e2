import { S3Error } from '../../errors.ts'
import { authenticateAdmin } from '../authenticate.ts'
import { isActionAllowed } from '../authorize.ts'
import type { StoreCall } from '../call.ts'
import { adminAccessKeyEndpoints } from './access-keys.ts'
import { accountInfoEndpoint } from './account-info.ts'
import { adminBucketMetadataEndpoints } from './bucket-metadata.ts'
import { adminQuotaEndpoints } from './bucket-quota.ts'
import { adminConfigHistoryEndpoints } from './config-history.ts'
import { adminConfigEndpoints } from './config-text.ts'
import { dataUsageInfoEndpoint } from './data-usage-info.ts'
import { driveSpeedtestEndpoint } from './drive-speedtest.ts'
import type { AdminEndpoint } from './endpoint.ts'
import { adminGroupEndpoints } from './groups.ts'
import { adminHealEndpoints } from './heal.ts'
import { healthInfoEndpoint } from './health-info.ts'
import { adminIamArchiveEndpoints } from './iam-archive.ts'
import { adminIdpConfigEndpoints } from './idp-config.ts'
import { adminInspectDataEndpoints } from './inspect-data.ts'
import { adminKmsEndpoints, kmsEndpoints } from './kms.ts'
import { unsupportedInMode } from './layout.ts'
import { adminLdapAccessKeyEndpoints } from './ldap-access-keys.ts'
import { adminLifecycleEndpoints } from './lifecycle.ts'
import { consoleLogEndpoint } from './log.ts'
import { adminRefusedEventEndpoints, testNotificationTargetEndpoint } from './notification-targets.ts'
import { adminObjectSpeedtestEndpoints } from './object-speedtest.ts'
import { adminOpenIdAccessKeyEndpoints } from './openid-access-keys.ts'
import { adminPolicyEndpoints } from './policies.ts'
import { ldapPolicyEntitiesEndpoint, policyEntitiesEndpoint } from './policy-entities.ts'
import { adminPolicyMappingEndpoints } from './policy-mapping.ts'
import { adminProfileEndpoints } from './profile.ts'
import { adminRemoteTargetEndpoints } from './remote-targets.ts'
import { adminReplicationEndpoints } from './replication.ts'
import { revokeTokensEndpoint } from './revoke-tokens.ts'
import { RouteTable } from './route-table.ts'
import { serverInfoEndpoint } from './server-info.ts'
import { serviceEndpoint } from './service.ts'
import { adminServiceAccountEndpoints } from './service-accounts.ts'
import { storageInfoEndpoint } from './storage-info.ts'
import { adminTierEndpoints } from './tiers.ts'
import { topLocksEndpoint } from './top-locks.ts'
import { traceEndpoint } from './trace.ts'
import { adminUserEndpoints } from './users.ts'

export const ADMIN_PREFIX = '/minio/admin/'
export const KMS_PREFIX = '/minio/kms/v1/'
const VERSION = 'v3/'

/** All calls of the admin API. */
export const allAdminEndpoints: readonly AdminEndpoint[] = [
  accountInfoEndpoint,
  serverInfoEndpoint,
  storageInfoEndpoint,
  dataUsageInfoEndpoint,
  serviceEndpoint,
  ...adminQuotaEndpoints,
  ...adminUserEndpoints,
  ...adminGroupEndpoints,
  ...adminPolicyEndpoints,
  ...adminPolicyMappingEndpoints,
  policyEntitiesEndpoint,
  ldapPolicyEntitiesEndpoint,
  ...adminServiceAccountEndpoints,
  ...adminAccessKeyEndpoints,
  ...adminLdapAccessKeyEndpoints,
  ...adminOpenIdAccessKeyEndpoints,
  ...adminIamArchiveEndpoints,
  revokeTokensEndpoint,
  traceEndpoint,
  consoleLogEndpoint,
  healthInfoEndpoint,
  ...adminHealEndpoints,
  topLocksEndpoint,
  ...adminProfileEndpoints,
  driveSpeedtestEndpoint,
  ...adminObjectSpeedtestEndpoints,
  ...adminInspectDataEndpoints,
  ...adminKmsEndpoints,
  ...adminBucketMetadataEndpoints,
  ...adminConfigEndpoints,
  ...adminIdpConfigEndpoints,
  ...adminConfigHistoryEndpoints,
  testNotificationTargetEndpoint,
  ...adminRefusedEventEndpoints,
  ...adminLifecycleEndpoints,
  ...adminTierEndpoints,
  ...adminRemoteTargetEndpoints,
  ...adminReplicationEndpoints,
]

const ADMIN_ROUTES = new RouteTable(allAdminEndpoints)
const KMS_ROUTES = new RouteTable(kmsEndpoints)

export async function handleAdmin(call: StoreCall): Promise<void> {
  authenticateAdmin(call)
  await runEndpoint(call, 'admin', findEndpoint(call))
}

/** Handles calls for encryption keys, which have a separate prefix and separate actions. */
export async function handleKms(call: StoreCall): Promise<void> {
  authenticateAdmin(call)
  const found = KMS_ROUTES.find(call.request.method ?? '', afterPrefix(call, 4), call.query)
  if (!found) throw new S3Error('NotImplemented', `The call ${call.target.path} is not supported.`)
  await runEndpoint(call, 'kms', found)
}

type FoundEndpoint = NonNullable<ReturnType<typeof ADMIN_ROUTES.find>>

async function runEndpoint(call: StoreCall, family: 'admin' | 'kms', { route, parameters }: FoundEndpoint): Promise<void> {
  call.record.operation = `${family}:${route.name}`
  const { actions } = route
  if (actions && !actions.some((action) => isActionAllowed(call, `${family}:${action}`, {}))) {
    throw new S3Error('AccessDenied', 'Access Denied.')
  }
  await route.handle(call, parameters)
}

/** Returns the path after this many slashes, as sent. The prefix was compared decoded. */
function afterPrefix({ target: { rawPath } }: StoreCall, slashes: number): string {
  return rawPath.split('/').slice(slashes).join('/')
}

/** @throws S3Error XMinioAdminVersionMismatch, by which clients detect a missing feature */
function findEndpoint(call: StoreCall): FoundEndpoint {
  const path = call.target.path.slice(ADMIN_PREFIX.length)
  if (!path.startsWith(VERSION)) {
    throw new S3Error('XMinioAdminVersionMismatch', `The admin API has the version v3, not ${path.split('/')[0]}.`)
  }
  const found = ADMIN_ROUTES.find(call.request.method ?? '', afterPrefix(call, 4), call.query)
  if (found) return found
  throw unsupportedInMode(call.engine)
}
