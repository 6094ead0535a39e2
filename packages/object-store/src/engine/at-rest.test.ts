import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, watch, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { appendChecksum, storedChecksum } from '../index-db/entry-checksum.ts'
import { LmdbIndex } from '../index-db/lmdb-index.ts'
import { addToSum } from '../index-db/ordered-index.ts'
import { addKeyToFile, ENCRYPTION_KEY_FILE } from '../key-ring/key-file.ts'
import { DecryptionError } from '../key-ring/key-ring.ts'
import { indexKeys } from './records/index-keys.ts'
import { bundleCrashWriter } from './testing/crash-program.ts'
import { readBytes, TestEngine, testBytes, waitUntil } from './testing/test-engine.ts'

interface Entry {
  path: string
  folder: boolean
  mode: number
}

/** Lists all files and folders of a store, its top folders included. */
async function everything(store: TestEngine): Promise<Entry[]> {
  const tops = [store.options.data, ...store.options.drives]
  const below = await Promise.all(
    tops.map(async (top) => (await readdir(top, { recursive: true })).map((name) => join(top, name))),
  )
  const found = [...tops, ...below.flat()].map(async (path) => {
    // Blobs may be moved to their final names meanwhile.
    const info = await stat(path).catch(() => undefined)
    return info ? [{ path, folder: info.isDirectory(), mode: info.mode & 0o777 }] : []
  })
  return (await Promise.all(found)).flat()
}

/** Returns the files of a store that contain one of these texts, except the key file. */
async function filesWith(store: TestEngine, texts: string[]): Promise<string[]> {
  const found: string[] = []
  for (const { path, folder } of await everything(store)) {
    if (folder || path.endsWith(ENCRYPTION_KEY_FILE)) continue
    const bytes = await readFile(path).catch(() => '')
    if (texts.some((text) => bytes.includes(text))) found.push(path)
  }
  return found
}

const users = (store: TestEngine) =>
  Object.fromEntries(
    store.engine.listDocuments('iam-users').map(({ name, value }) => [name, JSON.parse(value).secretKey as string]),
  )

interface Fixture {
  /** All secrets that were ever stored. */
  secrets: string[]
  users: Record<string, string>
  session: { accessKey: string; secretKey: string }
  /** Base64 by path. */
  files: Record<string, string>
}

/**
 * Creates a store of format 1, as written by the last version before format 2: two drives, users whose secrets were set,
 * changed and removed with their users, two sessions, two objects.
 */
