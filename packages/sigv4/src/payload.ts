import { SignatureError } from './signature-error.ts'

/** SHA-256 of an empty body. */
export const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
export const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD'
export const STREAMING_SIGNED = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD'
export const STREAMING_SIGNED_TRAILER = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER'
export const STREAMING_UNSIGNED_TRAILER = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'

/** How a request's body is protected and framed. */
export type PayloadMode =
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'hashed'; readonly sha256: string }
  | { readonly kind: 'chunked'; readonly signed: boolean; readonly trailer: boolean }

/**
 * Reads `x-amz-content-sha256`. The header decides the framing, not `content-encoding`: `mc` sends chunks without
 * naming `aws-chunked`.
 * @throws SignatureError InvalidArgument, InvalidRequest (a chunked form that we cannot verify)
 */
export function payloadMode(value: string): PayloadMode {
  if (/^[0-9a-fA-F]{64}$/.test(value)) return { kind: 'hashed', sha256: value.toLowerCase() }
  switch (value) {
    case UNSIGNED_PAYLOAD:
      return { kind: 'unsigned' }
    case STREAMING_SIGNED:
      return { kind: 'chunked', signed: true, trailer: false }
    case STREAMING_SIGNED_TRAILER:
      return { kind: 'chunked', signed: true, trailer: true }
    case STREAMING_UNSIGNED_TRAILER:
      return { kind: 'chunked', signed: false, trailer: true }
  }
  if (value.startsWith('STREAMING-')) {
    throw new SignatureError('InvalidRequest', `The payload form ${value.slice(0, 64)} is not supported.`)
  }
  throw new SignatureError(
    'InvalidArgument',
    'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, a STREAMING form or a valid SHA-256 in hex.',
  )
}
