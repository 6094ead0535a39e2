import { readFile } from 'node:fs/promises'
import type { Subscription } from '@stowage/contract'
import { importSPKI, jwtVerify } from 'jose'

/** The one algorithm of the vendor's licenses: what a license says about itself decides nothing. */
const ALGORITHM = 'ES384'

export interface LicenseSettings {
  /** The license: a JSON Web Token. */
  token: string
  /** File with the public key of who issued it (PEM). */
  keyFile: string
}

/**
 * What a license says, when its signature is good and it has not expired.
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
