import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Input } from '@stowage/contract'
import { resources, tenants } from '@stowage/kube'
import { createAuthority, createCertificateRequest } from '@stowage/sandbox-kube/pki'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { type StandaloneStore, startStore } from '../../support/console/start-store.ts'
import { startOperator, type TestOperator } from '../../support/operator/start-operator.ts'

let o: TestOperator
let store: StandaloneStore
beforeAll(async () => {
  store = await startStore()
  o = await startOperator({
    release: '7',
    env: { STOWAGE_TENANT_URL: store.url, STOWAGE_EGRESS_ALLOW: '127.0.0.1' },
  })
})
afterAll(async () => {
  await o?.[Symbol.asyncDispose]()
  await store?.[Symbol.asyncDispose]()
})

const base64 = (text: string) => Buffer.from(text).toString('base64')
const pool = { name: 'pool-0', servers: 4, volumes_per_server: 2, volume_configuration: { size: 26843545600 } }
const plain = (namespace: string) => ({ name: 'alpha', namespace, pools: [pool] })
async function newTenant(more: object = {}) {
  const namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: { ...plain(namespace), ...more } })
  return { namespace, tenant: 'alpha' }
}
const listSecrets = async (namespace: string) => (await o.kube.list(resources.secrets, { namespace })).objects

const digest = `sha256:${'a1'.repeat(32)}`

test('images of every form that a kubelet can pull are accepted', async () => {
  const namespace = await o.newNamespace()
  for (const image of [
    'minio',
    'minio/minio:x',
    'registry:5000/a:x',
    'localhost/a',
    'Registry.example/a',
    `quay.io:443/a/b-c/d__e@${digest}`,
    `r.example/a:v1.2@${digest}`,
    '',
  ])
    expect([image, (await o.admin.send('previewTenant', { body: { ...plain(namespace), image } })).status]).toEqual([
      image,
      200,
    ])
})

test.each([
  'a/b:c d',
  'a/b:x\ny',
  'Upper/case:x',
  'https://registry.example/a/b:x',
  '../../etc/b:x',
  'a/b:-x',
  'a//b:x',
  `a/b:${'x'.repeat(129)}`,
  'a/b@sha256:12',
  '-a/b:x',
  '-a.example:x/b',
])('the image %j, which no kubelet could pull, is refused in every field', async (image) => {
  const namespace = 'default'
  const bodies: [string, Input<'createTenant'>['body']][] = [
    ['image', { ...plain(namespace), image }],
    ['encryption.image', { ...plain(namespace), encryption: { image } }],
    [
      'logSearchConfiguration.postgres_image',
      { ...plain(namespace), logSearchConfiguration: { postgres_image: image } },
    ],
    ['prometheusConfiguration.init_image', { ...plain(namespace), prometheusConfiguration: { init_image: image } }],
  ]
  for (const [field, body] of bodies) {
    const failure = await callFailure(o.admin.call('createTenant', { body }))
    expect([failure.status, failure.body.field]).toEqual([400, field])
  }
  const params = { namespace, tenant: 'alpha' }
  expect((await callFailure(o.admin.call('updateTenant', { params, body: { image } }))).status).toBe(400)
})

async function newFiles() {
  const [own, other] = await Promise.all([createAuthority('own'), createAuthority('other')])
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const broken = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
  return { own, other, broken, encrypted: privateKey }
}

