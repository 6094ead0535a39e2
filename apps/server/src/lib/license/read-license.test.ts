import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readLicense } from './read-license.ts'

let folder: string
let keyFile: string
let pair: Awaited<ReturnType<typeof generateKeyPair>>
const claims = { org: 'North Quay', aid: 7, cap: 50, plan: 'STANDARD' }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stowage-license-'))
  pair = await generateKeyPair('ES384')
  keyFile = join(folder, 'key.pem')
  await writeFile(keyFile, await exportSPKI(pair.publicKey))
})
afterAll(async () => await rm(folder, { recursive: true }))

const signed = (expires: string | number, body: object = claims) =>
  new SignJWT({ ...body })
    .setProtectedHeader({ alg: 'ES384' })
    .setSubject('ops@example.com')
    .setExpirationTime(expires)
    .sign(pair.privateKey)

test('a good license is read', async () => {
  const token = await signed(Math.floor(Date.parse('2099-01-06T05:16:09Z') / 1000))
  expect(await readLicense({ token, keyFile })).toEqual({
    email: 'ops@example.com',
    organization: 'North Quay',
    account_id: 7,
    storage_capacity: 50,
    plan: 'STANDARD',
    expires_at: '2099-01-06 05:16:09 +0000 UTC',
  })
})

test.each<[string, () => Promise<string> | string]>([
  ['expired', () => signed('1 second ago')],
  ['without an expiry', () => new SignJWT(claims).setProtectedHeader({ alg: 'ES384' }).sign(pair.privateKey)],
  ['with alg none', () => new UnsecuredJWT({ ...claims, exp: 4e9 }).encode()],
  [
    'signed with the public key as an HS256 secret',
    async () =>
      await new SignJWT({ ...claims, exp: 4e9 })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(await exportSPKI(pair.publicKey))),
  ],
  [
    'of another issuer',
    async () =>
      await new SignJWT({ ...claims, exp: 4e9 })
        .setProtectedHeader({ alg: 'ES384' })
        .sign((await generateKeyPair('ES384')).privateKey),
  ],
  ['that is no token', () => 'license'],
])('a license %s is refused', async (_, make) => {
  await expect(readLicense({ token: await make(), keyFile })).rejects.toThrow()
})

test('fields of the wrong type are left out', async () => {
  const token = await signed('1 hour', { org: ['x'], cap: 'much', plan: {} })
  expect(await readLicense({ token, keyFile })).toMatchObject({ organization: '', storage_capacity: 0, plan: '' })
})
