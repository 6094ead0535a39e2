import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resources } from '@stowage/kube'
import { type CertificateAuthority, createAuthority } from '@stowage/sandbox-kube/pki'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callFailure, TestCaller } from '../../support/console/caller.ts'
import { newNodePort } from '../../support/operator/node-port.ts'
import { startOperator, type TestOperator } from '../../support/operator/start-operator.ts'
import { freePort } from '../../support/processes/ports.ts'

/** A key with characters that matter in files, shells and signatures. */
const KEYS = { access_key: 'root-user', secret_key: 'a=b"c$d`e\\f g' }

/* A real MinIO as the server of a tenant, if its program is set: STOWAGE_TEST_MINIO_PROGRAM=/path/to/minio. */
const program = process.env.STOWAGE_TEST_MINIO_PROGRAM
describe.skipIf(program === undefined)('a tenant that is a MinIO with a certificate', () => {
  let o: TestOperator
  let authority: CertificateAuthority
  let folder: string
  let port: number
  let stop = async () => {}
  let params: { namespace: string; tenant: string }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stowage-minio-'))
    authority = await createAuthority('company')
    o = await startOperator({
      release: '7',
      env: { STOWAGE_TENANT_URL: 'https://127.0.0.1:{nodePort}', STOWAGE_EGRESS_ALLOW: '127.0.0.1' },
    })
    const pair = await authority.issue({ commonName: 'minio', addresses: ['127.0.0.1'], usage: 'server' })
    params = { namespace: await o.newNamespace(), tenant: 'alpha' }
    await newTenant(params.namespace, authority.cert, pair)

    // The server gets what its pods would mount.
    const read = async (name: string, key: string) => {
      const secret = await o.kube.get(resources.secrets, { namespace: params.namespace, name })
      return Buffer.from(secret.data?.[key] ?? '', 'base64')
    }
    const certificates = join(folder, 'certs')
    await mkdir(certificates)
    const own = 'alpha-secret-instance-external-certificates-0'
    await writeFile(join(certificates, 'public.crt'), await read(own, 'tls.crt'))
    await writeFile(join(certificates, 'private.key'), await read(own, 'tls.key'))
    await writeFile(join(folder, 'config.env'), await read('alpha-env-configuration', 'config.env'))
    port = Number(await freePort())
    const address = ['--certs-dir', certificates, '--address', `127.0.0.1:${port}`]
    const child = spawn(program ?? '', ['server', ...address, `${folder}/drive{0...3}`], {
      stdio: 'ignore',
      env: { MINIO_CI_CD: 'on', MINIO_CONFIG_ENV_FILE: join(folder, 'config.env'), HOME: folder },
    })
    stop = async () => {
      const exit = once(child, 'exit')
      child.kill()
      await exit
    }
    await expose(params.namespace, port)
  })
  afterAll(async () => {
    await o?.[Symbol.asyncDispose]()
    await stop()
    await rm(folder, { recursive: true, force: true })
  })

  const base64 = (text: string) => Buffer.from(text).toString('base64')

  async function newTenant(namespace: string, ca: string, pair: { cert: string; key: string }) {
    const pools = [{ name: 'pool-0', servers: 1, volumes_per_server: 4, volume_configuration: { size: 1 << 30 } }]
    const tls = { minio: [{ crt: base64(pair.cert), key: base64(pair.key) }], ca_certificates: [base64(ca)] }
    const image = 'minio/minio:RELEASE.2025-10-15T17-29-55Z'
    await o.admin.call('createTenant', {
      body: { name: 'alpha', namespace, image, ...KEYS, pools, tls, enable_tls: false },
    })
  }

  async function expose(namespace: string, nodePort: number) {
    const spec = { type: 'NodePort', ports: [{ name: 'https-minio', port: 443, nodePort }] }
    await o.kube.create(resources.services, { metadata: { name: 'minio', namespace }, spec })
  }

  test('its usage and certificates are shown, and its screens work with the keys that were entered', async () => {
    await expect
      .poll(() => o.admin.call('getTenantUsage', { params }).catch(String), { interval: 200 })
      .toMatchObject({ used: 0, disk_used: expect.any(Number) })
    const { customCertificates } = await o.admin.call('getTenantSecurity', { params })
    expect(customCertificates.minio).toMatchObject([{ domains: ['127.0.0.1'] }])

    const { path, sessionId } = await o.admin.call('openTenantHere', { params, body: {} })
    const here = new TestCaller(`${o.url}/${path.replace(/\/$/, '')}`, sessionId)
    await here.call('createBucket', { body: { name: 'media' } })
    const form = new FormData()
    form.append('file.bin', new Blob(['content']), 'file.bin')
    const upload = { params: { bucket: 'media' }, query: { prefix: '' }, body: form }
    expect((await here.send('uploadObjects', upload)).status).toBe(200)
    const { objects } = await here.call('listObjects', { params: { bucket: 'media' }, query: {} })
    expect(objects.map(({ name, size }) => [name, size])).toEqual([['file.bin', 7]])
    const { buckets } = await here.call('listBuckets', {})
    expect(buckets.map(({ name }) => name)).toEqual(['media'])
    const drives = (await here.call('getAdminInfo', {})).servers.flatMap((server) => server.drives)
    expect(drives).toHaveLength(4)
  })

  test('a tenant with another authority gets neither keys nor calls from it', async () => {
    const other = await createAuthority('other')
    const namespace = await o.newNamespace()
    const names = { commonName: 'minio', addresses: ['127.0.0.1'], usage: 'server' } as const
    await newTenant(namespace, other.cert, await other.issue(names))
    await expose(namespace, await newNodePort(port))
    const at = { namespace, tenant: 'alpha' }
    const failure = await callFailure(o.admin.call('openTenantHere', { params: at, body: {} }))
    expect([failure.status, failure.body.reason?.id]).toEqual([502, 'tenant-unreachable'])
    expect(failure.body.detailedMessage).toContain('a certificate that is not trusted')
    expect((await callFailure(o.admin.call('getTenantUsage', { params: at }))).status).toBe(502)
  })
})
