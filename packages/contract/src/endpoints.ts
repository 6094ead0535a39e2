import { accountEndpoints } from './account/endpoints.ts'
import { adminEndpoints } from './admin/endpoints.ts'
import { bucketEndpoints } from './buckets/endpoints.ts'
import { type GetCallName, joinEndpoints } from './call/endpoint.ts'
import { configEndpoints } from './configs/endpoints.ts'
import { groupEndpoints } from './groups/endpoints.ts'
import { healEndpoints } from './heal/endpoints.ts'
import { healthInfoEndpoints } from './health-info/endpoints.ts'
import { licenseEndpoints } from './license/endpoints.ts'
import { logEndpoints } from './logs/endpoints.ts'
import { notificationTargetEndpoints } from './notification-targets/endpoints.ts'
import { objectEndpoints } from './objects/endpoints.ts'
import { policyEndpoints } from './policies/endpoints.ts'
import { replicationEndpoints } from './replication/endpoints.ts'
import { serviceAccountEndpoints } from './service-accounts/endpoints.ts'
import { sessionEndpoints } from './session/endpoints.ts'
import { tenantEndpoints } from './tenants/endpoints.ts'
import { tierEndpoints } from './tiers/endpoints.ts'
import { traceEndpoints } from './trace/endpoints.ts'
import { userEndpoints } from './users/endpoints.ts'
import { volumeEndpoints } from './volumes/endpoints.ts'
import { watchEndpoints } from './watch/endpoints.ts'

/** The plain data of all calls, by name. The schemas are in `@stowage/contract/schemas`. */
export const endpoints = joinEndpoints({
  ...sessionEndpoints,
  ...adminEndpoints,
  ...bucketEndpoints,
  ...objectEndpoints,
  ...tenantEndpoints,
  ...volumeEndpoints,
  ...accountEndpoints,
  ...groupEndpoints,
  ...policyEndpoints,
  ...serviceAccountEndpoints,
  ...userEndpoints,
  ...traceEndpoints,
  ...configEndpoints,
  ...notificationTargetEndpoints,
  ...tierEndpoints,
  ...replicationEndpoints,
  ...logEndpoints,
  ...healthInfoEndpoints,
  ...healEndpoints,
  ...licenseEndpoints,
  ...watchEndpoints,
})

/** The name of a call. */
export type Operation = keyof typeof endpoints
/** The name of a call that only reads, as listed in `changes` of other calls. */
export type ReadOperation = GetCallName<typeof endpoints>
