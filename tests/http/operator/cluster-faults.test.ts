import { once } from 'node:events'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type KubeObject, resources, type SavedKubeObject, tenants } from '@stowage/kube'
import type { Node } from 'kubernetes-types/core/v1'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { openLiveClient } from '../../support/console/live-socket.ts'
import { unzip } from '../../support/data/zip.ts'
import { newNodePort } from '../../support/operator/node-port.ts'
import { runsOnSandbox, startOperator, type TestOperator } from '../../support/operator/start-operator.ts'

const PLANTED = 'planted-value-of-a-secret'
const MiB = 2 ** 20

let o: TestOperator
let kubelet: Awaited<ReturnType<typeof startKubelet>>
beforeAll(async () => {
  o = await startOperator({
    release: '7',
    env: { STOWAGE_TENANT_URL: 'http://127.0.0.1:{nodePort}', STOWAGE_EGRESS_ALLOW: '127.0.0.1' },
    stopTimeouts: true,
  })
  kubelet = await startKubelet()
})
afterAll(async () => {
  kubelet?.close()
  await o?.[Symbol.asyncDispose]()
})
afterEach(() => o.sandbox.setFaults([]))

/** A kubelet on a node of its own. It sends the log that a test sets, whatever limit is asked for. */
async function startKubelet() {
  let send: (response: ServerResponse) => void = (response) => response.end()
  const { ca, cert, key } = await o.sandbox.kubeletCertificate()
  const server = createServer({ ca, cert, key, requestCert: true, rejectUnauthorized: true }, (_, response) =>
    send(response),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const name = o.freshName('kubelet')
  await o.kube.create(resources.nodes, { metadata: { name } })
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  }
  await o.kube.mergePatch(resources.nodes, { name }, { status }, { subresource: 'status' })
  return {
    name,
    set log(write: (response: ServerResponse) => void) {
      send = write
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Writes lines until the reader leaves, at most 1 GiB. */
function gigabyte() {
  const chunk = Buffer.from(`${'x'.repeat(127)}\n`.repeat(512))
  const written = { bytes: 0 }
  const write = (response: ServerResponse) => {
    while (written.bytes < 1024 * MiB && !response.destroyed) {
      written.bytes += chunk.length
      if (!response.write(chunk)) {
        response.once('drain', () => write(response))
        return
      }
    }
    response.end()
  }
  return { written, write }
}

const pool = {
  name: 'pool-0',
  servers: 4,
  volumes_per_server: 2,
  volume_configuration: { size: 26843545600, storage_class_name: 'standard' },
}
const body = (name: string, namespace: string) => ({
  name,
  namespace,
  pools: [pool],
  idp: { keys: [{ access_key: 'anna-console', secret_key: PLANTED }] },
})
async function newTenant() {
  const namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: body('alpha', namespace) })
  return { namespace, tenant: 'alpha' }
}
async function newPod(namespace: string, more: object = {}) {
  const name = 'alpha-pool-0-0'
  const labels = { 'v1.min.io/tenant': 'alpha', 'v1.min.io/pool': 'pool-0' }
  await o.kube.create(resources.pods, {
    metadata: { name, namespace, labels, ...more },
    spec: {
      nodeName: kubelet.name,
      containers: [
        {
          name: 'minio',
          image: 'minio/minio:x',
          args: ['server', `--admin-token=${PLANTED}`],
          env: [{ name: 'MINIO_ROOT_PASSWORD', value: PLANTED }],
        },
      ],
    },
  })
  return { namespace, tenant: 'alpha', pod: name }
}

test('of a log of 1 GiB only the allowed part is read, even if the kubelet ignores the limit', async () => {
  const params = await newPod((await newTenant()).namespace)
  const { written, write } = gigabyte()
  kubelet.log = write
  const log = await o.admin.call('getPodLog', { params, query: {} })
  expect(log.length).toBe(8 * MiB)
  expect(written.bytes).toBeLessThan(100 * MiB)
})

test('a followed log of 1 GiB waits for a page that does not read', async () => {
  const params = await newPod((await newTenant()).namespace)
  const { written, write } = gigabyte()
  kubelet.log = write
  await using live = await openLiveClient(o.admin, 'followPodLog', { params, query: {} })
  await live.nextOfKind('messages')
  live.socket.pause()
  let last = -1
  const rests = () => {
    const isSame = written.bytes === last
    last = written.bytes
    return isSame
  }
  await expect.poll(rests, { interval: 60 }).toBe(true)
  expect(written.bytes).toBeLessThan(100 * MiB)
  live.socket.resume()
  await expect.poll(() => written.bytes).toBeGreaterThan(last)
  live.socket.terminate()
})

test.skipIf(!runsOnSandbox)('changes that the API server has forgotten are read again', async () => {
  const namespace = await o.newNamespace()
  const on = { verb: 'watch', resource: 'pods' }
  o.sandbox.setFaults([
    { on, times: 1, cutAfterMs: 50 },
    { on, times: 1, status: 410, reason: 'Expired' },
  ])
  const caller = await o.signInWith([{ apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] }], namespace)
  await using live = await openLiveClient(caller, 'followCluster', { query: { kinds: 'pods', namespaces: namespace } })
  const what = async () => (await live.message()).what
  expect([await what(), await what(), await what(), await what()]).toEqual([
    'listed',
    'interrupted',
    'listed',
    'resumed',
  ])
})

