import { accountExamples } from './account/examples.ts'
import { adminExamples } from './admin/examples.ts'
import { bucketExamples } from './buckets/examples.ts'
import { configExamples } from './configs/examples.ts'
import type { Operation } from './endpoints.ts'
import { groupExamples } from './groups/examples.ts'
import { healExamples } from './heal/examples.ts'
import { healthInfoExamples } from './health-info/examples.ts'
import type { Input } from './input.ts'
import { licenseExamples } from './license/examples.ts'
import { logExamples } from './logs/examples.ts'
import { notificationTargetExamples } from './notification-targets/examples.ts'
import { objectExamples } from './objects/examples.ts'
import { policyExamples } from './policies/examples.ts'
import { replicationExamples } from './replication/examples.ts'
import { serviceAccountExamples } from './service-accounts/examples.ts'
import { sessionExamples } from './session/examples.ts'
import { tenantExamples } from './tenants/examples.ts'
import { tierExamples } from './tiers/examples.ts'
import { traceExamples } from './trace/examples.ts'
import { userExamples } from './users/examples.ts'
import { volumeExamples } from './volumes/examples.ts'
import { watchExamples } from './watch/examples.ts'

/** An example input for each call, by name. Shown on the API page and sent by a test. */
export const examples: { readonly [O in Operation]: Input<O> } = {
  ...sessionExamples,
  ...adminExamples,
  ...bucketExamples,
  ...objectExamples,
  ...tenantExamples,
  ...volumeExamples,
  ...accountExamples,
  ...groupExamples,
  ...policyExamples,
  ...serviceAccountExamples,
  ...userExamples,
  ...traceExamples,
  ...configExamples,
  ...notificationTargetExamples,
  ...tierExamples,
  ...replicationExamples,
  ...logExamples,
  ...healthInfoExamples,
  ...healExamples,
  ...licenseExamples,
  ...watchExamples,
}
