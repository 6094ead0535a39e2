import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { failureOf } from '../../support/caller.ts'
import { startConsole } from '../../support/console.ts'
import { sharedConsole } from '../../support/shared.ts'
import type { TestTarget } from '../../support/target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('without a license the call answers as the original recorded it', async () => {
  const failure = await failureOf(c.call('getSubscription', {}))
  expect(failure).toMatchObject({
    status: 404,
    body: { code: 404, message: 'license not found', detailedMessage: 'license not found' },
  })
})

test.each(['validate', 'refresh'])('subscription/%s is not a call of this console', async (call) => {
  const response = await fetch(`${c.url}/api/v1/subscription/${call}`, { method: 'POST', body: '{}' })
  expect(response.status).toBe(404)
})

test('a license from the environment is shown, also under the original’s variable name [SUB-11]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-license-'))
  try {
    const { privateKey, publicKey } = await generateKeyPair('ES384')
    const keyFile = join(folder, 'key.pem')
    await writeFile(keyFile, await exportSPKI(publicKey))
    const token = await new SignJWT({ org: 'North Quay', cap: 50, plan: 'ENTERPRISE' })
      .setProtectedHeader({ alg: 'ES384' })
      .setSubject('ops@example.com')
      .setExpirationTime(4_102_444_800)
      .sign(privateKey)
    await using own = await startConsole({ env: { CONSOLE_SUBNET_LICENSE: token, STOWAGE_LICENSE_KEY: keyFile } })
    expect(await own.call('getSubscription', {})).toMatchObject({
      plan: 'ENTERPRISE',
      organization: 'North Quay',
      storage_capacity: 50,
      expires_at: '2100-01-01 00:00:00 +0000 UTC',
      email: 'ops@example.com',
    })
    expect(own.output()).not.toContain(token)
  } finally {
    await rm(folder, { recursive: true })
  }
})