test('PEM files of wrong forms are refused with the file that is wrong, and nothing is made', async () => {
  const { own, other, broken, encrypted } = await newFiles()
  const namespace = await o.newNamespace()
  const vault = (tls: object) => ({ vault: { endpoint: 'https://v', approle: { id: 'i', secret: 's' }, tls } })
  const pair = (crt: string, key: string) => ({ crt: base64(crt), key: base64(key) })
  const der = base64(own.cert.replace(/-----.*-----|\s/g, ''))
  const cases: [string, Partial<Input<'createTenant'>['body']>][] = [
    ['certificate-key-other', { tls: { minio: [pair(own.cert, other.key)] } }],
    ['certificate-unreadable', { tls: { minio: [pair(own.key, own.cert)] } }],
    ['certificate-unreadable', { tls: { minio: [pair(own.cert + broken, own.key)] } }],
    ['certificate-unreadable', { tls: { minio: [{ crt: der, key: base64(own.key) }] } }],
    ['certificate-key-unreadable', { tls: { minio: [pair(own.cert, encrypted)] } }],
    ['certificate-key-unreadable', { tls: { minio: [pair(own.cert, own.key.replace(/\n.{8}/, '\nAAAA'))] } }],
    ['certificate-files-empty', { tls: { minio: [pair(own.cert, ' \n')] } }],
    ['certificate-unreadable', { tls: { ca_certificates: [base64(own.key)] } }],
    ['certificate-unreadable', { tls: { ca_certificates: [base64(own.cert + broken)] } }],
    ['certificate-key-other', { encryption: { client: pair(own.cert, other.key), ...vault({}) } }],
    ['certificate-key-other', { encryption: { server: pair(own.cert, other.key), ...vault({}) } }],
    ['certificate-key-other', { encryption: vault(pair(own.cert, other.key)) }],
    ['certificate-files-empty', { encryption: vault({ crt: base64(own.cert) }) }],
    ['certificate-unreadable', { encryption: vault({ ca: base64('none') }) }],
  ]
  for (const [index, [id, part]] of cases.entries()) {
    const failure = await callFailure(o.admin.call('createTenant', { body: { ...plain(namespace), ...part } }))
    expect([index, failure.status, failure.body.reason?.id]).toEqual([index, 400, id])
  }
  expect(await listSecrets(namespace)).toEqual([])
})

test('of a file with certificate, key and remarks each secret gets its part alone', async () => {
  const { own, other } = await newFiles()
  const all = `Bag Attributes\r\n${own.key}\r\nsubject=own\r\n${own.cert.replaceAll('\n', '\r\n')}${other.cert}`
  const tls = { minio: [{ crt: base64(all), key: base64(all) }], ca_certificates: [base64(all)] }
  const { namespace } = await newTenant({ tls })
  const read = async (name: string, key: string) => {
    const { data } = await o.kube.get(resources.secrets, { namespace, name })
    return Buffer.from(data?.[key] ?? '', 'base64').toString('utf8')
  }
  const name = 'alpha-secret-instance-external-certificates-0'
  const chain = `${own.cert.trim()}\n${other.cert.trim()}\n`
  expect(await read(name, 'tls.crt')).toBe(chain)
  expect(await read(name, 'tls.key')).toBe(`${own.key.trim()}\n`)
  expect(await read('alpha-ca-certificate-0', 'public.crt')).toBe(chain)
})

test('a client certificate that cannot be read is not taken for one of the operator', async () => {
  const { own } = await newFiles()
  const pair = { crt: base64(own.cert), key: base64(own.key) }
  const vault = { endpoint: 'https://v', approle: { id: 'i', secret: 's' } }
  const params = await newTenant({ encryption: { client: pair, vault } })
  const name = 'alpha-secret-tenant-external-client-cert-0'
  await o.kube.delete(resources.secrets, { namespace: params.namespace, name })
  const failure = await callFailure(o.admin.call('updateTenantEncryption', { params, body: { vault } }))
  expect([failure.status, failure.body.field]).toEqual([400, 'client'])
})

