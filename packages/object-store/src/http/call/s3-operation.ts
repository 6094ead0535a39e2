import type { TagMap } from './authentication-result.ts'
import type { StoreCall } from './call.ts'

/**
 * An S3 operation: its route, the right it needs, and its handler. Authentication, and authorization for `action` on the bucket
 * or object, come before `handle`.
 */
export interface S3Operation {
  /** The name of the S3 operation: `ListObjectsV2`. */
  readonly name: string
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
  /** The IAM action, or a function of the request. Undefined: the handler checks each entry. */
  readonly action: string | ((call: StoreCall) => string) | undefined
  /**
   * Tags that the request sets. They are read before authorization, which needs them for policy conditions and for the right to
   * set tags. `handle` finds them in `call.requestTags`.
   */
  readonly tags?: TagSource
  /** The action needed to set tags, if it is not s3:PutObjectTagging. */
  readonly tagging?: (call: StoreCall) => string | undefined
  handle(call: StoreCall): void | Promise<void>
}

export type TagSource =
  /** In a header, or in the fields of a form. */
  | { readonly in: 'head'; read(call: StoreCall): TagMap }
  /** In the body, which is only read if the caller may have the right to the action. */
  | { readonly in: 'body'; read(call: StoreCall): Promise<TagMap> }
