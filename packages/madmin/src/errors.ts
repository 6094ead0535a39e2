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

const known = new Set<string>(MADMIN_CODES)

/**
 * An admin call that the server refused. Failures of the network are no such error: they come through as undici
 * throws them, with their `code` (`ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`).
 */
export class MadminError extends Error {
  override readonly name = 'MadminError'
  readonly code: MadminErrorCode
  /** The server's own word, also where `code` is `Unknown`; empty when it said none. */
  readonly rawCode: string
  /** HTTP status. */
  readonly status: number
  readonly requestId: string | undefined

  constructor(
    answer: { code: string; message: string; status: number; requestId?: string | undefined },
    options?: ErrorOptions,
  ) {
    super(answer.message, options)
    this.rawCode = answer.code
    this.code = isKnown(answer.code) ? answer.code : 'Unknown'
    this.status = answer.status
    this.requestId = answer.requestId
  }

  /** Whether the server does not have this call at all, as older releases and other families say it. */
  get unsupported(): boolean {
    return this.status === 426 || this.status === 501
  }
}

function isKnown(code: string): code is (typeof MADMIN_CODES)[number] {
  return known.has(code)
}
