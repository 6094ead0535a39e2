import type { SigningCredentials } from '@stowage/sigv4'
import { SignJWT } from 'jose'

/**
 * Creates the token with which MinIO and its forks allow reading their metrics.
 * @param lifetime in the format of jose: `5m`, `100y`
 */
export async function createScrapeToken(
  { accessKey, secretKey }: SigningCredentials,
  lifetime: string,
): Promise<string> {
  return await new SignJWT({ accessKey })
    .setProtectedHeader({ alg: 'HS512', typ: 'JWT' })
    .setIssuer('prometheus')
    .setSubject(accessKey)
    .setExpirationTime(lifetime)
    .sign(Buffer.from(secretKey))
}
