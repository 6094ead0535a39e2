import { MadminError, StsError } from '@stowage/madmin'
import { errors } from 'undici'
import { XmlError } from './xml.ts'

/** A failure that the storage server answered with: its code, its text and the HTTP status it came with. */
export interface StorageError {
  code: string
  message: string
  status: number
}

/** Thrown by our own signed requests; the admin client and the SDK have error classes of their own. */
export class UpstreamError extends Error implements StorageError {
  override readonly name = 'UpstreamError'
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    /** The region to sign for, where the server names it because another one was tried. */
    readonly region?: string,
  ) {
    super(message)
  }
}

/** The failure that the storage server answered with, whichever client met it; undefined when it is another failure. */
export function storageErrorOf(error: unknown): StorageError | undefined {
  if (error instanceof UpstreamError) return error
  if (error instanceof MadminError || error instanceof StsError)
    return { code: error.rawCode || error.code, message: error.message, status: error.status }
  if (isServiceException(error))
    return { code: error.name, message: error.message, status: error.$metadata.httpStatusCode ?? 500 }
  if (error instanceof XmlError || isUnreadable(error))
    return { code: 'Unreadable', message: 'The answer of the storage server cannot be read', status: 502 }
  return undefined
}

/** How the AWS SDK throws that it could not read a successful answer: nothing but the answer is added to the error. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error && '$response' in error && !('$fault' in error)
}

/** How the AWS SDK throws what a server answered: the code is the name. Told by shape, so that the SDK loads late. */
function isServiceException(error: unknown): error is Error & { $metadata: { httpStatusCode?: number } } {
  return error instanceof Error && '$fault' in error && '$metadata' in error
}

export interface Unreachable {
  /** `refused`: no connection came about. `broken`: one did, and then failed. */
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
// Of undici's only those that tell of the connection: others, such as UND_ERR_INVALID_ARG, tell of a mistake of ours.
const BROKEN =
  /^(ECONNRESET|EPIPE|EPROTO|UND_ERR_(SOCKET|INFO|ABORT|ABORTED|DESTROYED|CLOSED|HEADERS_\w+|BODY_TIMEOUT|RES_\w+)|HPE_\w+|ERR_HEADERS_TIMEOUT|ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|DEPTH_\w+|UNABLE_TO_\w+|SELF_SIGNED_\w+)$/

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO/

/** Whether a failure came from the way to the storage server instead of from the server, and how. */
export function unreachable(error: unknown): Unreachable | undefined {
  // Several addresses of one name fail as one error that holds them all; a wrapper holds the real one as its cause.
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; depth++) {
    const code = 'code' in at ? String(at.code) : ''
    if (NO_CONNECTION.has(code)) return { reason: 'refused', message: at.message || code }
    // The one without a code of its own is undici's for what is no HTTP at all.
    if (BROKEN.test(code) || at instanceof errors.HTTPParserError) {
      const hint = CERTIFICATE.test(code) ? ' (STOWAGE_TLS_CA names further certificate authorities)' : ''
      return { reason: 'broken', message: (at.message || code) + hint }
    }
    at = at instanceof AggregateError ? at.errors[0] : at.cause
  }
  return undefined
}
