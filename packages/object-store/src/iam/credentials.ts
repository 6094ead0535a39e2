import { S3Error } from '../errors.ts'

/** @throws S3Error XMinioAdminInvalidAccessKey, XMinioInvalidResource (a blank at an edge) */
export function checkAccessKey(accessKey: string): void {
  if (accessKey.trim() !== accessKey)
    throw new S3Error('XMinioInvalidResource', 'The name begins or ends with a blank.')
  if (accessKey.length < 3 || /[=,]/.test(accessKey)) {
    throw new S3Error(
      'XMinioAdminInvalidAccessKey',
      'The access key must have 3 characters or more and must not hold "=" or ",".',
    )
  }
}

/** @throws S3Error XMinioAdminInvalidSecretKey */
export function checkSecretKey(secretKey: string): void {
  if (secretKey.length < 8) {
    throw new S3Error('XMinioAdminInvalidSecretKey', 'The secret key must have 8 characters or more.')
  }
}
