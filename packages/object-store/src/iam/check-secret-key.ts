import { S3Error } from '../lib/errors.ts'

/** @throws S3Error XMinioAdminInvalidSecretKey */
export function checkSecretKey(secretKey: string): void {
  if (secretKey.length < 8) {
    throw new S3Error('XMinioAdminInvalidSecretKey', 'The secret key must have 8 characters or more.')
  }
}