test('quotas are read in every form', async () => {
  const namespace = await o.newNamespace()
  const name = `${namespace}-storagequota`
  const suffix = '.storageclass.storage.k8s.io/requests.storage'
  const amounts = {
    plain: ['9223372036854775807', Number.MAX_SAFE_INTEGER],
    exa: ['16Ei', Number.MAX_SAFE_INTEGER],
    binary: ['10Gi', 10 * 2 ** 30],
    fraction: ['1.5Ti', 1.5 * 2 ** 40],
    decimal: ['2T', 2e12],
    exponent: ['1e9', 1e9],
    milli: ['1500m', 2],
  } as const
  const hard = Object.fromEntries(Object.entries(amounts).map(([each, [text]]) => [each + suffix, text]))
  await o.kube.create(resources.resourceQuotas, { metadata: { name, namespace }, spec: { hard } })
  const read = async () => {
    const { elements } = await o.admin.call('getResourceQuota', { params: { namespace, quota: name } })
    return Object.fromEntries(elements.map(({ name: of, hard: amount }) => [of.replace(suffix, ''), amount]))
  }
  const wanted = Object.fromEntries(Object.entries(amounts).map(([each, [, amount]]) => [each, amount]))
  expect(await read()).toEqual(wanted)
})

test('parts of a core and large amounts are written as they were given', async () => {
  const poolResources = { requests: { cpu: 0.5, memory: 1.5 * 2 ** 30 }, limits: { cpu: 2, memory: 2 ** 53 - 1 } }
  const params = await newTenant({ pools: [{ ...pool, resources: poolResources }] })
  const { spec } = await o.kube.get(tenants, { namespace: params.namespace, name: 'alpha' })
  expect(spec?.pools[0]?.resources).toEqual({
    requests: { cpu: '500m', memory: '1536Mi' },
    limits: { cpu: '2', memory: '9007199254740991' },
  })
})

test('an object that the API server finds invalid is a 422 in its words, and leaves nothing behind', async () => {
  const namespace = await o.newNamespace()
  const body = { ...plain(namespace), labels: { 'not a label!': 'x' } }
  const failure = await callFailure(o.admin.call('createTenant', { body }))
  expect([failure.status, failure.body.cause, failure.body.message]).toEqual([
    422,
    'Invalid',
    expect.stringContaining('metadata.labels: Invalid value: "not a label!"'),
  ])
  expect(await listSecrets(namespace)).toEqual([])
})

test('root keys with which MinIO does not start are refused', async () => {
  const namespace = await o.newNamespace()
  for (const [field, keys] of [
    ['access_key', { access_key: 'ab', secret_key: 'long-enough' }],
    ['secret_key', { access_key: 'abc', secret_key: '7-chars' }],
  ] as const) {
    const failure = await callFailure(o.admin.call('createTenant', { body: { ...plain(namespace), ...keys } }))
    expect([failure.status, failure.body.field]).toEqual([400, field])
  }
})

test('a YAML text of another kind is refused', async () => {
  const params = await newTenant()
  const { yaml } = await o.admin.call('getTenantYaml', { params })
  for (const [wrong, field] of [
    [yaml.replace('kind: Tenant', 'kind: Secret'), 'kind'],
    [yaml.replace('minio.min.io/v2', 'v1'), 'apiVersion'],
  ]) {
    const failure = await callFailure(o.admin.call('updateTenantYaml', { params, body: { yaml: wrong ?? '' } }))
    expect([failure.status, failure.body.field]).toEqual([400, field])
  }
  // As the original returned it.
  const old = yaml.replace(/^kind: .*\n/m, '').replace(/^apiVersion: .*\n/m, '')
  expect((await o.admin.send('updateTenantYaml', { params, body: { yaml: old } })).status).toBe(201)
})

test('requests for certificates of a tenant of the same name elsewhere are not listed, and annotations hide secrets', async () => {
  const namespace = await o.newNamespace()
  const tenant = o.freshName('csr')
  const { request } = await createCertificateRequest({
    commonName: 'system:node:alpha',
    organizations: ['system:nodes'],
  })
  for (const name of [`${tenant}-${namespace}-csr`, `${tenant}-client-${namespace}-csr`, `${tenant}-elsewhere-csr`])
    await o.kube.create(resources.certificateSigningRequests, {
      metadata: {
        name,
        labels: { 'v1.min.io/tenant': tenant },
        annotations: { note: JSON.stringify({ password: 'planted' }) },
      },
      spec: { request: base64(request), signerName: 'example.com/none', usages: ['server auth'] },
    })
  const { csrElement } = await o.admin.call('listTenantCsrs', { params: { namespace, tenant } })
  expect(csrElement.map(({ name }) => name)).toEqual(
    [`${tenant}-${namespace}-csr`, `${tenant}-client-${namespace}-csr`].sort(),
  )
  expect(JSON.stringify(csrElement)).not.toContain('planted')
})

