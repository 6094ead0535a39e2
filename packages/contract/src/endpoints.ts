import { adminEndpoints } from './admin/endpoints.ts'
import { bucketEndpoints } from './buckets/endpoints.ts'
import { joinEndpoints, type Read } from './endpoint.ts'
import { objectEndpoints } from './objects/endpoints.ts'
import { sessionEndpoints } from './session/endpoints.ts'

/** Every call as plain data, by name; the schemas are in `@stowage/contract/schemas`. */
export const endpoints = joinEndpoints({
  ...sessionEndpoints,
  ...adminEndpoints,
  ...bucketEndpoints,
  ...objectEndpoints,
})

/** The name of a call. */
export type Operation = keyof typeof endpoints
/** The name of a call that only reads: what another call can list in `changes`. */
export type ReadOperation = Read<typeof endpoints>
