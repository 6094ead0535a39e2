import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKeyToFile } from './key-file.ts'
import { DecryptionError, KeyRing } from './key-ring.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stowage-keys-'))
})
afterAll(() => rm(folder, { recursive: true }))

let files = 0
const freshFile = () => join(folder, `keys-${files++}.json`)
const b = (text: string) => Buffer.from(text)

test('a value comes back where it was put, in this process and in the next one, and shows nothing of itself', async () => {
  const path = freshFile()
  const ring = await KeyRing.open(path)
  await expect(stat(path)).rejects.toThrow('ENOENT')
  expect(await ring.save()).toBe(path)
  expect(await ring.save()).toBeUndefined()
  for (const text of ['', 'secret', 'x'.repeat(100_000)]) {
    const encrypted = ring.encrypt(b(text), 'users/alice')
    expect(encrypted.includes(b('secret'))).toBe(false)
    expect((await KeyRing.open(path)).decrypt(encrypted, 'users/alice').toString()).toBe(text)
  }
  expect(ring.encrypt(b('same'), 'a')).not.toEqual(ring.encrypt(b('same'), 'a'))
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('a value that was moved, changed, cut or never encrypted is refused', async () => {
  const ring = await KeyRing.open(freshFile())
  const encrypted = ring.encrypt(b('secret'), 'users/alice')
  expect(() => ring.decrypt(encrypted, 'users/bob')).toThrow(DecryptionError)
  for (let i = 0; i < encrypted.length; i++) {
    const changed = Buffer.from(encrypted)
    changed[i] = (changed[i] ?? 0) ^ 1
    expect(() => ring.decrypt(changed, 'users/alice')).toThrow(DecryptionError)
    expect(() => ring.decrypt(encrypted.subarray(0, i), 'users/alice')).toThrow(DecryptionError)
  }
  expect(() => ring.decrypt(b('{"secretKey":"a text that was never encrypted"}'), 'users/alice')).toThrow(
    DecryptionError,
  )
})

test('a new key encrypts from then on; texts of the old key can be read and are recognised', async () => {
  const path = freshFile()
  const first = await KeyRing.open(path)
  await first.save()
  const before = first.encrypt(b('secret'), 'a')
  await addKeyToFile(path)
  const ring = await KeyRing.open(path)
  expect(ring.decrypt(before, 'a').toString()).toBe('secret')
  expect(ring.usesNewestKey(before)).toBe(false)
  expect(ring.usesLostKey(before)).toBe(false)
  expect(ring.usesNewestKey(ring.encrypt(b('secret'), 'a'))).toBe(true)
  const other = await KeyRing.open(freshFile())
  expect(other.usesLostKey(before)).toBe(true)
  expect(() => other.decrypt(before, 'a')).toThrow(DecryptionError)
})

test('a damaged key file is reported, not replaced', async () => {
  const path = freshFile()
  await (await KeyRing.open(path)).save()
  const text = await readFile(path, 'utf8')
  const key = /"key": "(.)/.exec(text)?.[1]
  for (const wrong of [
    '',
    '{}',
    text.slice(0, -10),
    text.replace(`"key": "${key}`, `"key": "${key === 'A' ? 'B' : 'A'}`),
  ]) {
    await writeFile(path, wrong)
    await expect(KeyRing.open(path)).rejects.toThrow('is damaged')
    expect(await readFile(path, 'utf8')).toBe(wrong)
  }
})