test.skipIf(!runsOnSandbox)(
  'an API server that ends every connection is a failure of the call, until it is back',
  async () => {
    const params = await newTenant()
    o.sandbox.setFaults([{ on: {}, cutAfterMs: 0 }])
    const failure = await callFailure(o.admin.call('getTenant', { params }))
    expect([failure.status, failure.body.reason?.id]).toEqual([502, 'cluster-connection-failed'])
    o.sandbox.setFaults([])
    expect((await o.admin.call('getTenant', { params })).name).toBe('alpha')
  },
)

test('only nodes that take pods count: not those with taints or a cordon', async () => {
  const memory = async () => await o.admin.call('getMaxAllocatableMemory', { query: { num_nodes: 4 } })
  expect((await memory()).max_memory).toBe(16 * 2 ** 30)
  const change = async (spec: SavedKubeObject<Node>['spec']) => {
    const node = await o.kube.get(resources.nodes, { name: 'node1' })
    await o.kube.update(resources.nodes, { ...node, spec: { ...node.spec, ...spec } })
  }
  for (const spec of [
    { taints: [{ key: 'maintenance', effect: 'NoSchedule' }] },
    { taints: [{ key: 'maintenance', effect: 'NoExecute' }] },
    { taints: [], unschedulable: true },
  ]) {
    await change(spec)
    const failure = await callFailure(memory())
    expect([failure.status, failure.body.reason?.id]).toEqual([507, 'nodes-not-schedulable'])
  }
  await change({ unschedulable: false, taints: [{ key: 'prefer', effect: 'PreferNoSchedule' }] })
  expect((await memory()).max_memory).toBe(16 * 2 ** 30)
})

/** A tenant whose services accept requests and never answer them. */
async function newSilentTenant() {
  const silent = createHttpServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const params = await newTenant()
  const own = (silent.address() as AddressInfo).port
  for (const [name, port, nodePort] of [
    ['minio', 443, own],
    ['alpha-console', 9443, await newNodePort(own)],
  ] as const)
    await o.kube.create(resources.services, {
      metadata: { name, namespace: params.namespace },
      spec: { type: 'NodePort', ports: [{ name: 'https', port, nodePort }] },
    })
  const close = () => {
    silent.closeAllConnections()
    silent.close()
  }
  return { params, silent, [Symbol.dispose]: close }
}

test('a tenant that does not answer keeps no other call waiting', async () => {
  using tenant = await newSilentTenant()
  const { params, silent } = tenant
  const asked = once(silent, 'request')
  const stop = new AbortController()
  const usage = o.admin.send('getTenantUsage', { params }, { signal: stop.signal }).catch((error: Error) => error.name)
  const [request] = (await asked) as [{ socket: { once: NodeJS.EventEmitter['once'] } }]
  expect((await o.admin.call('getTenant', { params })).name).toBe('alpha')
  const closed = new Promise<void>((resolve) => request.socket.once('close', () => resolve()))
  // A page that is left ends the request to the tenant too.
  stop.abort()
  expect(await usage).toBe('AbortError')
  await closed
})

test.each([
  ['getTenantUsage', 'tenant-usage', {}],
  ['listPoolStates', 'tenant-unreachable', {}],
  ['openTenantConsole', 'tenant-console-unreachable', { body: { page: 'console' } }],
] as const)('%s fails when a tenant has not answered for 10 s', async (call, id, more) => {
  using tenant = await newSilentTenant()
  const asked = once(tenant.silent, 'request')
  const answer = o.admin.send(call, { params: tenant.params, ...more } as never)
  await asked
  await o.pass(9_999)
  // The console has answered a later call, so it would have answered this one.
  await o.admin.call('getTenant', { params: tenant.params })
  expect(await Promise.race([answer, Promise.resolve('no answer')])).toBe('no answer')
  await o.pass(1)
  const response = await answer
  const { reason } = (await response.json()) as { reason?: { id: string } }
  expect([response.status, reason?.id]).toEqual([502, id])
})

