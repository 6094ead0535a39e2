import type { Credentials } from '@stowage/sigv4'
import { SignJWT } from 'jose'

/**
 * The token by which servers of this family let somebody read their metrics.
 * @param lifetime as jose reads it: `5m`, `100y`
 */
export async function scrapeToken({ accessKey, secretKey }: Credentials, lifetime: string): Promise<string> {
  return await new SignJWT({ accessKey })
    .setProtectedHeader({ alg: 'HS512', typ: 'JWT' })
    .setIssuer('prometheus')
    .setSubject(accessKey)
    .setExpirationTime(lifetime)
    .sign(Buffer.from(secretKey))
}
