import { accountCalls } from './account/account.ts'
import { adminCalls } from './admin/info.ts'
import { bucketGrowthCalls } from './admin/usage.ts'
import { widgetCalls } from './admin/widgets.ts'
import { accessRuleCalls } from './buckets/access-rules.ts'
import { bucketAuditCalls } from './buckets/bucket-audit.ts'
import { bucketUsageCalls } from './buckets/bucket-usage.ts'
import { bucketCalls } from './buckets/buckets.ts'
import { bucketCopyCalls } from './buckets/copy-settings.ts'
import { bucketCorsCalls } from './buckets/cors.ts'
import { encryptionCalls } from './buckets/encryption.ts'
import { bucketEventCalls } from './buckets/events.ts'
import { lifecycleCalls } from './buckets/lifecycle.ts'
import { bucketPolicyCalls } from './buckets/policy.ts'
import { quotaCalls } from './buckets/quota.ts'
import { retentionCalls } from './buckets/retention.ts'
import { bucketTagCalls } from './buckets/tags.ts'
import { versioningCalls } from './buckets/versioning.ts'
import type { Route } from './call/route.ts'
import { configCalls } from './configs/configs.ts'
import type { Operation } from './endpoints.ts'
import { groupCalls } from './groups/groups.ts'
import { healCalls } from './heal/heal.ts'
import { diagnosticCalls } from './health-info/diagnostics.ts'
import { healthInfoCalls } from './health-info/health-info.ts'
import { licenseCalls } from './license/license.ts'
import { auditCalls } from './logs/audit.ts'
import { consoleLogCalls } from './logs/console-log.ts'
import { notificationTargetCalls } from './notification-targets/notification-targets.ts'
import { archiveCalls } from './objects/archives.ts'
import { objectDetailCalls } from './objects/object-details.ts'
import { objectJobCalls } from './objects/object-jobs.ts'
import { objectCalls } from './objects/objects.ts'
import { searchCalls } from './objects/search.ts'
import { shareCalls } from './objects/share.ts'
import { transferCalls } from './objects/transfers.ts'
import { explainAccessCalls } from './policies/explain-access.ts'
import { iamArchiveCalls } from './policies/iam-archive.ts'
import { policyCalls } from './policies/policies.ts'
import { replicationCalls } from './replication/replication.ts'
import { serviceAccountCalls } from './service-accounts/service-accounts.ts'
import { sessionCalls } from './session/session.ts'
import { clusterCalls } from './tenants/cluster.ts'
import { createTenantCalls } from './tenants/create-tenant.ts'
import { decommissionCalls } from './tenants/decommission.ts'
import { driftCalls } from './tenants/drift.ts'
import { followClusterCalls } from './tenants/follow-cluster.ts'
import { leftoverCalls } from './tenants/leftovers.ts'
import { tenantOverviewCalls } from './tenants/overview.ts'
import { tenantPodCalls } from './tenants/pods.ts'
import { tenantPoolCalls } from './tenants/pools.ts'
import { tenantCalls } from './tenants/tenant.ts'
import { tenantSchemaCalls } from './tenants/tenant-schema.ts'
import { tenantSecurityCalls } from './tenants/tenant-security.ts'
import { tierCalls } from './tiers/tiers.ts'
import { traceCalls } from './trace/trace.ts'
import { userCalls } from './users/users.ts'
import { volumeCalls } from './volumes/volumes.ts'
import { watchCalls } from './watch/watch.ts'

/**
 * All calls of the console with their schemas, by name. The server registers them, tests iterate over them, and the OpenAPI
 * document is generated from them.
 */
export const contract = {
  ...sessionCalls,
  ...adminCalls,
  ...widgetCalls,
  ...bucketGrowthCalls,
  ...bucketCalls,
  ...bucketUsageCalls,
  ...versioningCalls,
  ...quotaCalls,
  ...objectCalls,
  ...transferCalls,
  ...objectDetailCalls,
  ...shareCalls,
  ...searchCalls,
  ...objectJobCalls,
  ...archiveCalls,
  ...tenantCalls,
  ...createTenantCalls,
  ...tenantPoolCalls,
  ...tenantSecurityCalls,
  ...followClusterCalls,
  ...driftCalls,
  ...decommissionCalls,
  ...leftoverCalls,
  ...tenantSchemaCalls,
  ...tenantPodCalls,
  ...clusterCalls,
  ...tenantOverviewCalls,
  ...volumeCalls,
  ...accountCalls,
  ...groupCalls,
  ...iamArchiveCalls,
  ...policyCalls,
  ...explainAccessCalls,
  ...serviceAccountCalls,
  ...userCalls,
  ...traceCalls,
  ...consoleLogCalls,
  ...auditCalls,
  ...healthInfoCalls,
  ...diagnosticCalls,
  ...healCalls,
  ...licenseCalls,
  ...objectDetailCalls,
  ...configCalls,
  ...notificationTargetCalls,
  ...tierCalls,
  ...replicationCalls,
  ...accessRuleCalls,
  ...bucketAuditCalls,
  ...retentionCalls,
  ...encryptionCalls,
  ...bucketTagCalls,
  ...lifecycleCalls,
  ...bucketEventCalls,
  ...bucketCopyCalls,
  ...bucketCorsCalls,
  ...bucketPolicyCalls,
  ...watchCalls,
} as const satisfies Record<Operation, Route>

export type Contract = typeof contract
