import { readFile } from 'node:fs/promises'
import { readZip, writeZip } from '@stowage/madmin/zip'
import type { SigningCredentials } from '@stowage/sigv4'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setPolicy } from '../../../iam/policies.ts'
import { setPolicies } from '../../../iam/policy-mappings.ts'
import { createServiceAccount } from '../../../iam/service-accounts.ts'
import { createSession } from '../../../iam/sessions.ts'
import { setUser } from '../../../iam/users.ts'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from '../../testing/test-store.ts'

/** Exported by MinIO RELEASE.2025-10-15: two users, a group, a policy, a service account of a user and one of root. */
const fromMinio = await readFile(new URL('../../../iam/archive/testing/minio-iam.zip', import.meta.url))

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore()
  await store.engine.createBucket('photos')
})
afterAll(() => store[Symbol.asyncDispose]())

const put = async (
  body: Buffer,
  credentials: SigningCredentials = ROOT_CREDENTIALS,
  on = store,
  path = 'import-iam-v2',
) => {
  const { status, code, text } = await on.send({ method: 'PUT', path: `/minio/admin/v3/${path}`, body, credentials })
  return { status, code, report: status === 200 && text !== '' ? (JSON.parse(text) as Report) : undefined }
}
type Report = Record<'skipped' | 'added' | 'failed' | 'removed', Record<string, unknown>>

const archive = (files: Record<string, unknown>) =>
  writeZip(
    Object.entries(files).map(([name, value]) => ({
      name: `iam-assets/${name}.json`,
      content: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
    })),
  )

async function exported(on = store): Promise<Record<string, Record<string, never>>> {
  const { body } = await on.send({ path: '/minio/admin/v3/export-iam' })
  const entries = readZip(body, { entries: 100, entryBytes: 1e7, totalBytes: 1e7 })
  return Object.fromEntries(
    entries.map(({ name, content }) => [
      name.replace(/^iam-assets\/|\.json$/g, ''),
      JSON.parse(content.toString()) as Record<string, never>,
    ]),
  )
}

const list = async (credentials: SigningCredentials) =>
  (await store.send({ credentials, path: '/photos', query: 'list-type=2' })).status

test('an export of MinIO is imported; service accounts of root stay out', async () => {
  const { report } = await put(fromMinio)
  expect(report?.added).toEqual({
    // MinIO's built-in policy with this name differs from this store's.
    policies: ['diagnostics', 'only-photos'],
    users: ['anna', 'bert'],
    groups: ['editors'],
    serviceAccounts: ['anna-key-1'],
    userPolicies: [{ anna: ['only-photos', 'readonly'] }],
    groupPolicies: [{ editors: ['readwrite'] }],
  })
  expect(report?.failed).toEqual({
    serviceAccounts: [{ name: 'root-key-1', message: 'Service accounts of the root user cannot be imported.' }],
  })
  expect(await list({ accessKey: 'anna', secretKey: 'anna-secret' })).toBe(200)
  expect(await list({ accessKey: 'bert', secretKey: 'bert-secret' })).toBe(403)
  const account = { accessKey: 'anna-key-1', secretKey: 'anna-key-secret' }
  expect(await list(account)).toBe(403)
  expect((await store.send({ credentials: account, path: '/photos/none' })).status).toBe(404)
  expect((await put(fromMinio)).report?.skipped).toMatchObject({ users: ['anna', 'bert'], groups: ['editors'] })
})

test('what is exported is what is imported elsewhere', async () => {
  await put(fromMinio)
  await using other = await startTestStore()
  const { body } = await store.send({ path: '/minio/admin/v3/export-iam' })
  expect((await put(body, ROOT_CREDENTIALS, other, 'import-iam')).status).toBe(200)
  const plain = (files: object) => JSON.stringify(files).replace(/"updatedAt":"[^"]*"/g, '')
  expect(plain(await exported(other))).toBe(plain(await exported()))
})

