import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole } from '../../support/console/start-console.ts'
import { startStore } from '../../support/console/start-store.ts'
import { builtPrograms, collectOutput, runToEnd } from '../../support/processes/processes.ts'

/* Which secrets a start prints, and who may read the stored ones. */

async function folder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'stowage-start-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Starts a program, waits until it prints its credentials, stops it like Ctrl-C, and returns its output. */
async function printed(program: string, env: Record<string, string>): Promise<string> {
  const child: ChildProcess = fork(program, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH, STOWAGE_PORT: '0', STOWAGE_STORE_PORT: '0', STOWAGE_LOG_LEVEL: 'silent', ...env },
  })
  const output = collectOutput(child)
  await expect.poll(output).toMatch(/secret key +\S/)
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  await exit
  return output()
}

const programsThatPrint = ['console', 'standaloneStore'] as const

ownStore.test.each(programsThatPrint)(
  '%s: a generated secret is printed at the first start, later the file that holds it',
  async (name) => {
    await using data = await folder()
    const env = { STOWAGE_DATA: data.path, STOWAGE_MIN_FREE: '1MiB' }
    const file = join(data.path, 'root-credentials.json')
    const first = await printed(builtPrograms[name], env)
    const { accessKey, secretKey } = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>
    expect(first).toMatch(new RegExp(`access key +${accessKey}\n`))
    expect(first).toContain(`${secretKey}\n`)
    const second = await printed(builtPrograms[name], env)
    expect(second).toMatch(new RegExp(`access key +${accessKey}\n`))
    expect(second).toMatch(/secret key +in (.+)\n/)
    expect(/secret key +in (.+)\n/.exec(second)?.[1]).toBe(file)
    expect(second).not.toContain(secretKey)
    const given = await printed(builtPrograms[name], {
      ...env,
      STOWAGE_ROOT_USER: 'admin',
      STOWAGE_ROOT_PASSWORD: 'password',
    })
    expect(given).toMatch(/secret key +\(as set\)\n/)
  },
)

ownStore.test('a key can be added from the command line, and the store encrypts with it from then on', async () => {
  await using store = await startStore()
  const file = join(store.data, 'encryption-keys.json')
  const keys = async () => (JSON.parse(await readFile(file, 'utf8')) as { keys: { id: string }[] }).keys
  const before = await keys()
  const { code, lines } = await runToEnd(builtPrograms.standaloneStore, { STOWAGE_DATA: store.data }, '--new-key')
  expect([code, lines]).toEqual([0, [`Added a key to ${file}. Restart the store to use it.`]])
  expect(await keys()).toEqual([
    ...before,
    expect.objectContaining({ id: expect.not.stringMatching(before[0]?.id ?? '') }),
  ])
  await store.stop()
  await store.start()
})

test('the data folder of a console without an embedded store is not readable by other users', async () => {
  await using data = await folder()
  await using c = await startConsole({
    data: data.path,
    signIn: false,
    env: { STOWAGE_SERVER: 'http://127.0.0.1:9' },
  })
  await c.stop()
  const modes = async () =>
    Promise.all(['.', 'session-secret'].map(async (name) => (await stat(join(data.path, name))).mode & 0o777))
  expect(await modes()).toEqual([0o700, 0o600])
  await chmod(data.path, 0o755)
  await chmod(join(data.path, 'session-secret'), 0o644)
  await using again = await startConsole({
    data: data.path,
    signIn: false,
    env: { STOWAGE_SERVER: 'http://127.0.0.1:9' },
  })
  await again.stop()
  expect(await modes()).toEqual([0o700, 0o600])
})
