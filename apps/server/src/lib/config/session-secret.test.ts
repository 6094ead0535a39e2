import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSessionSecret } from './session-secret.ts'

test('a secret is generated once, readable only by its owner, and used by all consoles', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-secret-'))
  const data = join(folder, 'data')
  const [first, second] = await Promise.all([readSessionSecret(data), readSessionSecret(data)])
  expect(first).toMatch(/^[0-9a-f]{64}$/)
  expect(second).toBe(first)
  expect(await readSessionSecret(data)).toBe(first)
  expect((await stat(join(data, 'session-secret'))).mode & 0o777).toBe(0o600)
  await writeFile(join(data, 'session-secret'), '')
  await expect(readSessionSecret(data)).rejects.toThrow(/empty/)
  await rm(folder, { recursive: true })
})
