import { type Kube, KubeError, resources } from '@stowage/kube'
import type { Secret } from 'kubernetes-types/core/v1'
import { changeTenant, readTenant } from '../kube-objects/change-tenant.ts'
import { encodeSecretData } from '../kube-objects/encode-secret.ts'
import { changeVariables, readSecretData } from './tenant-configuration.ts'

/** Name of the secret with the cluster's license. */
const SECRET = 'subnet-license'
const KEY = 'CONSOLE_SUBNET_LICENSE'
const VARIABLE = 'MINIO_SUBNET_LICENSE'

/**
 * Returns the cluster's license; undefined if the cluster has none.
 * @throws KubeError Forbidden if the caller has no right to read it
 */
export async function readClusterLicense(
  kube: Kube,
  namespace: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return (await readSecretData(kube, namespace, SECRET, signal))[KEY] || undefined
  } catch (error) {
    if (error instanceof KubeError && error.code === 'NotFound') return undefined
    throw error
  }
}

/** Returns the cluster's license; undefined also if the caller has no right to read it. */
export async function readClusterLicenseIfAllowed(
  kube: Kube,
  namespace: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await readClusterLicense(kube, namespace, signal)
  } catch (error) {
    if (error instanceof KubeError && error.code === 'Forbidden') return undefined
    throw error
  }
}

/** Stores the cluster's license. @throws KubeError */
export async function writeClusterLicense(
  kube: Kube,
  namespace: string,
  license: string,
  signal: AbortSignal,
): Promise<void> {
  const data = encodeSecretData({ [KEY]: license })
  const made: Secret = { metadata: { name: SECRET, namespace }, type: 'Opaque', data }
  try {
    await kube.create(resources.secrets, made, { signal })
  } catch (error) {
    if (!(error instanceof KubeError) || error.code !== 'AlreadyExists') throw error
    const secret = await kube.get(resources.secrets, { namespace, name: SECRET }, { signal })
    await kube.update(resources.secrets, { ...secret, data: { ...secret.data, ...data } }, { signal })
  }
}

/** Gives a license to a tenant: in its configuration file, or in the environment of its pods. */
export async function attachLicense(
  kube: Kube,
  params: { namespace: string; tenant: string },
  license: string,
  signal: AbortSignal,
): Promise<void> {
  const { spec } = await readTenant(kube, params, signal)
  if (spec?.configuration?.name) {
    const attach = (variables: Record<string, string>) => {
      variables[VARIABLE] = license
    }
    return await changeVariables(kube, params, { [VARIABLE]: license }, attach, signal)
  }
  await changeTenant(
    kube,
    params,
    (tenant) => {
      if (!tenant.spec) return
      const others = (tenant.spec.env ?? []).filter((each) => each.name !== VARIABLE)
      tenant.spec.env = [...others, { name: VARIABLE, value: license }]
    },
    signal,
  )
}
