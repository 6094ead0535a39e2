import { readFile } from 'node:fs/promises'
import { readZip } from '@stowage/madmin/zip'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'

/** Exported by MinIO: the users anna and bert, a group, a policy, service accounts of anna and of root. */
const fromMinio = await readFile(
  new URL('../../../packages/object-store/src/iam/archive/testing/minio-iam.zip', import.meta.url),
)
const value = fromMinio.toString('base64')
const passphrase = 'a long passphrase'

let c: TestConsole
beforeAll(async () => {
  c = await startConsole()
  // A run that was stopped may have left it.
  await removeImported()
})
afterAll(async () => {
  if (c) await removeImported()
  await c?.[Symbol.asyncDispose]()
})

/** Another server keeps what was imported, and must not know it when the test begins. */
async function removeImported(): Promise<void> {
  await c.root.send('deleteGroup', { query: { name: 'editors', remove_members: 'true' } })
  for (const name of ['anna', 'bert']) await c.root.send('deleteUser', { query: { name } })
  await c.root.send('deletePolicy', { query: { name: 'only-photos' } })
}

test('a preview lists what an import would change, and changes nothing', async () => {
  const { changes } = await c.call('previewIamImport', { body: { value } })
  const states = Object.fromEntries(changes.map(({ kind, name, state }) => [`${kind} ${name}`, state]))
  expect(states).toMatchObject({
    'policy only-photos': 'new',
    'policy readonly': 'same',
    'user anna': 'new',
    'group editors': 'new',
    'service-account anna-key-1': 'new',
    'service-account root-key-1': 'refused',
    'user-policies anna': 'new',
    'group-policies editors': 'new',
  })
  const { users } = await c.call('listUsers', {})
  expect(users.map(({ accessKey }) => accessKey)).not.toContain('anna')
})

test('an import does what the preview lists, and a second one changes nothing else', async () => {
  const { imported, failed } = await c.call('importIam', { body: { value } })
  expect(failed).toEqual([])
  expect(imported).toBeGreaterThan(5)
  const anna = await c.signIn('anna', 'anna-secret')
  expect(await anna.call('listServiceAccounts', {})).toEqual(['anna-key-1'])
  const { changes } = await c.call('previewIamImport', { body: { value } })
  expect(changes.filter(({ state }) => state === 'new')).toEqual([])
})

test('an export has no secret keys, or is sealed with them', async () => {
  const plain = Buffer.from((await c.call('exportIam', { body: { secrets: 'omit' } })).value, 'base64')
  const text = readZip(plain, { entries: 100, entryBytes: 1e7, totalBytes: 1e7 }).map(({ content }) => String(content))
  expect(text.join()).toContain('only-photos')
  expect(text.join()).not.toContain('anna-secret')
  expect(text.join()).not.toContain('anna-key-secret')
  const sealed = await c.call('exportIam', { body: { secrets: 'seal', passphrase } })
  expect(Buffer.from(sealed.value, 'base64').includes('anna')).toBe(false)
  await using other = await startConsole()
  const body = { value: sealed.value }
  expect((await callFailure(other.call('importIam', { body }))).body.message).toContain('passphrase')
  const wrong = await callFailure(other.call('importIam', { body: { ...body, passphrase: 'not this one' } }))
  expect([wrong.status, wrong.body.field]).toEqual([400, 'passphrase'])
  expect((await other.call('importIam', { body: { ...body, passphrase } })).failed).toEqual([])
  await other.signIn('anna', 'anna-secret')
  // Without secret keys no users can be created, and existing ones keep theirs.
  await other.call('importIam', { body: { value: plain.toString('base64') } })
  await other.signIn('anna', 'anna-secret')
})

test.each([
  ['no archive', Buffer.from('nothing of the kind, and long enough to look like something sealed')],
  ['a cut archive', fromMinio.subarray(0, 400)],
  ['an archive of something else', Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64')],
])('%s is a 400', async (_, file) => {
  const body = { value: file.toString('base64'), passphrase }
  expect((await callFailure(c.call('importIam', { body }))).status).toBe(400)
})

test('export, import and preview need the right', async () => {
  const caller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['admin:ImportIAM', 'admin:ListUsers'] }],
  })
  const statuses = [
    caller.send('exportIam', { body: { secrets: 'omit' } }),
    caller.send('previewIamImport', { body: { value } }),
    caller.send('importIam', { body: { value } }),
  ].map(async (answer) => (await answer).status)
  expect(await Promise.all(statuses)).toEqual([403, 403, 403])
})
