import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole } from '../../support/console/start-console.ts'
import { occupiedPort } from '../../support/processes/ports.ts'
import { builtPrograms, embeddedStoreProcess, runToEnd } from '../../support/processes/processes.ts'

/* A start that fails prints one line with the cause and a solution, and exits with code 1. */

const free = { STOWAGE_PORT: '0', STOWAGE_STORE_PORT: '0' }

async function folder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'stowage-start-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

ownStore.test('a data folder that is open is refused, by the process that has it', async () => {
  await using c = await startConsole()
  const env = { ...free, STOWAGE_DATA: c.data }
  for (const program of [builtPrograms.console, builtPrograms.standaloneStore, builtPrograms.store]) {
    const { code, lines } = await runToEnd(program, env)
    expect([code, lines]).toEqual([
      1,
      [`The data folder ${c.data} is in use by process ${embeddedStoreProcess(c.pid)}.`],
    ])
  }
  expect((await c.call('listBuckets', {})).buckets).toEqual([])
})

let taken: Awaited<ReturnType<typeof occupiedPort>>
beforeAll(async () => {
  taken = await occupiedPort()
  return () => taken[Symbol.asyncDispose]()
})

test.each([
  [
    'console',
    'STOWAGE_PORT',
    (port: string) =>
      `Port ${port} is in use. Stop the program that uses it, or choose another port with STOWAGE_PORT.`,
  ],
  [
    'console',
    'STOWAGE_STORE_PORT',
    (port: string) => `Port ${port} is in use. Stop the other program or set STOWAGE_STORE_PORT.`,
  ],
  [
    'standaloneStore',
    'STOWAGE_STORE_PORT',
    (port: string) => `Port ${port} is in use. Stop the other program or set STOWAGE_STORE_PORT.`,
  ],
] as const)('%s: a port that is in use (%s)', async (program, setting, line) => {
  await using data = await folder()
  const { code, lines } = await runToEnd(builtPrograms[program], {
    ...free,
    STOWAGE_DATA: data.path,
    [setting]: taken.port,
    STOWAGE_LOG_LEVEL: 'silent',
  })
  expect([code, lines]).toEqual([1, [line(taken.port)]])
})

test.each(['console', 'standaloneStore'] as const)('%s: a file in place of the data folder', async (program) => {
  await using data = await folder()
  const file = join(data.path, 'file')
  await writeFile(file, '')
  for (const path of [file, join(file, 'below')]) {
    const { code, lines } = await runToEnd(builtPrograms[program], { ...free, STOWAGE_DATA: path })
    expect([code, lines]).toEqual([1, [expect.stringContaining(file)]])
    expect(lines[0]).toMatch(/STOWAGE_DATA/)
  }
})

test.each([
  [
    'console',
    { STOWAGE_DATA: '/proc/stowage/data' },
    /^The data folder \/proc\/stowage\/data cannot be created\..*STOWAGE_DATA/,
  ],
  ['standaloneStore', { STOWAGE_DATA: '/proc/stowage/data' }, /^\/proc\/stowage cannot be created\. Set STOWAGE_DATA/],
  ['store', { STOWAGE_DATA: '/proc/stowage/data' }, /^\/proc\/stowage cannot be created\. Set STOWAGE_DATA/],
  [
    'standaloneStore',
    { STOWAGE_DRIVES: '/proc/stowage/drive' },
    /^\/proc\/stowage cannot be created\. Set .*STOWAGE_DRIVES/,
  ],
] as const)('%s: a data folder that cannot be created, %j', async (program, setting, line) => {
  await using data = await folder()
  const { code, lines } = await runToEnd(builtPrograms[program], { ...free, STOWAGE_DATA: data.path, ...setting })
  expect([code, lines]).toEqual([1, [expect.stringMatching(line)]])
})

test.each([
  ['console', { STOWAGE_PORT: 'many' }, /^STOWAGE_PORT is "many": must be a port number/],
  ['console', { STOWAGE_PROT: '1' }, /^STOWAGE_PROT is not a setting\. Did you mean STOWAGE_PORT\?/],
  ['console', { STOWAGE_SERVER: 'example.com' }, /^STOWAGE_SERVER is "example\.com": must be/],
  ['console', { STOWAGE_MIN_FREE: 'lots' }, /^STOWAGE_MIN_FREE is "lots": must be/],
  ['console', { STOWAGE_SECRET: 'short' }, /^STOWAGE_SECRET is \(not shown\): must have/],
  ['standaloneStore', { STOWAGE_STORE_PORT: '70000' }, /^STOWAGE_STORE_PORT is "70000"/],
  ['standaloneStore', { STOWAGE_ROOT_PASSWORD: 'short' }, /^STOWAGE_ROOT_PASSWORD is \(not shown\)/],
] as const)('%s: a wrong setting, %j', async (program, setting, line) => {
  await using data = await folder()
  const { code, lines } = await runToEnd(builtPrograms[program], { ...free, STOWAGE_DATA: data.path, ...setting })
  expect([code, lines]).toEqual([1, [expect.stringMatching(line)]])
})

test.each(['console', 'standaloneStore'] as const)(
  '%s: --help prints the settings and creates nothing',
  async (program) => {
    await using data = await folder()
    const path = join(data.path, 'data')
    const env = { ...free, STOWAGE_DATA: path }
    const { code, lines } = await runToEnd(builtPrograms[program], env, '--help')
    expect(code).toBe(0)
    expect(lines).toContain('  STOWAGE_STORE_PORT (9000)')
    expect(existsSync(path)).toBe(false)
    const wrong = await runToEnd(builtPrograms[program], env, '--hepl')
    expect(wrong).toEqual({ code: 1, lines: ['Unknown option --hepl. Run with --help to list the settings.'] })
  },
)
