import type { S3OperationName, S3RequestPart } from '@stowage/iam-policy'
import type { TagMap } from './authentication-result.ts'
import type { StoreCall } from './call.ts'

/**
 * An S3 operation: its route and its handler. Authentication and authorization come before `handle`. The rights of the operation
 * are in `S3_OPERATIONS` of the policy package, by its name.
 */
export interface S3Operation {
  /** The name of the S3 operation: `ListObjectsV2`. One that the store refuses needs no right. */
  readonly name: S3OperationName | RefusedOperationName
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly level: 'service' | 'bucket' | 'object'
  /** Query parameters that must be present: `acl`, or with a value `list-type=2`. */
  readonly query?: readonly string[]
  /** A header that must be present, in lower case. */
  readonly header?: string
  /**
   * Set for form uploads. Forms cannot reach other operations, because their signature covers only the upload described by the
   * policy.
   */
  readonly form?: true
  /**
   * Tags that the request sets. They are read before authorization, which needs them for policy conditions and for the right to
   * set tags. `handle` finds them in `call.requestTags`.
   */
  readonly tags?: TagSource
  /** The right that tags in the head need; default `tags`. */
  readonly tagging?: (call: StoreCall) => S3RequestPart
  handle(call: StoreCall): void | Promise<void>
}

/** `PUT bucket ?website` */
export type RefusedOperationName = `${S3Operation['method']} ${S3Operation['level']} ?${string}`

export type TagSource =
  /** In a header, or in the fields of a form. */
  | { readonly in: 'head'; read(call: StoreCall): TagMap }
  /** In the body, which is only read if the caller may have the right to the action. */
  | { readonly in: 'body'; read(call: StoreCall): Promise<TagMap> }
