import { randomInt } from 'node:crypto'
import { reason } from '@stowage/contract'
import type { CreateTenant } from '@stowage/contract/tenants/create-tenant'
import { GiB } from '@stowage/contract/values/units'
import { TENANT_LABEL, type TenantObject, type TenantSpec } from '@stowage/kube'
import { detectConfigForm, writeConfigEnv } from '@stowage/kube/config-env'
import type { Secret } from 'kubernetes-types/core/v1'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { KES_IMAGE, kesFiles } from '../certificates/kes-configuration.ts'
import { authorityCertificates, readKeyPair } from '../certificates/pem-certificates.ts'
import { checkVariables, ldapVariables, oidcVariables } from '../configuration/identity-provider-variables.ts'
import { encodeSecretData } from '../kube-objects/encode-secret.ts'
import type { SupportedTenantFields } from '../kube-objects/supported-tenant-fields.ts'
import { poolObject, securityContextField } from '../pools/pool-object.ts'

/** The objects of a new tenant, in the order of their creation. */
export interface NewTenantObjects {
  secrets: Secret[]
  tenant: TenantObject
}

export interface TenantDefaults {
  generation: SupportedTenantFields
  /** Image of tenants that name none. */
  image: string | undefined
  /** License of the cluster. */
  license?: string | undefined
}

/** Letters and digits of generated keys, without those that look alike. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'

export function randomCredential(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

const PROMETHEUS = { path: '/minio/prometheus/metrics', port: '9000', scrape: 'true' } as const

/** The annotations by which Prometheus finds a tenant. */
export const SCRAPE_ANNOTATIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(PROMETHEUS).map(([name, value]) => [`prometheus.io/${name}`, value]),
)

/**
 * Returns the objects of a new tenant from the form. Sends nothing.
 * @throws HttpError 400 for errors that the API server would not detect
 */
