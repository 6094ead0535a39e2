import { randomBytes } from 'node:crypto'
import { reason } from '@stowage/contract'
import { tenantSecurityCalls } from '@stowage/contract/tenants/tenant-security'
import {
  type CertificateReference,
  type Kube,
  KubeError,
  resources,
  type SavedKubeObject,
  TENANT_LABEL,
  type TenantObject,
  type TenantSpec,
} from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import type { Secret } from 'kubernetes-types/core/v1'
import { parse } from 'yaml'
import { HttpError } from '../../../lib/errors/http-errors.ts'
import { serveOperator } from '../../../lib/http/serve.ts'
import { deleteKubeObject } from '../../../lib/kube/delete-kube-object.ts'
import { KES_IMAGE, kesFiles, keyStoreType } from '../certificates/kes-configuration.ts'
import { authorityCertificates, describeCertificate, readKeyPair } from '../certificates/pem-certificates.ts'
import {
  LDAP_PREFIX,
  LDAP_SWITCHES,
  LDAP_TEXTS,
  ldapVariables,
  OIDC_PREFIX,
  OIDC_TEXTS,
  oidcVariables,
} from '../configuration/identity-provider-variables.ts'
import { changeVariables, configVariables, readSecretData } from '../configuration/tenant-configuration.ts'
import { tlsSecretData } from '../create-and-delete/new-tenant-objects.ts'
import { tenantHasTls } from '../details/describe-tenant.ts'
import { referencedSecrets } from '../details/tenant-drift.ts'
import { changeTenant, readTenant, type TenantReference } from '../kube-objects/change-tenant.ts'
import { encodeSecretData } from '../kube-objects/encode-secret.ts'
import { SecretChanges } from '../kube-objects/secret-changes.ts'
import { hasCredential, isSecretVariable } from '../kube-objects/secret-variables.ts'
import { tenantLabelSelector } from '../kube-objects/tenant-pods.ts'

const TLS = 'kubernetes.io/tls'
const TLS_TYPES = new Set([TLS, 'cert-manager.io/v1alpha2', 'cert-manager.io/v1'])