test('namespaces are given by name, with spaces; more than can be read are refused and not left out', async () => {
  const [one, two] = [await newTenant(), await newTenant()]
  const names = async (namespaces: string) =>
    (await o.admin.call('listTenants', { query: { namespaces } })).tenants.map(({ namespace }) => namespace)
  const both = [one.namespace, two.namespace]
  expect(await names(` ${one.namespace} ,${two.namespace},${one.namespace},`)).toEqual(both)
  const many = Array.from({ length: 99 }, (_, n) => `none-${n}`).join(',')
  expect(await names(`${many},${one.namespace}`)).toEqual([one.namespace])
  for (const namespaces of [`${many},a,b`, 'UPPER', '../x', ',']) {
    for (const call of ['listTenants', 'listVolumes', 'listFormerTenants'] as const) {
      const failure = await callFailure(o.admin.call(call, { query: { namespaces } }))
      expect([call, failure.status, failure.body.field]).toEqual([call, 400, expect.stringMatching(/^namespaces/)])
    }
  }
})

test("administrators are set in a tenant's directory, and the answer to a refused one has the directory's message", async () => {
  const params = await newTenant({ access_key: 'rootuser', secret_key: 'rootpassword' })
  const body = { user_dns: ['uid=anna,dc=example,dc=com'], group_dns: [] }
  // This tenant has no directory.
  const failure = await callFailure(o.admin.call('setTenantAdministrators', { params, body }))
  expect([failure.status, failure.body.reason?.id, failure.body.detailedMessage]).toEqual([
    409,
    'administrators-refused',
    'No directory (LDAP) is configured.',
  ])
  const answer = await o.admin.send('setTenantAdministrators', { params, body: { user_dns: [], group_dns: null } })
  expect(answer.status).toBe(204)
  const missing = { ...params, tenant: 'beta' }
  expect((await callFailure(o.admin.call('setTenantAdministrators', { params: missing, body }))).status).toBe(404)
})

test('on a tenant of an old release administrators are set by the call that it has, users and groups', async () => {
  const asked: string[] = []
  const old = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://tenant')
    request.resume()
    if (pathname.endsWith('/idp/ldap/policy/attach')) return void response.writeHead(426).end()
    asked.push(
      `${request.method} ${pathname} ${['policyName', 'userOrGroup', 'isGroup'].map((name) => searchParams.get(name))}`,
    )
    response.writeHead(200).end()
  }).listen(0, '127.0.0.1')
  await once(old, 'listening')
  const { port } = old.address() as AddressInfo
  await using other = await startOperator({
    env: { STOWAGE_TENANT_URL: `http://127.0.0.1:${port}`, STOWAGE_EGRESS_ALLOW: '127.0.0.1' },
  })
  const params = { namespace: await other.newNamespace(), tenant: 'alpha' }
  await other.admin.call('createTenant', { body: plain(params.namespace) })
  const body = { user_dns: ['uid=anna,dc=example'], group_dns: ['cn=ops,dc=example'] }
  expect((await other.admin.send('setTenantAdministrators', { params, body })).status).toBe(204)
  expect(asked).toEqual([
    'PUT /minio/admin/v3/set-user-or-group-policy consoleAdmin,uid=anna,dc=example,false',
    'PUT /minio/admin/v3/set-user-or-group-policy consoleAdmin,cn=ops,dc=example,true',
  ])
  old.closeAllConnections()
  old.close()
})
