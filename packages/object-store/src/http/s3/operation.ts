import type { Tags } from '../authentication.ts'
import type { Call } from '../call.ts'

/**
 * One S3 operation: how a request for it is recognized, what right it needs, and what it does. The gates
 * (authentication, then authorization with `action` on the bucket or object of the URL or form) have passed before
 * `handle` runs.
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
   * For form uploads, and for nothing else; no form reaches an operation without it, because what a form is signed for is
   * the one upload that its policy describes.
   */
  readonly form?: true
  /** The IAM action, or a choice by the request. Undefined: the handler decides entry by entry. */
  readonly action: string | ((call: Call) => string) | undefined
  /**
   * The tags that the request gives to something. Read before the right is decided, so that conditions of policies see
   * them wherever they stand, and only whoever may set tags gets by. `handle` finds them in `call.requestTags`.
   */
  readonly tags?: RequestTags
  /** The right to give tags, where it is another than s3:PutObjectTagging. */
  readonly tagging?: (call: Call) => string | undefined
  handle(call: Call): void | Promise<void>
}

export type RequestTags =
  /** In a header, or among the fields of a form. */
  | { readonly in: 'head'; read(call: Call): Tags }
  /** They are the body, which is read for nobody who has no right to the action at all. */
  | { readonly in: 'body'; read(call: Call): Promise<Tags> }
