import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Input } from '@stowage/contract'
import { resources, type TenantObject, tenants } from '@stowage/kube'
import { createAuthority } from '@stowage/sandbox-kube/pki'
import { tenantDefinition } from '@stowage/sandbox-operator/definitions'
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { callFailure } from '../../support/console/caller.ts'
import { startOperator, type TestOperator, waitUntilEstablished } from '../../support/operator/start-operator.ts'

/**
 * The definitions of a tenant: ours, and with `STOWAGE_TEST_CRDS` the YAML files in that folder, such as those of the vendor's
 * releases (`resources/base/crds/minio.min.io_tenants.yaml`), which must not be part of this repository.
 */
const folder = process.env.STOWAGE_TEST_CRDS
const cases: [name: string, definition: CustomResourceDefinition][] = [
  ...(folder ? readdirSync(folder).filter((name) => name.endsWith('.yaml')) : []).map(
    (name): (typeof cases)[number] => [
      name,
      parse(readFileSync(join(folder ?? '', name), 'utf8')) as CustomResourceDefinition,
    ],
  ),
  ...(['4.3', '5', '6', '7'] as const).map((release): (typeof cases)[number] => [
    `ours of ${release}`,
    tenantDefinition(release),
  ]),
]

let o: TestOperator
let pair: { crt: string; key: string }
beforeAll(async () => {
  o = await startOperator({ release: 'none' })
  const { cert, key } = await (await createAuthority('tenant')).issue({ commonName: 'tenant', usage: 'server' })
  pair = { crt: Buffer.from(cert).toString('base64'), key: Buffer.from(key).toString('base64') }
})
afterAll(async () => await o?.[Symbol.asyncDispose]())

const NAME = 'tenants.minio.min.io'

/** Replaces the definition of a tenant, and with it all tenants. */
async function redefine(definition: CustomResourceDefinition) {
  const exists = async () =>
    (await o.kube.list(resources.customResourceDefinitions)).objects.some(({ metadata }) => metadata.name === NAME)
  if (await exists()) {
    await o.kube.delete(resources.customResourceDefinitions, { name: NAME })
    await expect.poll(exists, { timeout: 30_000 }).toBe(false)
  }
  await o.kube.create(resources.customResourceDefinitions, definition)
  await waitUntilEstablished(o.kube, NAME)
  // A real API server serves the kind some time after it says so.
  await expect
    .poll(async () => (await o.admin.send('listTenants', { query: {} })).status, { timeout: 30_000 })
    .toBe(200)
}

/** A tenant with everything that the wizard can ask for. */
function everything(namespace: string): Input<'createTenant'>['body'] {
  const security = { runAsUser: '1000', runAsGroup: '1000', fsGroup: '1000', runAsNonRoot: true }
  return {
    name: 'alpha',
    namespace,
    image: 'minio/minio:RELEASE.2025-04-22T22-12-26Z',
    mount_path: '/data',
    enable_prometheus: true,
    annotations: { team: 'media' },
    labels: { team: 'media' },
    erasureCodingParity: 2,
    image_registry: { registry: 'registry.example', username: 'anna', password: 'secret' },
    pools: [
      {
        name: 'pool-0',
        servers: 4,
        volumes_per_server: 2,
        volume_configuration: {
          size: 26843545600,
          storage_class_name: 'standard',
          labels: { disk: 'nvme' },
          annotations: { note: 'fast' },
        },
        resources: { requests: { cpu: 2, memory: 2 ** 31 }, limits: { memory: 2 ** 32 } },
        node_selector: { disktype: 'nvme' },
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                labelSelector: {
                  matchExpressions: [{ key: 'v1.min.io/tenant', operator: 'In', values: ['alpha'] }],
                },
                topologyKey: 'kubernetes.io/hostname',
              },
            ],
          },
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['z0'] }] }],
            },
          },
        },
        tolerations: [
          { key: 'storage', operator: 'Equal', value: 'yes', effect: 'NoExecute', tolerationSeconds: { seconds: 60 } },
        ],
        securityContext: security,
      },
    ],
    idp: { keys: [{ access_key: 'anna-console', secret_key: 'correct-horse' }] },
    tls: { minio: [pair], ca_certificates: [pair.crt] },
    encryption: {
      replicas: '2',
      server: pair,
      client: pair,
      labels: { part: 'kes' },
      annotations: { part: 'kes' },
      node_selector: { disktype: 'nvme' },
      securityContext: security,
      vault: {
        endpoint: 'https://vault.example:8200',
        approle: { id: 'role', secret: 'secret' },
        tls: { key: pair.key, crt: pair.crt, ca: pair.crt },
      },
    },
    logSearchConfiguration: { storageClass: 'standard', storageSize: 10, image: 'minio/logsearchapi:v4.3.7' },
    prometheusConfiguration: { storageClass: 'standard', storageSize: 10, image: 'quay.io/prometheus/prometheus:v2' },
  }
}

