import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadRootCredentials } from './root-credentials.ts'

let folder: string
const file = () => path.join(folder, 'root-credentials.json')
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stowage-root-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('root credentials', () => {
  test('are generated once, and only their owner can read them', async () => {
    const first = await loadRootCredentials(folder)
    expect(first.accessKey).toMatch(/^[0-9A-Z]{20}$/)
    expect(first.secretKey).toMatch(/^[A-Za-z0-9+]{40}$/)
    expect((await stat(file())).mode & 0o777).toBe(0o600)
    expect(first.isNew).toBe(true)
    expect(await loadRootCredentials(folder)).toEqual({ ...first, isNew: false })
  })

  test('are the same for all that start together', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => loadRootCredentials(path.join(folder, 'new'))))
    expect(new Set(all.map(({ secretKey }) => secretKey)).size).toBe(1)
    expect(all.filter(({ isNew }) => isNew)).toHaveLength(1)
  })

  test('that are given win, and are not written down', async () => {
    const given = { accessKey: 'admin', secretKey: 'adminsecret' }
    expect(await loadRootCredentials(folder, given)).toEqual({ ...given, isNew: false })
    await expect(readFile(file())).rejects.toThrow('ENOENT')
    expect(await loadRootCredentials(folder, { accessKey: 'admin' })).toMatchObject({ accessKey: 'admin' })
  })

  test('a file without credentials is reported, not overwritten', async () => {
    await writeFile(file(), '{}')
    await expect(loadRootCredentials(folder)).rejects.toThrow('does not contain credentials')
    expect(await readFile(file(), 'utf8')).toBe('{}')
  })
})
