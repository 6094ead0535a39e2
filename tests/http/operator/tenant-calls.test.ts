import { resources, tenants } from '@stowage/kube'
import { createAuthority, createCertificateRequest } from '@stowage/sandbox-kube/pki'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import {
  ensureUnlicensed,
  LICENSE_NAMESPACE,
  startLicenses,
  type TestLicenses,
} from '../../support/operator/licenses.ts'
import { startOperator, type TestOperator } from '../../support/operator/start-operator.ts'

let o: TestOperator
let licenses: TestLicenses
beforeAll(async () => {
  licenses = await startLicenses()
  o = await startOperator({ env: { STOWAGE_LICENSE_KEY: licenses.keyFile } })
})
afterAll(async () => {
  await o?.[Symbol.asyncDispose]()
  licenses?.[Symbol.dispose]()
})

const base64 = (text: string) => Buffer.from(text).toString('base64')
const pool = {
  name: 'pool-0',
  servers: 4,
  volumes_per_server: 2,
  volume_configuration: { size: 26843545600, storage_class_name: 'standard' },
}

async function newTenant(body: object = {}) {
  const namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: { name: 'alpha', namespace, pools: [pool], ...body } })
  return { namespace, tenant: 'alpha' }
}

test('the flags of a tenant follow what it is made of [TNT-12]', async () => {
  const plain = await newTenant({ enable_tls: false, enable_console: false })
  expect(await o.admin.call('getTenant', { params: plain })).toMatchObject({
    logEnabled: true,
    monitoringEnabled: true,
    encryptionEnabled: false,
    minioTLS: false,
    consoleTLS: false,
    consoleEnabled: false,
    idpAdEnabled: false,
    idpOidcEnabled: false,
  })
  const oidc = { configuration_url: 'https://idp.example/.well-known', client_id: 'a', secret_id: 'b', claim_name: 'c' }
  const vault = { endpoint: 'https://vault.example:8200', approle: { id: 'role', secret: 'secret' } }
  const full = await newTenant({ enable_tls: true, idp: { oidc }, encryption: { vault } })
  expect(await o.admin.call('getTenant', { params: full })).toMatchObject({
    encryptionEnabled: true,
    minioTLS: true,
    consoleTLS: true,
    consoleEnabled: true,
    idpAdEnabled: false,
    idpOidcEnabled: true,
  })
  const object = await o.kube.get(tenants, { namespace: full.namespace, name: 'alpha' })
  delete object.spec?.log
  delete object.spec?.prometheus
  await o.kube.update(tenants, object)
  const active_directory = { url: 'ldap.example:636', user_dns: [] }
  await o.admin.call('updateTenantIdentityProvider', { params: full, body: { active_directory } })
  expect(await o.admin.call('getTenant', { params: full })).toMatchObject({
    logEnabled: false,
    monitoringEnabled: false,
    idpAdEnabled: true,
    idpOidcEnabled: false,
  })
})

test("the cluster's license is attached to a tenant, which then shows it [TNT-13] [TNT-41]", async () => {
  const params = await newTenant()
  await ensureUnlicensed(o.kube)
  expect((await callFailure(o.admin.call('activateTenantLicense', { params }))).status).toBe(404)
  await o.kube.create(resources.secrets, {
    metadata: { name: 'subnet-license', namespace: LICENSE_NAMESPACE },
    data: { CONSOLE_SUBNET_LICENSE: base64(licenses.license) },
  })
  const answer = await o.admin.send('activateTenantLicense', { params })
  expect([answer.status, await answer.text()]).toEqual([204, ''])
  expect((await o.admin.call('getTenant', { params })).subnet_license).toEqual({
    organization: 'North Quay',
    storage_capacity: 50,
    expires_at: '2099-01-01 12:00:00 +0000 UTC',
    plan: 'STANDARD',
    email: 'ops@example.com',
    account_id: 7,
  })
  const body = { environmentVariables: [{ key: 'MINIO_SUBNET_LICENSE', value: `${licenses.license}x` }] }
  await o.admin.call('updateTenantConfiguration', { params, body })
  expect((await o.admin.call('getTenant', { params })).subnet_license).toBeNull()
})

