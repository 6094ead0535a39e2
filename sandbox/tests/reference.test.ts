import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REFERENCE_VERSION } from './reference/build-reference.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let cache: string
beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), 'stowage-no-judge-'))
  await mkdir(join(cache, 'bin'))
  await symlink('/bin/sh', join(cache, 'bin', 'sh'))
})
afterAll(async () => await rm(cache, { recursive: true, force: true }))

/** Runs a program where only a shell is installed. @returns its exit code and error output */
async function run(program: string): Promise<[code: unknown, errors: string]> {
  return await new Promise((resolve) => {
    const env = { PATH: join(cache, 'bin'), HOME: cache, XDG_CACHE_HOME: cache }
    execFile(process.execPath, ['--import', 'tsx', join(root, program)], { cwd: root, env }, (error, _, errors) =>
      resolve([error?.code ?? 0, errors]),
    )
  })
}

test('without the judge its tests name the command that builds it', async () => {
  expect(await run('sandbox/tests/run.ts')).toEqual([1, expect.stringContaining('Run `npm run kube`')])
})

test('without Go the judge is not built, and the message names the version that is needed', async () => {
  expect(await run('sandbox/tests/reference/main.ts')).toEqual([1, expect.stringMatching(/needs Go 1\.24 or newer/)])
})

test('without etcd nothing is built, and the message names the command that installs it', async () => {
  const built = join(cache, 'built')
  const go = `#!/bin/sh\nif [ "$1" = env ]; then echo go1.24.0; else echo > '${built}'; fi\n`
  await writeFile(join(cache, 'bin', 'go'), go, { mode: 0o755 })
  expect(await run('sandbox/tests/reference/main.ts')).toEqual([1, expect.stringContaining('apt-get install')])
  await expect(access(built)).rejects.toThrow('ENOENT')
  await rm(join(cache, 'bin', 'go'))
})

test('with the programs but without etcd the message names the command that installs it', async () => {
  const folder = join(cache, 'stowage', `kube-${REFERENCE_VERSION}`)
  await mkdir(folder, { recursive: true })
  for (const name of ['kube-apiserver', 'kube-controller-manager']) await writeFile(join(folder, name), '')
  expect(await run('sandbox/tests/run.ts')).toEqual([1, expect.stringContaining('apt-get install')])
})
