import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resources, tenants } from '@stowage/kube'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { startOperator, type TestOperator } from '../../support/operator/start-operator.ts'
import { freePort } from '../../support/processes/ports.ts'

const volumeClaimTemplate = { spec: { resources: { requests: { storage: '1Gi' } } } }
const pool = (name: string) => ({ name, servers: 2, volumesPerServer: 2, volumeClaimTemplate })
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A tenant with two pools, whose operator is the test. */
async function newTenant(o: TestOperator, rootPassword = 'a-root-password') {
  const namespace = await o.newNamespace()
  const text = `export MINIO_ROOT_USER="root-user"\nexport MINIO_ROOT_PASSWORD="${rootPassword}"\n`
  const name = 'alpha-env-configuration'
  await o.kube.create(resources.secrets, { metadata: { name, namespace }, data: { 'config.env': base64(text) } })
  await o.kube.create(tenants, {
    metadata: { name: 'alpha', namespace },
    spec: { pools: [pool('pool-0'), pool('pool-1')], configuration: { name }, requestAutoCert: false },
  })
  return { namespace, tenant: 'alpha' }
}

describe('without a server that answers', () => {
  let o: TestOperator
  beforeAll(async () => {
    const closed = await freePort()
    o = await startOperator({
      release: '7',
      env: { STOWAGE_TENANT_URL: `http://127.0.0.1:${closed}`, STOWAGE_EGRESS_ALLOW: '127.0.0.1' },
    })
  })
  afterAll(async () => await o?.[Symbol.asyncDispose]())

  test('the states of pools are a failure of the tenant, and nothing is removed', async () => {
    const params = await newTenant(o)
    const failure = await callFailure(o.admin.call('listPoolStates', { params }))
    expect([failure.status, failure.body.reason?.id]).toEqual([502, 'tenant-unreachable'])
    expect(JSON.stringify(failure.body)).not.toContain('a-root-password')
    const refused = await callFailure(o.admin.call('removeTenantPool', { params: { ...params, pool: 'pool-1' } }))
    expect(refused.status).toBe(502)
    expect((await o.admin.call('getTenant', { params })).pools).toHaveLength(2)
  })

  test('draining needs the right to read the keys of the tenant', async () => {
    const params = await newTenant(o)
    const rule = { apiGroups: ['minio.min.io'], resources: ['tenants'], verbs: ['get', 'update'] }
    const caller = await o.signInWith([rule], params.namespace)
    const failure = await callFailure(caller.call('drainPool', { params: { ...params, pool: 'pool-0' } }))
    expect(failure.status).toBe(403)
  })

  test.each(['a/b', '..%2f', 'POOL', '-a'])('the name %j is not a pool', async (name) => {
    const params = { namespace: 'default', tenant: 'alpha', pool: name }
    expect((await callFailure(o.admin.call('drainPool', { params }))).status).toBe(400)
  })
})

/* Against a real MinIO with two pools, if its program is set: STOWAGE_TEST_MINIO_PROGRAM=/path/to/minio. */
const program = process.env.STOWAGE_TEST_MINIO_PROGRAM
describe.skipIf(program === undefined)('on MinIO', () => {
  let o: TestOperator
  let folder: string
  let stop = async () => {}
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stowage-pools-'))
    const port = await freePort()
    // Folder names are used in place of pod names.
    const drives = [0, 1].map((n) => `${folder}/alpha-pool-${n}-{0...1}/d{0...1}`)
    const child = spawn(program ?? '', ['server', '--address', `127.0.0.1:${port}`, ...drives], {
      stdio: 'ignore',
      env: { MINIO_CI_CD: 'on', MINIO_ROOT_USER: 'root-user', MINIO_ROOT_PASSWORD: 'a-root-password', HOME: folder },
    })
    stop = async () => {
      const exit = once(child, 'exit')
      child.kill()
      await exit
    }
    o = await startOperator({
      release: '7',
      env: { STOWAGE_TENANT_URL: `http://127.0.0.1:${port}`, STOWAGE_EGRESS_ALLOW: '127.0.0.1' },
    })
  })
  afterAll(async () => {
    await o?.[Symbol.asyncDispose]()
    await stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('a pool is drained and removed; the last one is not', async () => {
    const params = await newTenant(o)
    const states = async () => {
      const { pools } = await o.admin.call('listPoolStates', { params })
      return pools.map(({ name, state }) => [name, state])
    }
    await expect
      .poll(() => states().catch(String), { interval: 200, timeout: 20_000 })
      .toEqual([
        ['pool-0', 'active'],
        ['pool-1', 'active'],
      ])
    const early = await callFailure(o.admin.call('removeTenantPool', { params: { ...params, pool: 'pool-1' } }))
    expect([early.status, early.body.reason?.id]).toEqual([409, 'pool-not-drained'])
    const unknown = await callFailure(o.admin.call('drainPool', { params: { ...params, pool: 'pool-9' } }))
    expect(unknown.status).toBe(404)
    await o.admin.call('drainPool', { params: { ...params, pool: 'pool-1' } })
    const last = await callFailure(o.admin.call('drainPool', { params: { ...params, pool: 'pool-0' } }))
    expect([last.status, last.body.reason?.id]).toEqual([409, 'pool-last'])
    await expect.poll(states, { interval: 200, timeout: 60_000 }).toContainEqual(['pool-1', 'drained'])
    await o.admin.call('removeTenantPool', { params: { ...params, pool: 'pool-1' } })
    expect((await o.admin.call('getTenant', { params })).pools.map(({ name }) => name)).toEqual(['pool-0'])
  })

  test('wrong keys of the tenant are an error of the tenant, not of the session', async () => {
    const params = await newTenant(o, 'some-other-password')
    expect((await callFailure(o.admin.call('listPoolStates', { params }))).status).toBe(502)
  })
})
