import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { resources, tenants } from '@stowage/kube'
import { type CertificateAuthority, createAuthority, type PemKeyPair } from '@stowage/sandbox-kube/pki'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { callFailure, TestCaller } from '../../support/console/caller.ts'
import { openLiveClient } from '../../support/console/live-socket.ts'
import { type StandaloneStore, startStore } from '../../support/console/start-store.ts'
import { startOperator, type TestOperator } from '../../support/operator/start-operator.ts'

/** Larger than the buffers of one answer in the console, and than one part of an upload. */
const FILE = randomBytes(12 << 20)
const HERE = { commonName: 'minio', addresses: ['127.0.0.1'], usage: 'server' } as const

let o: TestOperator
let store: StandaloneStore
let authority: CertificateAuthority
beforeAll(async () => {
  ;[store, authority] = await Promise.all([startStore(), createAuthority('tenant')])
  o = await startOperator({
    env: { STOWAGE_TENANT_URL: 'https://127.0.0.1:{nodePort}', STOWAGE_EGRESS_ALLOW: '127.0.0.1' },
  })
})
afterAll(async () => {
  await o?.[Symbol.asyncDispose]()
  await store?.[Symbol.asyncDispose]()
})

/** The test's store over TLS. Closed after the test. */
async function serveOverTls(certificate: PemKeyPair) {
  const open = new Set<Socket>()
  const front = {
    port: 0,
    /** Bytes that it decrypted. */
    received: 0,
    /** Bytes of answers that may still be sent. */
    allowance: Number.POSITIVE_INFINITY,
    release: () => {},
    /** Closes all connections and takes another certificate. */
    present(other: PemKeyPair) {
      server.setSecureContext(other)
      for (const socket of open) socket.destroy()
      front.received = 0
    },
  }
  const server = createServer(certificate, (client: TLSSocket) => {
    const behind = connect(Number(new URL(store.url).port), '127.0.0.1')
    for (const [socket, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      open.add(socket)
      // `close` follows.
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
    client.on('data', (chunk) => {
      front.received += chunk.length
    })
    client.pipe(behind)
    behind.on('data', (chunk) => {
      client.write(chunk)
      front.allowance -= chunk.length
      if (front.allowance > 0) return
      behind.pause()
      front.release = () => void behind.resume()
    })
  })
  // A client that refuses the certificate.
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  front.port = (server.address() as AddressInfo).port
  return front
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A tenant with TLS at this port. Its secrets, by name, are each one certificate of an authority. */
async function newTenant(port: number, secrets: Record<string, string>) {
  const namespace = await o.newNamespace()
  const configuration = { name: 'alpha-env-configuration' }
  const text = 'export MINIO_ROOT_USER="rootuser"\nexport MINIO_ROOT_PASSWORD="rootpassword"\n'
  const data = { 'config.env': base64(text) }
  await o.kube.create(resources.secrets, { metadata: { ...configuration, namespace }, data })
  for (const [name, pem] of Object.entries(secrets))
    await o.kube.create(resources.secrets, { metadata: { name, namespace }, data: { 'public.crt': base64(pem) } })
  const storage = { resources: { requests: { storage: '1Gi' } } }
  const pools = [{ name: 'pool-0', servers: 4, volumesPerServer: 2, volumeClaimTemplate: { spec: storage } }]
  const externalCaCertSecret = Object.keys(secrets).flatMap((name) => (name === 'alpha-tls' ? [] : [{ name }]))
  const spec = { pools, configuration, requestAutoCert: true, externalCaCertSecret }
  await o.kube.create(tenants, { metadata: { name: 'alpha', namespace }, spec })
  const ports = [{ name: 'https-minio', port: 443, nodePort: port }]
  await o.kube.create(resources.services, { metadata: { name: 'minio', namespace }, spec: { type: 'NodePort', ports } })
  return { namespace, tenant: 'alpha' }
}

async function openHere(params: { namespace: string; tenant: string }) {
  const { path, sessionId } = await o.admin.call('openTenantHere', { params, body: {} })
  return new TestCaller(`${o.url}/${path.replace(/\/$/, '')}`, sessionId)
}

function uploadForm(bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData()
  form.append('file.bin', new Blob([bytes]), 'file.bin')
  return form
}

const upload = async (caller: TestCaller, bucket: string) =>
  await caller.send('uploadObjects', { params: { bucket }, query: { prefix: '' }, body: uploadForm(FILE) })
const download = async (caller: TestCaller, bucket: string, headers: Record<string, string> = {}) =>
  await caller.send('downloadObject', { params: { bucket }, query: { prefix: 'file.bin' } }, { headers })

test.each([
  ['the tenant’s own authority', async () => [await authority.issue(HERE), { 'alpha-tls': authority.cert }]],
  ['an authority that the tenant configures', async () => [await authority.issue(HERE), { company: authority.cert }]],
  ['the authority of the cluster', async () => [await o.sandbox.kubeletCertificate(), {}]],
] satisfies [string, () => Promise<[PemKeyPair, Record<string, string>]>][])(
  'the screens of a tenant whose certificate is from %s upload, list, download and follow',
  async (_, made) => {
    const [certificate, secrets] = await made()
    const front = await serveOverTls(certificate)
    const here = await openHere(await newTenant(front.port, secrets))
    const bucket = o.freshName('tls')
    await here.call('createBucket', { body: { name: bucket } })
    expect((await upload(here, bucket)).status).toBe(200)
    const { objects } = await here.call('listObjects', { params: { bucket }, query: {} })
    expect(objects.map(({ name, size }) => [name, size])).toEqual([['file.bin', FILE.length]])

    // The beginning arrives while the storage server still has the end.
    front.allowance = FILE.length / 2
    const whole = await download(here, bucket)
    expect(whole.headers.get('content-length')).toBe(String(FILE.length))
    const received: Uint8Array[] = []
    for await (const chunk of whole.body ?? []) {
      received.push(chunk)
      front.release()
      front.allowance = Number.POSITIVE_INFINITY
    }
    expect(FILE.equals(Buffer.concat(received))).toBe(true)

    for (const [first, last] of [
      [5, 9],
      [FILE.length - (3 << 20), FILE.length - 1],
    ] as const) {
      const part = await download(here, bucket, { range: `bytes=${first}-${last}` })
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${first}-${last}/${FILE.length}`])
      expect(FILE.subarray(first, last + 1).equals(Buffer.from(await part.arrayBuffer()))).toBe(true)
    }
    await using live = await openLiveClient(here, 'trace', { query: {} })
    await live.nextOfKind('started')
  },
)

test.each([
  ['from an unknown authority', async () => await (await createAuthority('tenant')).issue(HERE)],
  ['for another address', async () => await authority.issue({ ...HERE, addresses: ['127.0.0.2'] })],
  ['that has ended', async () => await authority.issue({ ...HERE, validMs: 1000, now: new Date('2026-01-01') })],
])('a tenant with a certificate %s gets no keys and no calls', async (_, made) => {
  const front = await serveOverTls(await made())
  const params = await newTenant(front.port, { 'alpha-tls': authority.cert })
  const failure = await callFailure(o.admin.call('openTenantHere', { params, body: {} }))
  expect([failure.status, failure.body.reason?.id]).toEqual([502, 'tenant-unreachable'])
  expect(failure.body.detailedMessage).toContain('a certificate that is not trusted')
  expect(front.received).toBe(0)

  // Screens that were open before.
  front.present(await authority.issue(HERE))
  const here = await openHere(params)
  const bucket = o.freshName('tls')
  await here.call('createBucket', { body: { name: bucket } })
  expect((await upload(here, bucket)).status).toBe(200)
  front.present(await made())
  for (const answer of [
    await here.send('listBuckets', {}),
    await download(here, bucket),
    await download(here, bucket, { range: 'bytes=0-9' }),
    await upload(here, bucket),
  ]) {
    expect(answer.status).toBe(503)
    expect(await answer.text()).toContain('a certificate that is not trusted')
  }
  await using live = await openLiveClient(here, 'trace', { query: {} })
  expect((await live.closed).code).toBe(1011)
  expect(front.received).toBe(0)
})