test('a repeated import skips everything, service accounts too', async () => {
  const users = { anton: { secretKey: 'anton-secret', status: 'enabled' } }
  const svcaccts = { 'anton-key-1': { parent: 'anton', secretKey: 'anton-key-secret', description: 'nightly' } }
  const files = archive({ users, svcaccts })
  expect((await put(files)).report?.added).toEqual({ users: ['anton'], serviceAccounts: ['anton-key-1'] })
  const { report } = await put(files)
  expect(report?.added).toEqual({})
  expect(report?.skipped).toEqual({ users: ['anton'], serviceAccounts: ['anton-key-1'] })
})

test('a failure has no `error`, which no client in Go can decode', async () => {
  const { report } = await put(archive({ groups: { ghosts: { members: ['nobody-there'] } } }))
  expect(report?.failed.groups).toEqual([{ name: 'ghosts', message: 'The member nobody-there does not exist.' }])
})

test('import-iam has no report: with one bad entry it imports nothing and fails with its name', async () => {
  const users = { 'all-or-none': { secretKey: 'all-or-none-secret' } }
  const groups = { ghosts: { members: ['nobody-there'] } }
  const { status, code } = await put(archive({ users, groups }), ROOT_CREDENTIALS, store, 'import-iam')
  expect([status, code]).toEqual([400, 'XMinioInvalidResource'])
  expect(store.server.iam.users.get('all-or-none')).toBeUndefined()
})

test('sessions, and service accounts of root, are not exported', async () => {
  const { iam } = store.server
  const asked = {
    parent: ROOT_CREDENTIALS.accessKey,
    accessKey: 'of-root',
    secretKey: 'of-root-secret',
    policy: undefined,
  }
  await createServiceAccount(iam, { ...asked, bounds: [], name: '', description: '', expiresAt: undefined })
  const session = await createSession(iam, { parent: ROOT_CREDENTIALS.accessKey, durationSeconds: 900 })
  const text = JSON.stringify(await exported())
  expect(text).not.toContain('of-root')
  expect(text).not.toContain(session.accessKey)
  expect(text).not.toContain(ROOT_CREDENTIALS.secretKey)
})

const ADMIN = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['admin:*'] }] }
const planted = archive({
  policies: { planted: ADMIN },
  users: { mallory: { secretKey: 'mallory-secret', status: 'enabled' } },
  user_mappings: { mallory: { policy: 'planted' } },
})

test.each([
  [['admin:ListUsers'], planted],
  [['admin:ImportIAM'], planted],
  [['admin:ImportIAM', 'admin:CreateUser', 'admin:CreatePolicy'], planted],
  [['admin:ImportIAM', 'admin:CreateUser'], archive({ policies: { readonly: ADMIN } })],
  [['admin:ImportIAM'], archive({ groups: { some: { members: [] } }, user_mappings: {} })],
  [
    ['admin:ImportIAM', 'admin:CreateUser'],
    archive({ users: { victim: { secretKey: 'as-it-was', status: 'disabled' } } }),
  ],
  [
    ['admin:ImportIAM', 'admin:CreateUser'],
    archive({ svcaccts: { 'victim-key': { parent: 'victim', secretKey: 'a-new-secret' } } }),
  ],
])('whoever has only %j plants nobody', async (actions, body) => {
  const { iam } = store.server
  await setUser(iam, 'victim', 'as-it-was', 'enabled')
  const Statement = [{ Effect: 'Allow', Action: actions }]
  await setPolicy(iam, 'importer', JSON.stringify({ Version: '2012-10-17', Statement }))
  await setUser(iam, 'importer', 'importer-secret', 'enabled')
  await setPolicies(iam, { kind: 'user', name: 'importer' }, ['importer'])
  const before = JSON.stringify(await exported())
  const answer = await put(body, { accessKey: 'importer', secretKey: 'importer-secret' })
  expect(answer).toMatchObject({ status: 403, code: 'AccessDenied' })
  expect(JSON.stringify(await exported())).toBe(before)
})

test('the archive needs the right, and a signature', async () => {
  await setUser(store.server.iam, 'nobody', 'nobody-secret', 'enabled')
  const as = (credentials: SigningCredentials | 'anonymous') =>
    store.send({ path: '/minio/admin/v3/export-iam', credentials })
  expect((await as({ accessKey: 'nobody', secretKey: 'nobody-secret' })).status).toBe(403)
  expect((await as('anonymous')).status).toBe(403)
})

