import { ServerError, type ServerErrorAnswer } from './server-error.ts'

/** The error codes of admin calls. Any other code becomes `Unknown`; see `rawCode`. */
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
  'XMinioAdminConfigDuplicateKeys',
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
  'XMinioAdminTierAlreadyExists',
  'XMinioAdminTierBackendInUse',
  'XMinioAdminTierBackendNotEmpty',
  'XMinioAdminTierBucketNotFound',
  'XMinioAdminTierInsufficientPermissions',
  'XMinioAdminTierInvalidConfig',
  'XMinioAdminTierInvalidCredentials',
  'XMinioAdminTierNameNotUpperCase',
  'XMinioAdminTierNotFound',
  'XMinioAdminTierReserved',
  'XMinioAdminTierTypeUnsupported',
  'XMinioAdminNotificationTargetsTestFailed',
  'XMinioConfigError',
  'XMinioConfigNotFoundError',
  'XMinioHealAlreadyRunning',
  'XMinioHealInvalidClientToken',
  'XMinioHealMissingBucket',
  'XMinioHealNoSuchProcess',
  'XMinioHealOverlappingPaths',
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
 * An error that the server answered an admin call with. Network errors are thrown as by undici, with their `code`
 * (`ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`).
 */
export class MadminError extends ServerError<(typeof MADMIN_CODES)[number]> {
  override readonly name = 'MadminError'

  constructor(answer: ServerErrorAnswer, options?: ErrorOptions) {
    super(MADMIN_CODES, answer, options)
  }

  /** Whether the server does not support this call at all, such as older releases and other servers. */
  get unsupported(): boolean {
    return this.status === 426 || this.status === 501
  }

  /** The same, for a call that never answers 404 or 405 itself. */
  get isMissingCall(): boolean {
    return this.unsupported || this.status === 404 || this.status === 405
  }
}
