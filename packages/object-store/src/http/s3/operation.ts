import type { Call } from '../call.ts'

/**
 * One S3 operation: how a request for it is recognized, what right it needs, and what it does. The gates
 * (authentication, then authorization with `action` on the bucket or object of the URL) have passed before `handle` runs.
 */
export interface Operation {
  /** As S3 calls it: `ListObjectsV2`. */
  readonly name: string
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly level: 'service' | 'bucket' | 'object'
  /** Query parameters that must be there: `acl`, or with a value `list-type=2`. */
  readonly query?: readonly string[]
  /** A header that must be there, in lower case. */
  readonly header?: string
  /** The IAM action, or a choice by the request. Undefined: the handler decides entry by entry. */
  readonly action: string | ((call: Call) => string) | undefined
  handle(call: Call): void | Promise<void>
}