test('secrets in variables, arguments and annotations are in no description, report, preview or drift', async () => {
  const { namespace, tenant } = await newTenant()
  const at = { namespace, name: tenant }
  const applied = JSON.stringify({ spec: { env: [{ name: 'MINIO_ROOT_PASSWORD', value: PLANTED }] } })
  const annotations = {
    'kubectl.kubernetes.io/last-applied-configuration': applied,
    'example.com/copy': applied,
    'example.com/command': `mc --secret-key ${PLANTED}`,
    'example.com/target': `https://anna:${PLANTED}@example.com/`,
  }
  const before = await o.kube.get(tenants, at)
  await o.kube.update(tenants, {
    ...before,
    metadata: { ...before.metadata, annotations },
    spec: { ...before.spec, env: [{ name: 'MINIO_ROOT_PASSWORD', value: PLANTED }] } as never,
  })
  await o.admin.call('updateTenant', {
    params: { namespace, tenant },
    body: { image_registry: { registry: 'registry.example', username: 'anna', password: PLANTED } },
  })
  const params = await newPod(namespace, { annotations })
  const claim: KubeObject = {
    metadata: { name: 'data0', namespace, labels: { 'v1.min.io/tenant': tenant }, annotations },
  }
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  await o.kube.create(resources.persistentVolumeClaims, { ...claim, spec } as never)
  kubelet.log = (response) => response.end(`MINIO_ROOT_PASSWORD=${PLANTED}\nstarted\n`)

  const report = await o.admin.call('getTenantLogReport', { params })
  const files = await unzip(new Uint8Array(Buffer.from(report.blob, 'base64')).buffer)
  expect(Object.keys(files)).toContain('pods/alpha-pool-0-0/minio.log')
  const texts = {
    report: Object.values(files).join('\n'),
    pod: (await o.admin.call('describePod', { params })).yaml,
    volume: (await o.admin.call('describeVolume', { params: { namespace, tenant, volume: 'data0' } })).yaml,
    drift: JSON.stringify(await o.admin.call('getTenantDrift', { params })),
    preview: JSON.stringify(await o.admin.call('previewTenant', { body: body('beta', await o.newNamespace()) })),
  }
  expect(texts.report).toContain('started')
  for (const [name, text] of Object.entries(texts)) {
    expect([name, text]).toEqual([name, expect.not.stringContaining(PLANTED)])
    expect(text).not.toContain(Buffer.from(PLANTED).toString('base64'))
  }
})

test('the prototype, another uid and another namespace in a YAML text change nothing', async () => {
  const params = await newTenant()
  const { yaml } = await o.admin.call('getTenantYaml', { params })
  const save = async (text: string) => await o.admin.send('updateTenantYaml', { params, body: { yaml: text } })
  for (const text of [
    yaml.replace(/uid: .*/, 'uid: 00000000-0000-0000-0000-000000000000'),
    yaml.replace(`namespace: ${params.namespace}`, 'namespace: kube-system'),
  ]) {
    expect(text).not.toBe(yaml)
    expect((await save(text)).status).toBe(400)
  }
  const polluted = `${yaml}\n__proto__:\n  spec: {}\n`.replace('spec:\n', 'spec:\n  __proto__:\n    mountPath: /evil\n')
  expect((await save(polluted)).status).toBe(201)
  const made = await o.kube.get(tenants, { namespace: params.namespace, name: params.tenant })
  expect(JSON.stringify(made)).not.toContain('/evil')
})

test.each(['Has Space', 'UPPER/case', 'a@b@c', 'image:tag with space', '../../etc', `x${'y'.repeat(600)}`])(
  'the image %j is refused, and the tenant keeps its own',
  async (image) => {
    const params = await newTenant()
    const before = await o.admin.call('getTenant', { params })
    expect((await callFailure(o.admin.call('updateTenant', { params, body: { image } }))).status).toBe(400)
    expect((await o.admin.call('getTenant', { params })).image).toBe(before.image)
  },
)

test.skipIf(!runsOnSandbox)('a cluster without the operator is reported as such', async () => {
  await using bare = await startOperator({ release: 'none' })
  const failure = await callFailure(bare.admin.call('listTenants', { query: {} }))
  expect([failure.status, failure.body.detailedReason?.id]).toEqual([404, 'kube-kind-missing'])
  const params = { namespace: 'default', tenant: 'alpha' }
  const one = await callFailure(bare.admin.call('getTenant', { params }))
  expect([one.status, one.body.detailedReason?.id]).toEqual([404, 'kube-kind-missing'])
  expect(await bare.admin.call('listTenantFields', { query: {} })).toMatchObject({ known: false })
})