export function tenantSecurityRoutes(app: FastifyInstance): void {
  serveOperator(app, tenantSecurityCalls.getTenantSecurity, async ({ params }, { kube, signal }) => {
    const { spec = { pools: [] } } = await readTenant(kube, params, signal)
    const read = (references: CertificateReference[] = []) =>
      Promise.all(references.map((reference) => readCertificate(kube, params.namespace, reference, signal)))
    const clients = [
      ...(spec.externalClientCertSecrets ?? []),
      ...(spec.externalClientCertSecret ? [spec.externalClientCertSecret] : []),
    ]
    const [minio, minioCAs, client] = await Promise.all([
      read(spec.externalCertSecret),
      read(spec.externalCaCertSecret),
      read(clients),
    ])
    return { autoCert: spec.requestAutoCert ?? true, customCertificates: { minio, minioCAs, client } }
  })

  serveOperator(app, tenantSecurityCalls.updateTenantSecurity, async ({ params, body }, { kube, signal }) => {
    const { secretsToBeDeleted, minio, minioCAs } = body.customCertificates ?? {}
    const gone = new Set(secretsToBeDeleted ?? [])
    const random = randomBytes(4).toString('hex')
    const pairs = (minio ?? []).map((files, index) =>
      newSecret(params, `${random}-external-certificates-${index}`, tlsSecretData(files), {
        type: TLS,
        immutable: true,
      }),
    )
    const trusted = (minioCAs ?? []).map((file, index) =>
      newSecret(params, `${random}-ca-certificate-${index}`, { 'public.crt': authorityCertificates(file) }),
    )
    const before = await readTenant(kube, params, signal)
    const referenced = new Set(
      [...(before.spec?.externalCertSecret ?? []), ...(before.spec?.externalCaCertSecret ?? [])].map(
        ({ name }) => name,
      ),
    )
    for (const secret of gone)
      if (!referenced.has(secret)) throw new HttpError(400, reason('secret-not-referenced', { secret }))

    await changeWithSecrets(kube, before, [...pairs, ...trusted], (spec) => {
      const next = (list: CertificateReference[] = [], added: CertificateReference[]) => {
        const names = new Set([...gone, ...added.map(({ name }) => name)])
        return [...list.filter(({ name }) => !names.has(name)), ...added]
      }
      spec.requestAutoCert = body.autoCert
      spec.externalCertSecret = next(
        spec.externalCertSecret,
        pairs.map((each) => referenceTo(each, TLS)),
      )
      spec.externalCaCertSecret = next(
        spec.externalCaCertSecret,
        trusted.map((each) => referenceTo(each, 'Opaque')),
      )
    })
    // Nothing refers to these secrets any more.
    await Promise.all([...gone].map((secret) => removeSecret(kube, params.namespace, secret)))
  })

  serveOperator(app, tenantSecurityCalls.updateTenantCertificates, async ({ params, body }, { kube, signal }) => {
    const before = await readTenant(kube, params, signal)
    if (!before.spec?.externalCertSecret?.length) throw new HttpError(400, reason('tenant-without-certificates'))
    const pairs = (body.minio ?? []).map((files, index) =>
      newSecret(params, `secret-instance-external-certificates-${index}`, tlsSecretData(files), {
        type: TLS,
        immutable: true,
      }),
    )
    if (pairs.length === 0) throw new HttpError(400, reason('certificate-files-empty'))
    const trusted = (body.ca_certificates ?? []).map((file, index) =>
      newSecret(params, `ca-certificate-${index}`, { 'public.crt': authorityCertificates(file) }),
    )
    await checkRestart(kube, params, [tenantLabelSelector(params.tenant)], signal)
    await changeWithSecrets(kube, before, [...pairs, ...trusted], (spec) => {
      spec.externalCertSecret = pairs.map((each) => referenceTo(each, TLS))
      if (trusted.length > 0) spec.externalCaCertSecret = trusted.map((each) => referenceTo(each, 'Opaque'))
    })
    await restartPods(kube, params, [tenantLabelSelector(params.tenant)])
  })

  serveOperator(app, tenantSecurityCalls.getTenantEncryption, async ({ params }, { kube, signal }) => {
    const { spec } = await readTenant(kube, params, signal)
    const kes = spec?.kes
    if (!kes) return { enabled: false, image: '', replicas: 0, type: '', endpoint: '', server: null, client: null }
    const read = async (reference: CertificateReference | undefined) =>
      reference ? await readCertificate(kube, params.namespace, reference, signal) : null
    const [data, server, client] = await Promise.all([
      readSecretOrEmpty(kube, params.namespace, kes.kesSecret.name ?? '', signal),
      read(kes.externalCertSecret),
      read(spec?.externalClientCertSecret),
    ])
    return {
      enabled: true,
      image: kes.image ?? '',
      replicas: kes.replicas ?? 1,
      ...keyStoreType(parseYaml(data['server-config.yaml'])),
      server,
      client,
    }
  })

  serveOperator(app, tenantSecurityCalls.updateTenantEncryption, async ({ params, body }, { kube, signal }) => {
    const tenant = await readTenant(kube, params, signal)
    // The key server is reached only over TLS.
    if (!tenantHasTls(tenant)) throw new HttpError(400, reason('certificate-without-tls'))
    const image = body.image || tenant.spec?.kes?.image || KES_IMAGE
    const clientPair = body.client && readKeyPair(body.client)
    const files = kesFiles({ ...body, image }, clientPair?.crt ?? (await clientCertificate(kube, tenant, signal)))
    const configuration = newSecret(params, 'secret-kes-configuration', { 'server-config.yaml': files.configuration })
    const client = Object.keys(files.client).length > 0 && newSecret(params, 'secret-kes-client-cert', files.client)
    const own =
      body.client &&
      newSecret(params, 'secret-tenant-external-client-cert-0', tlsSecretData(body.client), { type: TLS })
    const server =
      body.server && newSecret(params, 'secret-kes-external-cert-0', tlsSecretData(body.server), { type: TLS })
    const secrets = [configuration, client, own, server].flatMap((each) => (each ? [each] : []))
    // The servers read their client certificate when they start.
    const restarted = [`v1.min.io/kes=${params.tenant}-kes`, ...(own ? [tenantLabelSelector(params.tenant)] : [])]
    await checkRestart(kube, params, restarted, signal)
    await changeWithSecrets(kube, tenant, secrets, (spec) => {
      spec.kes = {
        ...spec.kes,
        image,
        replicas: Number(body.replicas || spec.kes?.replicas || 1),
        kesSecret: { name: configuration.metadata?.name ?? '' },
        ...(client ? { clientCertSecret: referenceTo(client, 'Opaque') } : {}),
        ...(server ? { externalCertSecret: referenceTo(server, TLS) } : {}),
      }
      if (own) spec.externalClientCertSecret = referenceTo(own, TLS)
    })
    await restartPods(kube, params, restarted)
  })

  serveOperator(app, tenantSecurityCalls.deleteTenantEncryption, async ({ params }, { kube, signal }) => {
    await changeTenant(
      kube,
      params,
      ({ spec }) => {
        if (!spec?.kes) throw new HttpError(404, reason('tenant-without-encryption'))
        delete spec.kes
      },
      signal,
    )
  })

  serveOperator(app, tenantSecurityCalls.getTenantConfiguration, async ({ params }, { kube, signal }) => {
    const tenant = await readTenant(kube, params, signal)
    const secret = tenant.spec?.configuration?.name
    const read = secret
      ? await kube.get(resources.secrets, { namespace: params.namespace, name: secret }, { signal })
      : undefined
    const text = Buffer.from(read?.data?.['config.env'] ?? '', 'base64').toString('utf8')
    const environmentVariables = Object.entries(configVariables(tenant, text)).map(([key, value]) => {
      const isSecret = isSecretVariable(key) || hasCredential(value)
      return { key, value: isSecret ? '' : value, secret: isSecret }
    })
    return {
      environmentVariables,
      sftpExposed: tenant.spec?.features?.enableSFTP ?? false,
      resourceVersion: read?.metadata.resourceVersion ?? '',
    }
  })

  serveOperator(app, tenantSecurityCalls.updateTenantConfiguration, async ({ params, body }, { kube, signal }) => {
    const set = Object.fromEntries((body.environmentVariables ?? []).map(({ key, value }) => [key, value]))
    await checkRestart(kube, params, [tenantLabelSelector(params.tenant)], signal)
    await changeVariables(
      kube,
      params,
      set,
      (variables) => {
        for (const key of body.keysToBeDeleted ?? []) delete variables[key]
        Object.assign(variables, set)
      },
      signal,
    )
    if (body.sftpExposed !== undefined) {
      const { sftpExposed } = body
      await changeTenant(
        kube,
        params,
        ({ spec }) => {
          if (spec) spec.features = { ...spec.features, enableSFTP: sftpExposed }
        },
        signal,
      )
    }
    await restartPods(kube, params, [tenantLabelSelector(params.tenant)])
  })

  serveOperator(app, tenantSecurityCalls.getTenantIdentityProvider, async ({ params }, { kube, signal }) => {
    const tenant = await readTenant(kube, params, signal)
    const secret = tenant.spec?.configuration?.name
    const data = secret ? await readSecretData(kube, params.namespace, secret, signal) : {}
    const variables = configVariables(tenant, data['config.env'])
    const shown = (name: string) => (isSecretVariable(name) ? '' : (variables[name] ?? ''))
    const texts = (prefix: string, fields: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(fields).map(([field, name]) => [field, shown(prefix + name)]))
    const switches = Object.fromEntries(
      Object.entries(LDAP_SWITCHES).map(([field, name]) => [field, variables[LDAP_PREFIX + name] === 'on']),
    )
    const hasLdap = Boolean(variables.MINIO_IDENTITY_LDAP_SERVER_ADDR)
    const hasOidc = Boolean(variables.MINIO_IDENTITY_OPENID_CONFIG_URL)
    return {
      oidc: hasOidc ? texts(OIDC_PREFIX, OIDC_TEXTS) : null,
      active_directory: hasLdap ? { ...texts(LDAP_PREFIX, LDAP_TEXTS), ...switches } : null,
    }
  })

  serveOperator(app, tenantSecurityCalls.updateTenantIdentityProvider, async ({ params, body }, { kube, signal }) => {
    const set = {
      ...(body.active_directory ? ldapVariables(body.active_directory) : {}),
      ...(body.oidc ? oidcVariables(body.oidc) : {}),
    }
    await checkRestart(kube, params, [tenantLabelSelector(params.tenant)], signal)
    await changeVariables(
      kube,
      params,
      set,
      (variables) => {
        for (const name of Object.keys(variables)) {
          const isIdentity = name.startsWith(LDAP_PREFIX) || name.startsWith(OIDC_PREFIX)
          // A secret is not shown, so an empty value means "unchanged".
          const stays = isSecretVariable(name) && name in set && set[name as keyof typeof set] === ''
          if (isIdentity && !stays) delete variables[name]
        }
        for (const [name, value] of Object.entries(set))
          if (value !== '' || !(name in variables)) variables[name] = value
      },
      signal,
    )
    await restartPods(kube, params, [tenantLabelSelector(params.tenant)])
  })

  serveOperator(app, tenantSecurityCalls.updateTenantDomains, async ({ params, body }, { kube, signal }) => {
    const { minio, console } = body.domains
    await changeTenant(
      kube,
      params,
      ({ spec }) => {
        if (!spec) return
        // Other features are unchanged.
        spec.features = { ...spec.features, domains: { minio: minio ?? [], ...(console ? { console } : {}) } }
      },
      signal,
    )
  })
}

