import { expect, test } from 'vitest'
import { Iam } from './iam.ts'
import { KeyUse } from './key-use.ts'
import { createServiceAccount, removeServiceAccount } from './service-accounts.ts'

const DAY_MS = 24 * 3600_000
const ROOT = { accessKey: 'root', secretKey: 'rootpassword' }

/** Sets up IAM with documents in memory, and counts its writes. */
async function setUp() {
  const stored = new Map<string, string>()
  const writes: string[][] = []
  const documents = {
    listDocuments: (collection: string) =>
      [...stored].flatMap(([id, value]) =>
        id.startsWith(`${collection}/`) ? [{ name: id.slice(collection.length + 1), value }] : [],
      ),
    async putDocuments(changes: readonly { collection: string; name: string; value: string | undefined }[]) {
      writes.push(changes.map(({ collection, name }) => `${collection}/${name}`))
      for (const { collection, name, value } of changes) {
        if (value === undefined) stored.delete(`${collection}/${name}`)
        else stored.set(`${collection}/${name}`, value)
      }
    },
  }
  const clock = { now: Date.parse('2026-11-22T23:59:00Z') }
  const failures: unknown[] = []
  const open = () => {
    const iam = new Iam({ documents: documents as never, root: ROOT, now: () => clock.now })
    return { iam, use: new KeyUse(iam, { onFailure: (error) => failures.push(error) }) }
  }
  const { iam, use } = open()
  const account = { parent: 'root', policy: undefined, bounds: [], name: '', description: '', expiresAt: undefined }
  const { accessKey } = await createServiceAccount(iam, { ...account, accessKey: '', secretKey: '' })
  writes.length = 0
  return { iam, use, accessKey, account, clock, writes, failures, open, documents }
}

test('a key is written once a day, however often it is used, and the day survives a restart', async () => {
  const { iam, use, accessKey, clock, writes, open } = await setUp()
  const { generation } = iam
  expect(use.lastUsed(accessKey)).toBeUndefined()
  for (let i = 0; i < 1000; i++) use.recordUse(accessKey)
  expect(use.lastUsed(accessKey)).toBe('2026-11-22')
  expect(writes).toEqual([])
  await use.flush()
  use.recordUse(accessKey)
  await use.flush()
  expect(writes).toEqual([[`iam-key-use/${accessKey}`]])
  // No rights have changed, so nothing derived from them is computed again.
  expect(iam.generation).toBe(generation)
  clock.now += 2 * 60_000
  use.recordUse(accessKey)
  await use.flush()
  expect(writes).toHaveLength(2)
  expect(open().use.lastUsed(accessKey)).toBe('2026-11-23')
})

test('unknown keys and sessions are not kept', async () => {
  const { use, writes } = await setUp()
  for (const key of ['', 'NOBODY', 'root', '__proto__']) use.recordUse(key)
  await use.flush()
  expect(writes).toEqual([])
})

test('a later key of the same name has not been used', async () => {
  const { iam, use, accessKey, account } = await setUp()
  use.recordUse(accessKey)
  await use.flush()
  use.recordUse(accessKey)
  await removeServiceAccount(iam, accessKey)
  await createServiceAccount(iam, { ...account, accessKey, secretKey: 'a long enough secret' })
  expect(use.lastUsed(accessKey)).toBeUndefined()
})

test('a key that was removed before its day was stored leaves nothing behind', async () => {
  const { iam, use, accessKey, writes } = await setUp()
  use.recordUse(accessKey)
  await removeServiceAccount(iam, accessKey)
  await use.flush()
  expect(writes.flat().filter((name) => name.startsWith('iam-key-use/'))).toEqual([])
})

test('a failed write is reported, and tried again with the next day that is noted', async () => {
  const { use, accessKey, clock, failures, documents, writes } = await setUp()
  const { putDocuments } = documents
  documents.putDocuments = () => Promise.reject(new Error('no space'))
  use.recordUse(accessKey)
  await use.flush()
  expect(failures).toHaveLength(1)
  documents.putDocuments = putDocuments
  clock.now += DAY_MS
  use.recordUse(accessKey)
  await use.flush()
  expect(writes).toHaveLength(1)
})
