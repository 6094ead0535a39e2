import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ensureFolder } from './folder.ts'

test('a folder is made with those above it, once', async () => {
  const top = await mkdtemp(join(tmpdir(), 'stowage-folder-'))
  const path = join(top, 'a', 'b')
  await Promise.all([ensureFolder(path), ensureFolder(path)])
  expect((await stat(path)).isDirectory()).toBe(true)
  await writeFile(join(top, 'file'), '')
  await expect(ensureFolder(join(top, 'file', 'x'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  await expect(ensureFolder(join(top, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await rm(top, { recursive: true })
})

test('where no folder can be made, it says so and ends', async () => {
  await expect(ensureFolder('/proc/nothing/here')).rejects.toMatchObject({ code: 'ENOENT' })
})

test('other users of the machine cannot look into a folder that it made', async () => {
  const root = await mkdtemp(join(tmpdir(), 'stowage-folder-'))
  try {
    const path = join(root, 'data/drives')
    await ensureFolder(path)
    for (const made of [path, join(root, 'data')]) expect((await stat(made)).mode & 0o777).toBe(0o700)
  } finally {
    await rm(root, { recursive: true })
  }
})
