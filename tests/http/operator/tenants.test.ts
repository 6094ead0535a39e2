import { resources, tenants } from '@stowage/kube'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOperator, type TestOperator } from '../../support/operator/start-operator.ts'

let o: TestOperator
beforeAll(async () => {
  o = await startOperator()
})
afterAll(async () => await o?.[Symbol.asyncDispose]())

const pool = {
  name: 'pool-0',
  servers: 4,
  volumes_per_server: 2,
  volume_configuration: { size: 26843545600, storage_class_name: 'standard' },
  resources: { requests: { memory: 2147483648 }, limits: { memory: 8589934592 } },
}
const keys = [{ access_key: 'AAAAAAAAAAAAAAAA', secret_key: 'BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB' }]

test('a tenant is created with its secrets and read back', async () => {
  const namespace = await o.newNamespace()
  const body = { name: 'alpha', namespace, pools: [pool], idp: { keys }, erasureCodingParity: 2 }
  expect(await o.admin.call('createTenant', { body })).toEqual({ externalIDP: false, console: keys })
  const params = { namespace, tenant: 'alpha' }
  expect(await o.admin.call('getTenant', { params })).toMatchObject({
    name: 'alpha',
    total_size: 214748364800,
    minioTLS: true,
    logEnabled: true,
    pools: [pool],
  })
})

test('operators before 2022 find the root keys in their secret, later ones the same keys in the configuration', async () => {
  const namespace = await o.newNamespace()
  await o.admin.call('createTenant', { body: { name: 'alpha', namespace, pools: [pool] } })
  const read = async (name: string, key: string) => {
    const { data } = await o.kube.get(resources.secrets, { namespace, name })
    return Buffer.from(data?.[key] ?? '', 'base64').toString('utf8')
  }
  const [user, password] = [await read('alpha-secret', 'accesskey'), await read('alpha-secret', 'secretkey')]
  expect([user.length, password.length]).toEqual([16, 32])
  const file = await read('alpha-env-configuration', 'config.env')
  expect(file).toContain(`export MINIO_ROOT_PASSWORD="${password}"\nexport MINIO_ROOT_USER="${user}"\n`)
  const { spec } = await o.kube.get(tenants, { namespace, name: 'alpha' })
  expect(spec).toMatchObject({
    credsSecret: { name: 'alpha-secret' },
    configuration: { name: 'alpha-env-configuration' },
  })
})