test('certificates are added and removed in one call [TNT-25]', async () => {
  const params = await newTenant()
  const [own, other, authority] = await Promise.all(['own', 'other', 'authority'].map((name) => createAuthority(name)))
  if (!own || !other || !authority) throw new Error('no certificates')
  const pair = ({ cert, key }: { cert: string; key: string }) => ({ crt: base64(cert), key: base64(key) })
  const save = (autoCert: boolean, customCertificates: object) =>
    o.admin.call('updateTenantSecurity', { params, body: { autoCert, customCertificates } })
  await save(false, { secretsToBeDeleted: [], minio: [pair(own)], minioCAs: [base64(authority.cert)] })
  const first = await o.admin.call('getTenantSecurity', { params })
  expect(first).toMatchObject({ autoCert: false, customCertificates: { minio: [{}], minioCAs: [{}] } })
  const [old] = first.customCertificates.minio
  if (!old) throw new Error('no certificate')
  const stored = await o.kube.get(resources.secrets, { namespace: params.namespace, name: old.name })
  expect(stored.data?.['tls.crt']).toBe(base64(`${own.cert.trim()}\n`))

  await save(true, { secretsToBeDeleted: [old.name], minio: [pair(other)], minioCAs: [] })
  const second = await o.admin.call('getTenantSecurity', { params })
  expect(second).toMatchObject({ autoCert: true, customCertificates: { minioCAs: first.customCertificates.minioCAs } })
  expect(second.customCertificates.minio).toHaveLength(1)
  expect(second.customCertificates.minio[0]?.serialNumber).not.toBe(old.serialNumber)
  await expect(o.kube.get(resources.secrets, { namespace: params.namespace, name: old.name })).rejects.toThrow('found')
})

test('a pool is added with all of its fields, and read back with them [TNT-29] [TNT-30]', async () => {
  const params = await newTenant()
  const added = {
    name: 'archive',
    servers: 2,
    volumes_per_server: 3,
    volume_configuration: { size: 1073741824, storage_class_name: 'standard', labels: { tier: 'cold' } },
    resources: { requests: { memory: 2147483648 }, limits: { memory: 4294967296 } },
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            labelSelector: { matchExpressions: [{ key: 'v1.min.io/pool', operator: 'In', values: ['archive'] }] },
            topologyKey: 'kubernetes.io/hostname',
          },
        ],
      },
    },
  }
  expect((await o.admin.send('addTenantPool', { params, body: added })).status).toBe(201)
  // As the page of the original sends it.
  const { volume_configuration: volumes } = added
  const unnamed = { servers: 1, volumes_per_server: 4, volume_configuration: { ...volumes, labels: null } }
  await o.admin.call('addTenantPool', { params, body: unnamed })
  const { pools } = await o.admin.call('getTenant', { params })
  expect(pools[1]).toEqual({ ...added, tolerations: [] })
  expect(pools[2]).toMatchObject({ name: 'pool-1', servers: 1, volumes_per_server: 4 })
  const { spec } = await o.kube.get(tenants, { namespace: params.namespace, name: 'alpha' })
  expect(spec?.pools[1]).toMatchObject({
    servers: 2,
    volumesPerServer: 3,
    volumeClaimTemplate: { metadata: { labels: { tier: 'cold' } }, spec: { storageClassName: 'standard' } },
  })
})