test.each<[string, string, Record<string, unknown>]>([
  ['root as a user', 'users', { users: { [ROOT_CREDENTIALS.accessKey]: { secretKey: 'another-secret' } } }],
  ['a user without a secret key', 'users', { users: { stranger: { status: 'enabled' } } }],
  ['a user with a bad name', 'users', { users: { 'a=b': { secretKey: 'long-enough' } } }],
  ['a user with a short secret key', 'users', { users: { stranger: { secretKey: 'short' } } }],
  ['a user that is no object', 'users', { users: { stranger: 7 } }],
  ['a group of nobody', 'groups', { groups: { some: { members: ['stranger'] } } }],
  ['a policy that is none', 'policies', { policies: { odd: { Statement: 'x' } } }],
  ['a mapping of nobody', 'userPolicies', { user_mappings: { stranger: { policy: 'readonly' } } }],
  ['a mapping to nothing', 'userPolicies', { user_mappings: { victim: { policy: 'no-such-policy' } } }],
  [
    'a child of root',
    'serviceAccounts',
    { svcaccts: { child: { parent: ROOT_CREDENTIALS.accessKey, secretKey: 'long-enough' } } },
  ],
  ['a child of nobody', 'serviceAccounts', { svcaccts: { child: { parent: 'stranger', secretKey: 'long-enough' } } }],
  [
    'a child with a name that is taken',
    'serviceAccounts',
    { svcaccts: { victim: { parent: 'importer', secretKey: 'long-enough' } } },
  ],
  [
    'a child with an end that is none',
    'serviceAccounts',
    { svcaccts: { child: { parent: 'victim', secretKey: 'long-enough', expiration: 'soon' } } },
  ],
])('%s is reported as failed, and everything else is imported', async (_, kind, files) => {
  await setUser(store.server.iam, 'victim', 'as-it-was', 'enabled')
  await setUser(store.server.iam, 'importer', 'importer-secret', 'enabled')
  const { report } = await put(archive(files))
  expect(report?.failed[kind]).toHaveLength(1)
  expect(report?.added).toEqual({})
})

test('a user whose secret key is replaced loses the sessions; one without in the archive keeps it', async () => {
  const { iam } = store.server
  await setUser(iam, 'victim', 'as-it-was', 'enabled')
  const { accessKey } = await createSession(iam, { parent: 'victim', durationSeconds: 900 })
  expect((await put(archive({ users: { victim: { status: 'enabled' } } }))).report?.skipped).toEqual({
    users: ['victim'],
  })
  expect(iam.sessions.has(accessKey)).toBe(true)
  await put(archive({ users: { victim: { secretKey: 'as-it-is-now' } } }))
  expect(iam.sessions.has(accessKey)).toBe(false)
})

test('service accounts that a narrowed credential imports are narrowed like it', async () => {
  const { iam } = store.server
  await setUser(iam, 'victim', 'as-it-was', 'enabled')
  await setPolicies(iam, { kind: 'user', name: 'victim' }, ['readwrite'])
  const Statement = [{ Effect: 'Allow', Action: ['admin:*'] }]
  const policy = JSON.stringify({ Version: '2012-10-17', Statement })
  const narrowed = await createSession(iam, { parent: ROOT_CREDENTIALS.accessKey, durationSeconds: 900, policy })
  const child = { accessKey: 'narrow-child', secretKey: 'narrow-secret' }
  await put(archive({ svcaccts: { [child.accessKey]: { parent: 'victim', secretKey: child.secretKey } } }), narrowed)
  expect(await list({ accessKey: 'victim', secretKey: 'as-it-was' })).toBe(200)
  expect(await list(child)).toBe(403)
})

test.each<[string, Buffer]>([
  ['is no archive', Buffer.from('PK nonsense')],
  ['is empty', Buffer.alloc(0)],
  ['has nothing of IAM', writeZip([{ name: 'other.json', content: Buffer.from('{}') }])],
  ['has a file that is no JSON', archive({ users: '{' })],
  ['has a list for an object', archive({ users: [] })],
  ['is cut', fromMinio.subarray(0, 500)],
])('a body that %s is refused', async (_, body) => {
  expect(await put(body)).toMatchObject({ status: 400, code: 'InvalidRequest' })
})