export function newTenantObjects(form: CreateTenant, { generation, image, license }: TenantDefaults): NewTenantObjects {
  const { name, namespace } = form
  const parity = form.erasureCodingParity ?? 0
  if (parity !== 0 && (parity < 2 || parity > 8)) throw new HttpError(400, reason('parity-invalid'))

  const secrets: Secret[] = []
  const secret = (suffix: string, data: Record<string, string>, more: Partial<Secret> = {}) => {
    const metadata = { name: `${name}-${suffix}`, namespace, labels: { [TENANT_LABEL]: name } }
    secrets.push({ metadata, type: 'Opaque', ...more, data: encodeSecretData(data) })
    return { name: metadata.name }
  }

  const root = { user: form.access_key || randomCredential(16), password: form.secret_key || randomCredential(32) }
  const pools: TenantSpec['pools'] = []
  for (const pool of form.pools)
    pools.push(
      poolObject(
        name,
        pool,
        pools.map((each) => each.name ?? ''),
      ),
    )
  const storageClass = form.pools[0]?.volume_configuration.storage_class_name ?? ''
  const spec: TenantSpec = {
    ...(form.image || image ? { image: form.image || image || '' } : {}),
    mountPath: form.mount_path || form.mounth_path || '/export',
    // Operators before 2022 read the keys only from here; those since 2024 do not have this field.
    ...(generation.credsSecret
      ? { credsSecret: secret('secret', { accesskey: root.user, secretkey: root.password }, { immutable: true }) }
      : {}),
    requestAutoCert: form.enable_tls,
    exposeServices: { minio: form.expose_minio, console: form.expose_console },
    pools,
  }
  const variables: Record<string, string> = {
    MINIO_BROWSER: form.enable_console ? 'on' : 'off',
    MINIO_ROOT_USER: root.user,
    MINIO_ROOT_PASSWORD: root.password,
    ...(parity > 0 ? { MINIO_STORAGE_CLASS_STANDARD: `EC:${parity}` } : {}),
    ...(license ? { MINIO_SUBNET_LICENSE: license } : {}),
  }

  const { active_directory: directory, oidc, keys } = form.idp ?? {}
  const users: { name: string }[] = []
  if (directory) {
    Object.assign(variables, ldapVariables(directory))
    for (const [index, dn] of (directory.user_dns ?? []).entries())
      users.push(secret(`user-${index}`, { CONSOLE_ACCESS_KEY: dn }, { immutable: true }))
  } else if (oidc) Object.assign(variables, oidcVariables(oidc))
  else
    for (const [index, { access_key, secret_key }] of (keys ?? []).entries())
      users.push(
        secret(
          `user-${index}`,
          { CONSOLE_ACCESS_KEY: access_key, CONSOLE_SECRET_KEY: secret_key },
          { immutable: true },
        ),
      )
  if (users.length > 0) spec.users = users

  const tls = { type: 'kubernetes.io/tls', immutable: true } as const
  const pair = (suffix: string, files: { crt: string; key: string }) => ({
    ...secret(suffix, tlsSecretData(files), tls),
    type: tls.type,
  })
  // The console is part of each server, so its certificates are added to the server's.
  const { minio, console: ofConsole, ca_certificates, console_ca_certificates } = form.tls ?? {}
  const own = [...(minio ?? []), ...(ofConsole ? [ofConsole] : [])].map((files, index) =>
    pair(`secret-instance-external-certificates-${index}`, files),
  )
  if (own.length > 0) spec.externalCertSecret = own
  const trusted = [...(ca_certificates ?? []), ...(console_ca_certificates ?? [])].map((file, index) => ({
    ...secret(`ca-certificate-${index}`, { 'public.crt': authorityCertificates(file) }),
    type: 'Opaque',
  }))
  if (trusted.length > 0) spec.externalCaCertSecret = trusted

  if (form.encryption) {
    // The key server is reached only over TLS. The original silently ignored the request.
    if (!form.enable_tls && own.length === 0) throw new HttpError(400, reason('certificate-without-tls'))
    const { client, server, labels, annotations, node_selector, securityContext, replicas } = form.encryption
    const clientPair = client && readKeyPair(client)
    if (client) spec.externalClientCertSecret = pair('secret-tenant-external-client-cert-0', client)
    const serverSecret = server && pair('secret-kes-external-cert-0', server)
    const files = kesFiles(form.encryption, clientPair?.crt)
    const kesSecret = secret(
      'secret-kes-configuration',
      { 'server-config.yaml': files.configuration },
      { immutable: true },
    )
    const hasClient = Object.keys(files.client).length > 0
    spec.kes = {
      image: form.encryption.image || KES_IMAGE,
      replicas: Number(replicas || 1),
      kesSecret,
      ...(serverSecret ? { externalCertSecret: serverSecret } : {}),
      ...(hasClient ? { clientCertSecret: secret('secret-kes-client-cert', files.client, { immutable: true }) } : {}),
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ...(node_selector ? { nodeSelector: node_selector } : {}),
      ...securityContextField(securityContext),
    }
  }

  const registry = form.image_registry
  if (form.image_pull_secret) spec.imagePullSecret = { name: form.image_pull_secret }
  else if (registry) {
    const type = 'kubernetes.io/dockerconfigjson'
    spec.imagePullSecret = secret('regcred', { '.dockerconfigjson': dockerConfig(registry) }, { type })
  }

  // The default image of operators before `buckets` (4.3.7 and earlier) is from 2021-11.
  const configForm = spec.image || generation.buckets ? detectConfigForm(spec.image) : 'shell'
  if (generation.logSearch) spec.log = logSearch(form, storageClass)
  if (generation.prometheus) spec.prometheus = prometheus(form, storageClass)
  if (generation.configuration) {
    const file = writeConfigEnv(checkVariables(variables, configForm), configForm)
    spec.configuration = secret('env-configuration', { 'config.env': file })
  } else spec.env = Object.entries(checkVariables(variables, 'shell')).map(([key, value]) => ({ name: key, value }))

  const annotations = { ...form.annotations, ...(form.enable_prometheus && form.annotations ? SCRAPE_ANNOTATIONS : {}) }
  return {
    secrets,
    tenant: {
      apiVersion: 'minio.min.io/v2',
      kind: 'Tenant',
      metadata: {
        name,
        namespace,
        ...(form.labels ? { labels: form.labels } : {}),
        ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
      },
      spec,
    },
  }
}

export function tlsSecretData(files: { crt: string; key: string }): Record<string, string> {
  const { crt, key } = readKeyPair(files)
  return { 'tls.crt': crt, 'tls.key': key }
}

export function dockerConfig({ registry, username, password }: NonNullable<CreateTenant['image_registry']>): string {
  const auth = Buffer.from(`${username}:${password}`).toString('base64')
  return JSON.stringify({ auths: { [registry]: { username, password, auth } } })
}

function logSearch({ name, logSearchConfiguration: form }: CreateTenant, pools: string): Record<string, unknown> {
  const size = form?.storageSize || 5
  const storageClassName = form ? form.storageClass || pools : ''
  return {
    ...image('image', form?.image),
    audit: { diskCapacityGB: Math.min(10, size) },
    db: {
      ...image('image', form?.postgres_image),
      ...image('initimage', form?.postgres_init_image),
      volumeClaimTemplate: {
        metadata: { name: `${name}-log` },
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: String(size * GiB) } },
          ...(storageClassName ? { storageClassName } : {}),
        },
      },
    },
  }
}

function prometheus({ prometheusConfiguration: form }: CreateTenant, pools: string): Record<string, unknown> {
  const storageClassName = form ? form.storageClass || pools : ''
  return {
    diskCapacityGB: form?.storageSize || 5,
    ...(storageClassName ? { storageClassName } : {}),
    ...image('image', form?.image),
    ...image('sidecarimage', form?.sidecar_image),
    ...image('initimage', form?.init_image),
  }
}

const image = (name: string, value: string | undefined) => (value ? { [name]: value } : {})