test.each(cases)(
  'a tenant with everything is created and changed, and the API server drops nothing of it: %s',
  async (_, definition) => {
    await redefine(definition)
    const namespace = await o.newNamespace()
    const body = everything(namespace)
    const { objects } = await o.admin.call('previewTenant', { body })
    expect(objects.filter(({ problem }) => problem !== '')).toEqual([])
    const object = parse(objects.find(({ kind }) => kind === 'Tenant')?.yaml ?? '') as TenantObject
    await o.kube.create(tenants, object, { dryRun: true, fieldValidation: 'Strict' })

    await o.admin.call('createTenant', { body })
    const params = { namespace, tenant: 'alpha' }
    const read = async () => (await o.kube.get(tenants, { namespace, name: 'alpha' })).spec
    expect(await read()).toMatchObject(object.spec ?? {})

    for (const pool of body.pools) await o.admin.call('addTenantPool', { params, body: { ...pool, name: 'pool-1' } })
    expect((await read())?.pools).toMatchObject([object.spec?.pools[0], { ...object.spec?.pools[0], name: 'pool-1' }])
    await o.admin.call('updateTenant', { params, body: { image: 'minio/minio:RELEASE.2025-09-07T16-13-09Z' } })
    const custom = { secretsToBeDeleted: [], minio: [pair], minioCAs: [pair.crt] }
    await o.admin.call('updateTenantSecurity', { params, body: { autoCert: false, customCertificates: custom } })
    expect(await read()).toMatchObject({
      requestAutoCert: false,
      externalCertSecret: [{}, {}],
      externalCaCertSecret: [{}, {}],
    })
    const { yaml } = await o.admin.call('getTenantYaml', { params })
    await o.admin.call('updateTenantYaml', {
      params,
      body: { yaml: yaml.replace('mountPath: /data', 'mountPath: /e') },
    })
    expect(await read()).toMatchObject({ mountPath: '/e' })

    // A field that this definition lacks is refused: nobody must believe that it was saved.
    const typing = yaml.replace('mountPath: /data', 'mountPaht: /e')
    const refused = await callFailure(o.admin.call('updateTenantYaml', { params, body: { yaml: typing } }))
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('spec.mountPaht')])
    const domains = { minio: ['https://s3.example.com'], console: 'https://console.example.com' }
    const set = await o.admin.send('updateTenantDomains', { params, body: { domains } })
    const version = definition.spec.versions.find(({ name }) => name === 'v2')
    const fields = version?.schema?.openAPIV3Schema?.properties?.spec?.properties
    // Definitions of 4.4.4 to 4.4.11 have the domains of the servers only.
    const known = fields?.features?.properties?.domains?.properties?.console
    expect(set.status).toBe(known ? 204 : 400)
    if (known) expect((await read())?.features?.domains).toEqual(domains)
  },
)
