import { reason } from '@stowage/contract'
import { type Kube, KubeError, resources, type SavedKubeObject, type TenantObject } from '@stowage/kube'
import { type ConfigVariables, detectConfigForm, readConfigEnv, writeConfigEnv } from '@stowage/kube/config-env'
import type { Secret } from 'kubernetes-types/core/v1'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { readTenant, retryConflicts, type TenantReference } from '../kube-objects/change-tenant.ts'
import { encodeSecretData } from '../kube-objects/encode-secret.ts'
import type { SecretChanges } from '../kube-objects/secret-changes.ts'
import { checkVariables } from './identity-provider-variables.ts'

/** The effective configuration of a tenant's servers, as far as the caller may see it. */
export interface EffectiveConfiguration {
  variables: Record<string, string>
  /** False if the caller has no right to read the tenant's secrets. */
  readable: boolean
  rootUser: string | undefined
  rootPassword: string | undefined
}

/**
 * Reads the variables of a tenant. Later sources override earlier ones: `env`, the secret with the credentials, the secret with
 * the configuration.
 */
export async function effectiveConfiguration(
  kube: Kube,
  tenant: SavedKubeObject<TenantObject>,
  signal?: AbortSignal,
): Promise<EffectiveConfiguration> {
  const variables: Record<string, string> = {}
  for (const { name, value } of tenant.spec?.env ?? []) if (value !== undefined) variables[name] = value
  let readable = true
  const read = async (name: string | undefined): Promise<Record<string, string>> => {
    if (!name) return {}
    try {
      return await readSecretData(kube, tenant.metadata.namespace, name, signal)
    } catch (error) {
      if (!(error instanceof KubeError) || (error.code !== 'Forbidden' && error.code !== 'NotFound')) throw error
      if (error.code === 'Forbidden') readable = false
      return {}
    }
  }
  const [credentials, configuration] = await Promise.all([
    read(tenant.spec?.credsSecret?.name),
    read(tenant.spec?.configuration?.name),
  ])
  const { accesskey, secretkey } = credentials
  if (accesskey) variables.MINIO_ROOT_USER = accesskey
  if (secretkey) variables.MINIO_ROOT_PASSWORD = secretkey
  Object.assign(variables, configVariables(tenant, configuration['config.env']))
  return {
    variables,
    readable,
    rootUser: variables.MINIO_ROOT_USER ?? variables.MINIO_ACCESS_KEY,
    rootPassword: variables.MINIO_ROOT_PASSWORD ?? variables.MINIO_SECRET_KEY,
  }
}

const configFileText = ({ data }: Secret) => Buffer.from(data?.['config.env'] ?? '', 'base64').toString('utf8')

/** Returns the variables in the configuration file of a tenant. */
export function configVariables({ spec }: TenantObject, text = ''): Record<string, string> {
  return readConfigEnv(text, detectConfigForm(spec?.image, text))
}

/**
 * Rewrites the configuration file of a tenant whose new image reads it in another way. Without the right to change the secret the
 * file stays: most files contain no character that is read differently.
 */
export async function convertConfiguration(
  kube: Kube,
  { metadata, spec }: SavedKubeObject<TenantObject>,
  image: string,
  changes: SecretChanges,
): Promise<void> {
  const name = spec?.configuration?.name
  if (!name || detectConfigForm(image) === 'shell') return
  try {
    const secret = await kube.get(resources.secrets, { namespace: metadata.namespace, name })
    const text = configFileText(secret)
    const form = detectConfigForm(spec.image, text)
    const file = writeConfigEnv(readConfigEnv(text, form), 'plain')
    if (form === 'plain' || file === text) return
    await changes.update(secret, encodeSecretData({ 'config.env': file }))
  } catch (error) {
    if (!(error instanceof KubeError) || (error.code !== 'Forbidden' && error.code !== 'NotFound')) throw error
  }
}

/** Returns the decoded values of a secret. */
export async function readSecretData(
  kube: Kube,
  namespace: string | undefined,
  name: string,
  signal?: AbortSignal,
): Promise<Record<string, string>> {
  const { data = {} } = await kube.get(resources.secrets, { namespace, name }, { signal })
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  )
}

/**
 * Changes the variables of a tenant in its secret, whose other keys are kept, after a check of those that are set. After a
 * conflict with another change, it is applied again to the new state.
 * @throws HttpError 400 for a wrong value; 409 if the tenant has no such secret; KubeError
 */
export async function changeVariables(
  kube: Kube,
  at: TenantReference,
  set: ConfigVariables,
  change: (variables: Record<string, string>) => void,
  signal: AbortSignal,
): Promise<void> {
  const { spec } = await readTenant(kube, at, signal)
  const name = spec?.configuration?.name
  if (!name) throw new HttpError(409, reason('tenant-without-configuration'))
  await retryConflicts(async () => {
    const secret = await kube.get(resources.secrets, { namespace: at.namespace, name }, { signal })
    const text = configFileText(secret)
    const form = detectConfigForm(spec?.image, text)
    checkVariables(set, form)
    const variables = readConfigEnv(text, form)
    change(variables)
    const data = { ...secret.data, ...encodeSecretData({ 'config.env': writeConfigEnv(variables, form) }) }
    await kube.update(resources.secrets, { ...secret, data })
  })
}
