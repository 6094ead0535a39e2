import type { Readable } from 'node:stream'
import type { PayloadMode, SignatureSeed } from '@stowage/sigv4'
import type { IamIdentity } from '../../iam/identity.ts'

/** Result of the authentication. */
export interface AuthenticationResult {
  /** `form`: a signed POST policy, which is only valid for the PostObject that it describes. */
  readonly kind: 'anonymous' | 'header' | 'presigned' | 'form'
  /** Set for Signature Version 2, which is only supported for URLs and forms. */
  readonly version?: 2
  /** Undefined for an anonymous request. */
  readonly identity: IamIdentity | undefined
  /** How the body is protected; checked while it is read. */
  readonly payload: PayloadMode
  /** Start of the chain of chunk signatures; undefined without a signature. */
  readonly seed?: SignatureSeed
  /** When the request was signed (ms). */
  readonly signedAt?: number
  /** The fields before the file of a form upload, and the file. */
  readonly form?: FormUpload
}

/** Tags by their key. */
export type TagMap = Readonly<Record<string, string>>

/** A form upload after its policy, if it has one, was checked. */
export interface FormUpload extends ReceivedForm {
  /** The key to write: the field `key`, with the file name filled in. */
  readonly key: string
  /** File size in bytes that the policy allows, inclusive. */
  readonly length: { min: number; max: number } | undefined
}

/** A form upload of a browser, read up to its file. */
export interface ReceivedForm {
  /** By lower-case name. Without a prototype, because names are untrusted. */
  readonly fields: Record<string, string>
  readonly file: Readable
  readonly filename: string
  /** The content type that the browser sent for the file; empty if none. */
  readonly fileType: string
}
