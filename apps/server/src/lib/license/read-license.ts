import { readFile } from 'node:fs/promises'
import type { Subscription } from '@stowage/contract'
import { importSPKI, jwtVerify } from 'jose'

/** The only algorithm of the vendor's licenses. The algorithm named in the license itself is ignored. */
const ALGORITHM = 'ES384'

export interface LicenseSettings {
  /** The license: a JSON Web Token. */
  token: string
  /** File with the issuer's public key (PEM). */
  keyFile: string
}

/**
 * Returns the content of a license if its signature is valid and it has not expired.
 * @throws the errors of `jose`, and of the file system
 */
export async function readLicense({ token, keyFile }: LicenseSettings): Promise<Subscription> {
  const key = await importSPKI(await readFile(keyFile, 'utf8'), ALGORITHM)
  const { payload } = await jwtVerify(token, key, { algorithms: [ALGORITHM], requiredClaims: ['exp'] })
  const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : '')
  const number = (name: string) => (typeof payload[name] === 'number' ? payload[name] : 0)
  return {
    email: text('sub'),
    organization: text('org'),
    account_id: number('aid'),
    storage_capacity: number('cap'),
    plan: text('plan'),
    expires_at: new Date((payload.exp ?? 0) * 1000)
      .toISOString()
      .replace('T', ' ')
      .replace(/\.\d+Z$/, ' +0000 UTC'),
  }
}
