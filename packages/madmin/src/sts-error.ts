import { Refusal, type RefusedAnswer } from './refusal.ts'

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

/** Temporary credentials that the server refused to give. */
export class StsError extends Refusal<(typeof STS_CODES)[number]> {
  override readonly name = 'StsError'

  constructor(answer: RefusedAnswer) {
    super(STS_CODES, answer)
  }
}
