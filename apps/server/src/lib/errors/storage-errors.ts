import { EgressError } from '@stowage/egress'
import { MadminError, StsError } from '@stowage/madmin'
import { errors } from 'undici'
import { XmlSyntaxError } from '../xml/storage-xml.ts'

/** An error that the storage server answered with: code, text and HTTP status. */
export interface StorageError {
  code: string
  message: string
  status: number
}

/** Thrown by our own signed requests; the admin client and the SDK have their own error classes. */
export class UpstreamError extends Error implements StorageError {
  override readonly name = 'UpstreamError'
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    /** The region to sign for, if the server names it because the request used another one. */
    readonly region?: string,
  ) {
    super(message)
  }
}

/** Returns the error that the storage server answered with, from any of our clients; undefined for other failures. */
export function toStorageError(error: unknown): StorageError | undefined {
  if (error instanceof UpstreamError) return error
  if (error instanceof MadminError || error instanceof StsError)
    return { code: error.rawCode || error.code, message: error.message, status: error.status }
  if (isServiceException(error))
    return { code: error.name, message: error.message, status: error.$metadata.httpStatusCode ?? 500 }
  if (error instanceof XmlSyntaxError || isUnreadable(error))
    return { code: 'Unreadable', message: 'The answer of the storage server cannot be read', status: 502 }
  return undefined
}

/** Whether the AWS SDK could not parse a successful answer: it then adds only `$response` to the error. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error && '$response' in error && !('$fault' in error)
}

/** Whether this is an error answer thrown by the AWS SDK. Checks its shape, so that the SDK can be loaded later. */
function isServiceException(error: unknown): error is Error & { $metadata: { httpStatusCode?: number } } {
  return error instanceof Error && '$fault' in error && '$metadata' in error
}

export interface ConnectionFailure {
  /** `refused`: no connection was made. `broken`: a connection was made and then failed. */
  reason: 'refused' | 'broken'
  message: string
}

const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
])
// Only undici's codes for connection failures: others, such as UND_ERR_INVALID_ARG, are bugs in the console.
const BROKEN =
  /^(ECONNRESET|EPIPE|EPROTO|UND_ERR_(SOCKET|INFO|ABORT|ABORTED|DESTROYED|CLOSED|HEADERS_\w+|BODY_TIMEOUT|RES_\w+)|HPE_\w+|ERR_HEADERS_TIMEOUT|ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|DEPTH_\w+|UNABLE_TO_\w+|SELF_SIGNED_\w+)$/

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO/

/** Returns how the connection to the storage server failed; undefined for any other failure. */
export function findConnectionFailure(error: unknown): ConnectionFailure | undefined {
  // If a name has several addresses, AggregateError contains their errors; a wrapper has the real error as its cause.
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; depth++) {
    const code = 'code' in at ? String(at.code) : ''
    // The storage server of a tenant is reached through the egress.
    if (at instanceof EgressError && at.status === undefined) return { reason: 'refused', message: at.message }
    if (NO_CONNECTION.has(code)) return { reason: 'refused', message: at.message || code }
    // undici's error for an answer that is not HTTP has no code.
    if (BROKEN.test(code) || at instanceof errors.HTTPParserError) {
      const hint = CERTIFICATE.test(code) ? ' (STOWAGE_TLS_CA names further certificate authorities)' : ''
      return { reason: 'broken', message: (at.message || code) + hint }
    }
    at = at instanceof AggregateError ? at.errors[0] : at.cause
  }
  return undefined
}