function newSecret(
  { namespace, tenant }: TenantReference,
  suffix: string,
  data: Record<string, string>,
  more: Partial<Secret> = {},
): Secret {
  const metadata = { name: `${tenant}-${suffix}`, namespace, labels: { [TENANT_LABEL]: tenant } }
  return { metadata, type: 'Opaque', ...more, data: encodeSecretData(data) }
}

const referenceTo = ({ metadata }: Secret, type: string) => ({ name: metadata?.name ?? '', type })

/** Creates or replaces secrets, and makes the tenant use them; if that fails, the secrets are as they were before. */
async function changeWithSecrets(
  kube: Kube,
  before: SavedKubeObject<TenantObject>,
  secrets: readonly Secret[],
  change: (spec: TenantSpec) => void,
): Promise<void> {
  const { namespace = '', name } = before.metadata
  const own = before.spec ? referencedSecrets(before.spec).map((each) => each.name) : []
  const changes = new SecretChanges(kube, { namespace, tenant: name }, new Set(own))
  try {
    for (const secret of secrets) await changes.put(secret)
    await changeTenant(kube, { namespace, tenant: name }, ({ spec }) => {
      if (spec) change(spec)
    })
  } catch (error) {
    await changes.undoAfter(error)
    throw error
  }
}

async function removeSecret(kube: Kube, namespace: string, name: string): Promise<void> {
  try {
    await deleteKubeObject(kube, resources.secrets, { namespace, name })
  } catch (error) {
    if (!(error instanceof KubeError) || error.code !== 'NotFound') throw error
  }
}