async function formatOne(): Promise<{ store: TestEngine; fixture: Fixture } & AsyncDisposable> {
  const file = new URL('fixtures/format-1.json.gz', import.meta.url)
  const fixture = JSON.parse(gunzipSync(await readFile(file)).toString()) as Fixture
  const store = await TestEngine.start(2)
  await store.close()
  for (const path of [store.options.data, ...store.options.drives]) await rm(path, { recursive: true })
  for (const [name, content] of Object.entries(fixture.files)) {
    const path = join(store.root, name)
    await mkdir(join(path, '..'), { recursive: true, mode: 0o755 })
    await writeFile(path, Buffer.from(content, 'base64'), { mode: 0o644 })
  }
  return { store, fixture, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

async function expectMigrated(store: TestEngine, fixture: Fixture): Promise<void> {
  expect(await filesWith(store, fixture.secrets)).toEqual([])
  expect(users(store)).toMatchObject(fixture.users)
  expect(Object.keys(users(store))).toHaveLength(9)
  expect(store.engine.getDocument('iam-sessions', fixture.session.accessKey)).toContain(fixture.session.secretKey)
  expect(await store.text('kept', 'small')).toBe('small body')
  expect(await store.text('kept', 'large')).toHaveLength(20_000)
  expect(await store.engine.check()).toMatchObject({ damagedCopies: 0 })
}

test('data of format 1 is rewritten at the first start: no file holds a secret, and everything can be read', async () => {
  await using old = await formatOne()
  const { store, fixture } = old
  const aside = join(store.options.drives[1] ?? '', 'index.damaged-2026-11-20T10-00-00.000Z')
  await mkdir(aside)
  await copyFile(join(store.options.drives[1] ?? '', 'index/data.mdb'), join(aside, 'data.mdb'))
  expect(await filesWith(store, fixture.secrets)).toHaveLength(7)

  for (let start = 0; start < 2; start++) {
    await store.open()
    await expectMigrated(store, fixture)
    const format: object = JSON.parse(await readFile(join(store.options.data, 'format.json'), 'utf8'))
    expect(format).toMatchObject({ version: 3, documents: 'encrypted' })
    await store.put('kept', 'new', 'writable')
    await store.close()
  }
})

test('data of format 1 is also rewritten on a drive that was missing when the others were rewritten', async () => {
  await using old = await formatOne()
  const { store, fixture } = old
  const [, second = ''] = store.options.drives
  await rename(second, `${second}.away`)
  await store.open()
  await expectMigrated(store, fixture)
  await store.close()
  await rm(second, { recursive: true })
  await rename(`${second}.away`, second)
  await store.open()
  await waitUntil(() => store.engine.drives().every(({ state, keepsIndex }) => state === 'ok' && keepsIndex))
  await expectMigrated(store, fixture)
})

test('data of format 1 is rewritten in the end, at whatever point a start is killed', async () => {
  await using old = await formatOne()
  const { store, fixture } = old
  using program = await bundleCrashWriter()
  const names = store.options.drives.flatMap((drive) => ['index', 'journal'].map((name) => join(drive, name)))
  for (const folder of names) {
    const child = spawn(process.execPath, [program.path, store.root, 'idle'], { stdio: 'ignore' })
    const exit = once(child, 'exit')
    // The index of a drive is rewritten in a folder beside it; journal segments are created, then removed.
    for await (const { filename } of watch(folder)) {
      if (!folder.endsWith('journal') && filename !== 'compact') continue
      child.kill('SIGKILL')
      break
    }
    await exit
  }
  store.options.drives.push(...[3, 4].map((n) => join(store.root, `drive${n}`)))
  await store.open()
  await expectMigrated(store, fixture)
})

test('a secret in a document never reaches the disk as text', async () => {
  await using store = await TestEngine.start(2)
  const { engine } = store
  await engine.createBucket('b')
  const put = (name: string, value: string | undefined) =>
    engine.putDocuments([{ collection: 'iam-users', name, value }])
  const secrets = Array.from({ length: 40 }, (_, i) => `secret of the user number ${i}`)
  for (const [i, secret] of secrets.entries()) await put(`user ${i % 7}`, secret)
  expect(engine.getDocument('iam-users', 'user 4')).toBe(secrets[39])
  await put('user 4', undefined)
  await store.put('b', 'k', 'open text')
  expect(await filesWith(store, secrets)).toEqual([])
  expect(await filesWith(store, ['open text'])).not.toEqual([])
  await store.reopen()
  expect(await filesWith(store, secrets)).toEqual([])
  expect(store.engine.getDocument('iam-users', 'user 3')).toBe(secrets[38])
})

test('a document that was moved to another name is refused', async () => {
  await using store = await TestEngine.start(1)
  await store.engine.putDocuments([{ collection: 'iam-users', name: 'alice', value: 'of alice' }])
  await store.close()
  const index = LmdbIndex.open(join(store.options.drives[0] ?? '', 'index'))
  const [alice, bob] = [indexKeys.document('iam-users', 'alice'), indexKeys.document('iam-users', 'bob')]
  const moved = appendChecksum(bob, index.get(alice) ?? Buffer.alloc(0))
  const { count, sum, ...position } = index.position()
  const counted = { ...position, count: count + 1, sum: addToSum(sum, storedChecksum(moved), 1) }
  await index.apply({ ops: [{ key: bob, value: moved }], position: counted })
  await index.close()
  await store.open()
  expect(store.engine.getDocument('iam-users', 'alice')).toBe('of alice')
  expect(() => store.engine.getDocument('iam-users', 'bob')).toThrow(DecryptionError)
})

test('without the key file a store with documents does not start, unless they are to be removed', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await store.put('b', 'k', 'object')
  await store.engine.putDocuments([{ collection: 'iam-users', name: 'alice', value: 'secret' }])
  await store.close()
  const file = join(store.options.data, ENCRYPTION_KEY_FILE)
  const kept = await readFile(file)
  await rm(file)
  await expect(store.open()).rejects.toThrow(/lacks the key [0-9a-f]{16}, which 1 documents \(iam-users\) need/)
  // A key in its place would look like the right file.
  await expect(readFile(file)).rejects.toThrow('ENOENT')
  await writeFile(file, kept)
  await store.open()
  expect(store.engine.getDocument('iam-users', 'alice')).toBe('secret')
  await store.close()

  await rm(file)
  store.options.discardEncrypted = true
  await store.open()
  expect(store.engine.listDocuments('iam-users')).toEqual([])
  expect(await store.text('b', 'k')).toBe('object')
  store.options.discardEncrypted = false
  await store.reopen()
})

test('after a key is added the documents are encrypted with it, and the old key can be removed', async () => {
  await using store = await TestEngine.start(2)
  const put = (value: string) => store.engine.putDocuments([{ collection: 'iam-users', name: 'alice', value }])
  await put('secret')
  const file = join(store.options.data, ENCRYPTION_KEY_FILE)
  await addKeyToFile(file)
  await put('still written with the old key')
  await store.reopen()
  await store.close()
  const content = JSON.parse(await readFile(file, 'utf8')) as { keys: object[] }
  await writeFile(file, JSON.stringify({ ...content, keys: content.keys.slice(1) }))
  await store.open()
  expect(store.engine.getDocument('iam-users', 'alice')).toBe('still written with the old key')
})

test('other users can read nothing of what the store writes, whatever it does', async () => {
  await using store = await TestEngine.start(3)
  const { engine } = store
  await engine.createBucket('b')
  await store.put('b', 'small')
  await store.put('b', 'large', testBytes(3_000_000))
  await engine.createUpload('b', 'k', {})
  await engine.putDocuments([{ collection: 'c', name: 'n', value: 'v' }])
  // Blobs and the index are copied to the remaining drives, then to the restored one.
  await rm(store.options.drives[0] ?? '', { recursive: true })
  await waitUntil(() => engine.drives()[0]?.state === 'offline')
  await store.put('b', 'larger', testBytes(4_000_000))
  await waitUntil(() => engine.drives().filter(({ keepsIndex }) => keepsIndex).length === 2)
  await mkdir(store.options.drives[0] ?? '', { mode: 0o700 })
  await waitUntil(() => engine.drives().every(({ state }) => state === 'ok'))
  await store.reopen()
  for (const entry of await everything(store)) expect(entry).toMatchObject({ mode: entry.folder ? 0o700 : 0o600 })
})

test('the permissions of earlier files are narrowed at start, those of blobs by the check', async () => {
  await using store = await TestEngine.start(2)
  await store.engine.createBucket('b')
  await store.put('b', 'large', testBytes(100_000))
  await waitUntil(async () => (await everything(store)).some(({ path }) => /blobs\/..\/[0-9a-f]{32}$/.test(path)))
  await store.close()
  for (const { path, folder } of await everything(store)) await chmod(path, folder ? 0o755 : 0o644)
  await store.open()
  const wide = async () => (await everything(store)).filter(({ mode }) => (mode & 0o077) !== 0).map(({ path }) => path)
  expect((await wide()).filter((path) => !/blobs\/..\/[0-9a-f]{32}$/.test(path))).toEqual([])
  await store.engine.check()
  expect(await wide()).toEqual([])
  expect((await readBytes(store.engine.getObject('b', 'large'))).length).toBe(100_000)
})

test('a data folder that contains other files keeps its permissions, and the log reports that', async () => {
  await using store = await TestEngine.start(1)
  await store.close()
  await writeFile(join(store.options.data, 'letters.txt'), 'dear', { mode: 0o644 })
  await chmod(store.options.data, 0o755)
  await chmod(join(store.options.data, 'format.json'), 0o644)
  const told: string[] = []
  store.options.log = { info: () => undefined, warn: (_, text) => told.push(text), error: () => undefined }
  await store.open()
  expect(told).toEqual([`${store.options.data} keeps its rights because it also holds "letters.txt"`])
  const modes = async (name: string) => (await stat(join(store.options.data, name))).mode & 0o777
  expect([await modes('.'), await modes('letters.txt'), await modes('format.json')]).toEqual([0o755, 0o644, 0o600])
})