test('fields of a pool are changed and removed, and everything else of it is kept', async () => {
  const params = await newTenant()
  const at = { namespace: params.namespace, name: 'alpha' }
  const before = await o.kube.get(tenants, at)
  const [first] = before.spec?.pools ?? []
  if (!first || !before.spec) throw new Error('the tenant has no pool')
  const affinity = {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        // An empty selector selects all namespaces; without it only the tenant's own counts.
        { topologyKey: 'kubernetes.io/hostname', namespaceSelector: {}, labelSelector: { matchLabels: { a: 'b' } } },
      ],
    },
  }
  const kept = {
    affinity,
    resources: { requests: { memory: '2048Mi', cpu: '500m' }, limits: { memory: '4Gi' } },
    nodeSelector: { disk: 'nvme' },
    tolerations: [{ key: 'storage', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }],
    securityContext: { runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    annotations: { team: 'quay' },
  }
  const second = { ...structuredClone(first), name: 'archive' }
  const pools = [{ ...first, ...kept }, second] as NonNullable<typeof before.spec>['pools']
  await o.kube.update(tenants, { ...before, spec: { ...before.spec, pools } })
  const { generation } = await o.admin.call('getTenant', { params })
  const other = { ...pool, name: 'archive' }
  const changed = {
    ...pool,
    resources: { requests: { memory: 2 ** 31, cpu: 1 }, limits: { memory: 2 ** 33 } },
    tolerations: null,
    securityContext: { runAsUser: '2000', runAsGroup: '1000', runAsNonRoot: true },
  }
  const answer = await o.admin.call('setTenantPools', { params, body: { pools: [changed, other], generation } })
  expect(answer.pools[0]).toMatchObject({ resources: changed.resources, tolerations: [] })
  const { spec } = await o.kube.get(tenants, at)
  const { tolerations: _, ...rest } = kept
  expect(spec?.pools).toEqual([
    {
      ...first,
      ...rest,
      // The amounts are the same, so they stay as they were written.
      resources: { requests: { memory: '2048Mi', cpu: '500m' }, limits: { memory: '8Gi' } },
      securityContext: {
        runAsUser: 2000,
        runAsGroup: 1000,
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    },
    second,
  ])

  // A change that was made to another state of the tenant is not made.
  const late = await callFailure(o.admin.call('setTenantPools', { params, body: { pools: [pool, other], generation } }))
  expect([late.status, late.body.message]).toEqual([409, 'Another user or program has changed the tenant'])
  const grown = { ...pool, servers: 8 }
  const refused = await callFailure(o.admin.call('setTenantPools', { params, body: { pools: [grown, other] } }))
  expect([refused.status, refused.body.field]).toEqual([422, 'servers'])
  const sized = async (volume_configuration: object) => {
    const pools = [{ ...pool, volume_configuration: { ...pool.volume_configuration, ...volume_configuration } }, other]
    return await callFailure(o.admin.call('setTenantPools', { params, body: { pools } }))
  }
  const { size } = pool.volume_configuration
  for (const volumes of [{ size: size - 1 }, { storage_class_name: 'another' }])
    expect((await sized(volumes)).body).toMatchObject({ code: 422, field: 'volume_configuration' })
  // The operator would not get past the API server's refusal of each claim.
  expect((await sized({ size: 2 * size })).body.reason).toEqual({
    id: 'storage-class-fixed',
    params: { class: 'standard' },
  })
  const twice = await callFailure(o.admin.call('setTenantPools', { params, body: { pools: [pool, pool] } }))
  expect(twice.status).toBe(409)
  expect((await o.kube.get(tenants, at)).spec?.pools).toEqual(spec?.pools)

  // The objects of a pool would be lost with it.
  for (const pools of [[pool], [pool, { ...pool, name: 'renamed' }]]) {
    const left = await callFailure(o.admin.call('setTenantPools', { params, body: { pools } }))
    expect([left.status, left.body.reason?.id, left.body.message]).toEqual([
      409,
      'pool-left-out',
      'The pool archive is missing, and this call removes no pools. Drain and remove it first.',
    ])
  }
  expect((await o.kube.get(tenants, at)).spec?.pools).toEqual(spec?.pools)

  const storageClass = { name: 'standard' }
  await o.kube.mergePatch(resources.storageClasses, storageClass, { allowVolumeExpansion: true })
  const larger = { ...pool, volume_configuration: { ...pool.volume_configuration, size: 2 * size } }
  await o.admin.call('setTenantPools', { params, body: { pools: [larger, other] } })
  await o.kube.mergePatch(resources.storageClasses, storageClass, { allowVolumeExpansion: null } as never)
  const [grew] = (await o.kube.get(tenants, at)).spec?.pools ?? []
  expect(grew?.volumeClaimTemplate?.spec?.resources?.requests).toEqual({ storage: String(2 * size) })
})

