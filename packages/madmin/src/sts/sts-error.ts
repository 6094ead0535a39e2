import { ServerError, type ServerErrorAnswer } from '../transport/server-error.ts'

/** The error codes of STS. Any other code becomes `Unknown`; see `rawCode`. */
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

/** An error of STS: the server refused temporary credentials. */
export class StsError extends ServerError<(typeof STS_CODES)[number]> {
  override readonly name = 'StsError'

  constructor(answer: ServerErrorAnswer) {
    super(STS_CODES, answer)
  }
}
