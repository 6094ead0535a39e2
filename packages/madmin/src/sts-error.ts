/** The codes that STS answers with. Anything else is `Unknown`, see `rawCode`. */
export const STS_CODES = [
  'AccessDenied',
  'ExpiredToken',
  'InsecureConnection',
  'InternalError',
  'InvalidAccessKeyId',
  'InvalidClientCertificate',
  'InvalidClientGrantsToken',
  'InvalidParameterValue',
  'InvalidTokenId',
  'MalformedPolicyDocument',
  'MissingParameter',
  'RequestTimeTooSkewed',
  'STSIAMNotInitialized',
  'STSNotInitialized',
  'SignatureDoesNotMatch',
  'SlowDown',
] as const

export type StsErrorCode = (typeof STS_CODES)[number] | 'Unknown'

const known = new Set<string>(STS_CODES)

/** Temporary credentials that the server refused to give. */
export class StsError extends Error {
  override readonly name = 'StsError'
  readonly code: StsErrorCode
  /** The server's own word, also where `code` is `Unknown`; empty when it said none. */
  readonly rawCode: string
  /** HTTP status. */
  readonly status: number
  readonly requestId: string | undefined

  constructor(answer: { code: string; message: string; status: number; requestId?: string | undefined }) {
    super(answer.message)
    this.rawCode = answer.code
    this.code = isKnown(answer.code) ? answer.code : 'Unknown'
    this.status = answer.status
    this.requestId = answer.requestId
  }
}

function isKnown(code: string): code is (typeof STS_CODES)[number] {
  return known.has(code)
}