test('the YAML of a tenant is read, changed and saved [TNT-43] [TNT-44]', async () => {
  const params = await newTenant()
  const { yaml } = await o.admin.call('getTenantYaml', { params })
  expect(yaml).toMatch(/^ {2}name: alpha$/m)
  const changed = yaml.replace(/^( *)mountPath: \/export$/m, '$1mountPath: /data')
  expect(changed).not.toBe(yaml)
  expect((await o.admin.send('updateTenantYaml', { params, body: { yaml: changed } })).status).toBe(201)
  const { spec } = await o.kube.get(tenants, { namespace: params.namespace, name: 'alpha' })
  expect(spec?.mountPath).toBe('/data')
})

test('the image of a tenant, its scraping and where it is pulled from are changed [TNT-47]', async () => {
  const params = await newTenant({ annotations: { team: 'quay' } })
  const image = 'minio/minio:RELEASE.2025-09-07T16-13-09Z'
  const image_registry = { registry: 'registry.example', username: 'anna', password: 'planted' }
  const answer = await o.admin.send('updateTenant', {
    params,
    body: { image, enable_prometheus: true, image_registry },
  })
  expect(answer.status).toBe(201)
  const { metadata, spec } = await o.kube.get(tenants, { namespace: params.namespace, name: 'alpha' })
  expect(spec).toMatchObject({ image, imagePullSecret: { name: 'alpha-regcred' } })
  expect(metadata.annotations).toMatchObject({ team: 'quay', 'prometheus.io/scrape': 'true' })
  expect((await o.admin.call('getTenant', { params })).enable_prometheus).toBe(true)
  const secret = await o.kube.get(resources.secrets, { namespace: params.namespace, name: 'alpha-regcred' })
  const written = Buffer.from(secret.data?.['.dockerconfigjson'] ?? '', 'base64').toString('utf8')
  expect(JSON.parse(written)).toMatchObject({
    auths: { 'registry.example': { username: 'anna', password: 'planted' } },
  })
  await o.admin.call('updateTenant', { params, body: { image: '', enable_prometheus: false } })
  const after = await o.admin.call('getTenant', { params })
  expect([after.image, after.enable_prometheus]).toEqual([image, false])
})

test('requests for certificates are listed with their state: those of the tenant and its key server, not of a namesake', async () => {
  const namespace = await o.newNamespace()
  const tenant = o.freshName('csr')
  const { request } = await createCertificateRequest({
    commonName: 'system:node:alpha',
    organizations: ['system:nodes'],
  })
  const create = async (name: string, labels: Record<string, string>, at = namespace) =>
    await o.kube.create(resources.certificateSigningRequests, {
      metadata: { name: `${name}-${at}-csr`, labels },
      spec: { request: base64(request), signerName: 'example.com/none', usages: ['server auth'] },
    })
  await create(tenant, { 'v1.min.io/tenant': tenant })
  await create(`${tenant}-kes`, { 'v1.min.io/kes': `${tenant}-kes` })
  await create('of-others', { 'v1.min.io/tenant': 'of-others' })
  await create(tenant, { 'v1.min.io/tenant': tenant }, `another-${namespace}`)
  const { csrElement } = await o.admin.call('listTenantCsrs', { params: { namespace, tenant } })
  expect(csrElement.map(({ name, status, signer }) => [name, status, signer])).toEqual([
    [`${tenant}-${namespace}-csr`, 'Pending', 'example.com/none'],
    [`${tenant}-kes-${namespace}-csr`, 'Pending', 'example.com/none'],
  ])
})
