import {
  ADMIN_OPERATIONS,
  type AdminActionName,
  type AdminOperationRights,
  KMS_OPERATIONS,
  type KmsActionName,
} from '@stowage/iam-policy'
import { S3Error } from '../../lib/errors.ts'
import { authenticateAdmin } from '../auth/authenticate.ts'
import { isActionAllowed } from '../auth/authorize.ts'
import type { StoreCall } from '../call/call.ts'
import { adminAccessKeyEndpoints } from './access-keys/access-key-endpoints.ts'
import { adminLdapAccessKeyEndpoints } from './access-keys/ldap-access-keys.ts'
import { adminOpenIdAccessKeyEndpoints } from './access-keys/openid-access-keys.ts'
import { adminServiceAccountEndpoints } from './access-keys/service-account-endpoints.ts'
import { accountInfoEndpoint } from './buckets/account-info.ts'
import { adminBucketMetadataEndpoints } from './buckets/bucket-metadata.ts'
import { adminQuotaEndpoints } from './buckets/bucket-quota.ts'
import { dataUsageInfoEndpoint } from './buckets/data-usage-info.ts'
import { adminLifecycleEndpoints } from './buckets/lifecycle-endpoints.ts'
import { adminRemoteTargetEndpoints } from './buckets/remote-targets.ts'
import { adminReplicationEndpoints } from './buckets/replication-endpoints.ts'
import { adminTierEndpoints } from './buckets/tier-endpoints.ts'
import { adminConfigEndpoints } from './config/config-endpoints.ts'
import { adminConfigHistoryEndpoints } from './config/config-history-endpoints.ts'
import { adminIdpConfigEndpoints } from './config/idp-config.ts'
import { adminRefusedEventEndpoints, testNotificationTargetEndpoint } from './config/notification-targets.ts'
import { consoleLogEndpoint } from './diagnostics/console-log-endpoint.ts'
import { driveSpeedtestEndpoint } from './diagnostics/drive-speedtest.ts'
import { healthInfoEndpoint } from './diagnostics/health-info.ts'
import { adminObjectSpeedtestEndpoints } from './diagnostics/object-speedtest.ts'
import { adminProfileEndpoints } from './diagnostics/profile.ts'
import { traceEndpoint } from './diagnostics/trace.ts'
import type { AdminEndpoint } from './endpoint/admin-endpoint.ts'
import { RouteTable } from './endpoint/route-table.ts'
import { unsupportedInMode } from './server/erasure-layout.ts'
import { adminHealEndpoints } from './server/heal-endpoints.ts'
import { adminInspectDataEndpoints } from './server/inspect-data.ts'
import { adminKmsEndpoints, kmsEndpoints } from './server/kms.ts'
import { serverInfoEndpoint } from './server/server-info.ts'
import { serviceEndpoint } from './server/service.ts'
import { storageInfoEndpoint } from './server/storage-info.ts'
import { topLocksEndpoint } from './server/top-locks.ts'
import { adminGroupEndpoints } from './users/group-endpoints.ts'
import { adminIamArchiveEndpoints } from './users/iam-archive.ts'
import { adminPolicyEndpoints } from './users/policy-endpoints.ts'
import { ldapPolicyEntitiesEndpoint, policyEntitiesEndpoint } from './users/policy-entities-endpoints.ts'
import { adminPolicyMappingEndpoints } from './users/policy-mapping-endpoints.ts'
import { revokeTokensEndpoint } from './users/revoke-tokens.ts'
import { adminUserEndpoints } from './users/user-endpoints.ts'

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

/** The rights of all calls. If a call needs one of several, its handler checks the one that the request needs. */
const RIGHTS = { ...ADMIN_OPERATIONS, ...KMS_OPERATIONS }

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

async function runEndpoint(
  call: StoreCall,
  family: 'admin' | 'kms',
  { route, parameters }: FoundEndpoint,
): Promise<void> {
  call.record.operation = `${family}:${route.name}`
  const { any }: AdminOperationRights<AdminActionName | KmsActionName> = RIGHTS[route.name]
  if (any.length > 0 && !any.some((action) => isActionAllowed(call, action, {}))) {
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
