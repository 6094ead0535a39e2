import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOperator, type TestOperator } from '../../support/operator.ts'

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
