import type { Readable } from 'node:stream'
import type { PayloadMode, Seed } from '@stowage/sigv4'
import type { Identity } from '../iam/identity.ts'

/** What the authentication gate found. */
export interface Authentication {
  readonly kind: 'anonymous' | 'header' | 'presigned' | 'form'
  /** Undefined for an anonymous request. */
  readonly identity: Identity | undefined
  /** How the body is protected; checked while it is read. */
  readonly payload: PayloadMode
  /** What the signatures of chunks go on from; undefined without a signature. */
  readonly seed?: Seed
  /** When the request was signed (ms). */
  readonly signedAt?: number
  /** What came before the file of a form upload, and the file. */
  readonly form?: FormUpload
}

/** A browser's upload by a form, read up to its file. */
export interface FormUpload {
  /** By name in lower case. */
  readonly fields: Record<string, string>
  readonly file: Readable
  readonly filename: string
  /** What the browser took the file for; empty when it did not say. */
  readonly fileType: string
}
