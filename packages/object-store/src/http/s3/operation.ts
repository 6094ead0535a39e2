import type { Tags } from '../authentication.ts'
import type { Call } from '../call.ts'

/**
 * An S3 operation: its route, the right it needs, and its handler. Authentication, and authorization for `action` on the bucket
 * or object, come before `handle`.
 */
export interface Operation {
  /** The name of the S3 operation: `ListObjectsV2`. */
  readonly name: string
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly level: 'service' | 'bucket' | 'object'
  /** Query parameters that must be there: `acl`, or with a value `list-type=2`. */
  readonly query?: readonly string[]
  /** A header that must be there, in lower case. */
  readonly header?: string
  /**
   * For form uploads only. No form reaches an operation without it, because its signature covers only the upload described by
   * its policy.
   */
  readonly form?: true
  /** The IAM action, or a choice by the request. Undefined: the handler decides entry by entry. */
  readonly action: string | ((call: Call) => string) | undefined
  /**
   * Tags that the request sets. Read before authorization, so that policy conditions can use them and setting them needs the
   * right. `handle` finds them in `call.requestTags`.
   */
  readonly tags?: RequestTags
  /** The right to give tags, where it is another than s3:PutObjectTagging. */
  readonly tagging?: (call: Call) => string | undefined
  handle(call: Call): void | Promise<void>
}

export type RequestTags =
  /** In a header, or in the fields of a form. */
  | { readonly in: 'head'; read(call: Call): Tags }
  /** In the body, which is only read if the caller may have the right to the action. */
  | { readonly in: 'body'; read(call: Call): Promise<Tags> }
