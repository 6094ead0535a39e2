import { adminEndpoints } from './admin/endpoints.ts'
import { bucketEndpoints } from './buckets/endpoints.ts'
import { objectEndpoints } from './objects/endpoints.ts'
import type { Contract } from './schemas.ts'
import { sessionEndpoints } from './session/endpoints.ts'

/** Every call as plain data, by name; the schemas are in `@stowage/contract/schemas`. */
export const endpoints = { ...sessionEndpoints, ...adminEndpoints, ...bucketEndpoints, ...objectEndpoints } as const

export type { AdminInfo } from './admin/info.ts'
export type { Bucket, BucketAccess } from './buckets/buckets.ts'
export type { Quota } from './buckets/quota.ts'
export type { Endpoint, IamAction } from './endpoint.ts'
export type { ApiError } from './errors.ts'
export type { DeleteLine, ObjectItem } from './objects/objects.ts'
export type { UploadPart } from './objects/transfers.ts'
export type { SessionPage } from './session/pages.ts'
export type { Capability, LoginStrategy, PermissionReport, Session, StatementReport } from './session/session.ts'
export * from './units.ts'

export type Operation = keyof Contract
type Part<O extends Operation, K extends 'params' | 'query' | 'body'> = Contract[O][K]['_zod']['input']
/** An empty object's type has every string as its key: that is how a part which a call does not have is known. */
type Has<T, K extends string, Then> = string extends keyof T ? { [P in K]?: never } : Then
/** What a caller hands in; a part that a call does not have is left out. */
export type Input<O extends Operation> = Has<Part<O, 'params'>, 'params', { params: Part<O, 'params'> }> &
  Has<
    Part<O, 'query'>,
    'query',
    object extends Part<O, 'query'> ? { query?: Part<O, 'query'> } : { query: Part<O, 'query'> }
  > &
  (undefined extends Part<O, 'body'> ? { body?: Part<O, 'body'> | BodyInit } : { body: Part<O, 'body'> })
/** What a caller gets. */
export type Output<O extends Operation> = Contract[O]['response']['_zod']['output']
