import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kube, resources } from '@stowage/kube'
import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { getOrCreate } from './start-operator.ts'

/** Namespace of the operator, which has the secret with the license. */
export const LICENSE_NAMESPACE = 'minio-operator'

export interface TestLicenses extends Disposable {
  /** File with the key that verifies them. */
  keyFile: string
  /** A license of North Quay, valid until 2099. */
  license: string
  /** Issues a license with other claims. @param expires seconds since 1970 */
  issue(claims: { org?: string; plan?: string }, expires?: number): Promise<string>
}

/** Starts a test vendor of licenses. */
export async function startLicenses(): Promise<TestLicenses> {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-license-'))
  const keyFile = join(folder, 'key.pem')
  const { publicKey, privateKey } = await generateKeyPair('ES384')
  writeFileSync(keyFile, await exportSPKI(publicKey))
  const issue = async (claims: object, expires = 4_070_952_000) =>
    await new SignJWT({ org: 'North Quay', aid: 7, cap: 50, plan: 'STANDARD', ...claims })
      .setProtectedHeader({ alg: 'ES384' })
      .setSubject('ops@example.com')
      .setExpirationTime(expires)
      .sign(privateKey)
  const license = await issue({})
  return { keyFile, license, issue, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Creates the namespace of the license. A cluster that outlives a test may have it already, with a license in it. */
export async function ensureUnlicensed(kube: Kube): Promise<void> {
  await getOrCreate(kube, resources.namespaces, { metadata: { name: LICENSE_NAMESPACE } })
  const fieldSelector = 'metadata.name=subnet-license'
  await kube.deleteCollection(resources.secrets, { namespace: LICENSE_NAMESPACE, fieldSelector })
}
