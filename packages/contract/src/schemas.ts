import { adminCalls } from './admin/info.ts'
import { bucketCalls } from './buckets/buckets.ts'
import { quotaCalls } from './buckets/quota.ts'
import { versioningCalls } from './buckets/versioning.ts'
import type { Operation } from './endpoints.ts'
import { objectCalls } from './objects/objects.ts'
import { transferCalls } from './objects/transfers.ts'
import type { Route } from './route.ts'
import { sessionCalls } from './session/session.ts'

/** Every call of the console with its schemas, by name. The server registers it, tests walk it, OpenAPI is made of it. */
export const contract = {
  ...sessionCalls,
  ...adminCalls,
  ...bucketCalls,
  ...versioningCalls,
  ...quotaCalls,
  ...objectCalls,
  ...transferCalls,
} as const satisfies Record<Operation, Route>

export type Contract = typeof contract