/** Checks the right to restart pods before anything is changed. @throws KubeError Forbidden */
async function checkRestart(
  kube: Kube,
  { namespace }: TenantReference,
  labelSelectors: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const labelSelector of labelSelectors)
    await kube.deleteCollection(resources.pods, { namespace, labelSelector }, { dryRun: true, signal })
}

async function restartPods(
  kube: Kube,
  { namespace }: TenantReference,
  labelSelectors: readonly string[],
): Promise<void> {
  for (const labelSelector of labelSelectors) await kube.deleteCollection(resources.pods, { namespace, labelSelector })
}

async function readCertificate(
  kube: Kube,
  namespace: string,
  { name, type = '' }: CertificateReference,
  signal: AbortSignal,
) {
  const data = await readSecretOrEmpty(kube, namespace, name, signal)
  return describeCertificate(name, TLS_TYPES.has(type) ? data['tls.crt'] : (data['public.crt'] ?? data['tls.crt']))
}

/** Returns the values of a secret; empty if it does not exist. */
async function readSecretOrEmpty(
  kube: Kube,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  try {
    return await readSecretData(kube, namespace, name, signal)
  } catch (error) {
    if (error instanceof KubeError && error.code === 'NotFound') return {}
    throw error
  }
}

function parseYaml(text: string | undefined): unknown {
  try {
    return parse(text ?? '')
  } catch {
    // The file may have been written by hand, so only its kind is checked.
    return undefined
  }
}

/** Returns the certificate with which the servers of a tenant sign in; undefined if the operator makes it. */
async function clientCertificate(kube: Kube, tenant: TenantObject, signal: AbortSignal): Promise<string | undefined> {
  const name = tenant.spec?.externalClientCertSecret?.name
  if (!name) return undefined
  const data = await readSecretOrEmpty(kube, tenant.metadata?.namespace ?? '', name, signal)
  return data['tls.crt'] ?? data['public.crt'] ?? ''
}
