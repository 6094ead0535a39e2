import { Refusal, type RefusedAnswer } from './refusal.ts'

/** The codes that servers of this family answer admin calls with. Anything else is `Unknown`, see `rawCode`. */
export const MADMIN_CODES = [
  'AccessDenied',
  'BadRequest',
  'ExpiredToken',
  'InternalError',
  'InvalidAccessKeyId',
  'InvalidArgument',
  'InvalidRequest',
  'InvalidToken',
  'MalformedPOSTRequest',
  'MethodNotAllowed',
  'NoSuchBucket',
  'NoSuchResource',
  'NotImplemented',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
  'SlowDown',
  'XMinioAdminBucketQuotaExceeded',
  'XMinioAdminConfigBadJSON',
  'XMinioAdminConfigTooLarge',
  'XMinioAdminGroupDisabled',
  'XMinioAdminGroupNotEmpty',
  'XMinioAdminInvalidAccessKey',
  'XMinioAdminInvalidArgument',
  'XMinioAdminInvalidRequest',
  'XMinioAdminInvalidSecretKey',
  'XMinioAdminNoAccessKey',
  'XMinioAdminNoSecretKey',
  'XMinioAdminNoSuchAccessKey',
  'XMinioAdminNoSuchGroup',
  'XMinioAdminNoSuchPolicy',
  'XMinioAdminNoSuchQuotaConfiguration',
  'XMinioAdminNoSuchUser',
  'XMinioAdminPolicyChangeAlreadyApplied',
  'XMinioAdminVersionMismatch',
  'XMinioIAMActionNotAllowed',
  'XMinioIAMNotInitialized',
  'XMinioIAMPolicyInUse',
  'XMinioIAMServiceAccountNotAllowed',
  'XMinioIAMServiceAccountSessionPolicyTooLarge',
  'XMinioInvalidGroupName',
  'XMinioInvalidIAMCredentials',
  'XMinioInvalidResource',
  'XMinioInvalidUTF',
  'XMinioMalformedIAMPolicy',
  'XMinioMalformedJSON',
  'XMinioPolicyAlreadyAttached',
  'XMinioPolicyNotAttached',
  'XMinioRequestBodyParse',
  'XMinioServerNotInitialized',
  'XMinioStorageFull',
] as const

export type MadminErrorCode = (typeof MADMIN_CODES)[number] | 'Unknown'

/**
 * An admin call that the server refused. Failures of the network are no such error: they come through as undici
 * throws them, with their `code` (`ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`).
 */
export class MadminError extends Refusal<(typeof MADMIN_CODES)[number]> {
  override readonly name = 'MadminError'

  constructor(answer: RefusedAnswer, options?: ErrorOptions) {
    super(MADMIN_CODES, answer, options)
  }

  /** Whether the server does not have this call at all, as older releases and other families say it. */
  get unsupported(): boolean {
    return this.status === 426 || this.status === 501
  }
}
