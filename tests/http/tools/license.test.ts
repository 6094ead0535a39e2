import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import { startConsole } from '../../support/console/start-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { startLicenses } from '../../support/operator/licenses.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('without a license the call answers as the original recorded it', async () => {
  const failure = await callFailure(c.call('getSubscription', {}))
  expect(failure).toMatchObject({
    status: 404,
    body: { code: 404, message: 'license not found', detailedMessage: 'license not found' },
  })
})

test('where a service is set, a license is activated by account or key, and renewed; others may not', async () => {
  using licenses = await startLicenses()
  await using service = await startLicenseService()
  await using own = await startConsole({
    env: {
      STOWAGE_LICENSE_KEY: licenses.keyFile,
      STOWAGE_LICENSE_URL: `http://127.0.0.1:${service.port}/base/`,
      STOWAGE_EGRESS_ALLOW: `127.0.0.1:${service.port}`,
    },
  })
  expect((await own.call('getSession', {})).features).toContain('license-account')
  const account = { license: '', email: 'ops@example.com', password: 'planted-password' }
  const viewer = await own.signInWith({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['admin:ServerInfo'] }],
  })
  expect((await callFailure(viewer.call('validateSubscription', { body: account }))).status).toBe(403)
  expect((await callFailure(viewer.call('refreshSubscription', {}))).status).toBe(403)
  expect((await callFailure(own.call('refreshSubscription', {}))).status).toBe(404)
  expect(service.asked).toEqual([])

  service.answers.set('/base/api/auth/login', { token_info: { access_token: 'issued' } })
  service.answers.set('/base/api/auth/subscription/license-key', { license: licenses.license })
  expect(await own.call('validateSubscription', { body: account })).toMatchObject({ organization: 'North Quay' })
  expect(await own.call('getSubscription', {})).toMatchObject({ organization: 'North Quay' })
  const renewed = await licenses.issue({ org: 'South Quay' })
  service.answers.set('/base/api/auth/subscription/renew-license', { license: renewed })
  expect(await own.call('refreshSubscription', {})).toMatchObject({ organization: 'South Quay' })
  expect(service.asked.at(-1)?.body).toEqual({ license: licenses.license })
  const late = await licenses.issue({ org: 'Late Quay' }, 1)
  const body = { license: late, email: '', password: '' }
  expect((await callFailure(own.call('validateSubscription', { body }))).status).toBe(404)
  expect(await own.call('getSubscription', {})).toMatchObject({ organization: 'South Quay' })
  expect((await stat(join(own.data, 'license'))).mode & 0o777).toBe(0o600)
  for (const secret of [renewed, 'planted-password', 'issued']) expect(own.output()).not.toContain(secret)
})

/** A service that issues licenses. Its answers are set by path. */
async function startLicenseService() {
  const asked: { path: string; body: unknown }[] = []
  const answers = new Map<string, object>()
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const path = request.url ?? ''
      asked.push({ path, body })
      const answer = answers.get(path)
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, asked, answers, [Symbol.asyncDispose]: async () => void server.close() }
}

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
