import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { readFile, watch, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKeyToFile, ENCRYPTION_KEY_FILE } from '../key-ring/key-file.ts'
import { bundleCrashWriter } from './testing/crash-program.ts'
import { CRASH_WORKERS, type CrashStep, crashStep } from './testing/crash-steps.ts'
import { readBytes, TestEngine, testBytes } from './testing/test-engine.ts'

let program: Awaited<ReturnType<typeof bundleCrashWriter>>
beforeAll(async () => {
  program = await bundleCrashWriter()
})
afterAll(() => program[Symbol.dispose]())

const startProgram = (store: TestEngine, ...args: string[]) =>
  spawn(process.execPath, [program.path, store.root, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })

/** Runs the writer on a store, and kills it after `lines` acknowledgements. @returns the next step of each worker */
async function runAndKill(store: TestEngine, begin: number[], lines: number): Promise<number[]> {
  const child = startProgram(store, ...begin.map(String))
  const next = [...begin]
  let seen = 0
  for await (const line of createInterface(child.stdout)) {
    const [worker, n] = line.split(' ')
    if (n === undefined) continue
    next[Number(worker)] = Number(n) + 1
    if (++seen === lines) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
  return next
}

/** Returns the last acknowledged step of each key. */
function decided(next: number[]): Map<string, CrashStep> {
  const steps = new Map<string, CrashStep>()
  for (const [worker, end] of next.entries()) {
    for (let n = 0; n < end; n++) {
      const step = crashStep(worker, n)
      steps.set(step.key, step)
    }
  }
  return steps
}

async function content(store: TestEngine, key: string): Promise<Buffer | undefined> {
  if (!store.list('b', { prefix: key, limit: 1 }).includes(key)) return undefined
  return readBytes(store.engine.getObject('b', key))
}

function holds(step: CrashStep | undefined, found: Buffer | undefined): boolean {
  if (!step || step.kind === 'delete') return found === undefined
  return found?.equals(testBytes(step.size, step.seed)) ?? false
}

test('what was acknowledged survives kill -9, whole, also encrypted under changing keys; what was not is whole or absent', async () => {
  await using store = await TestEngine.start()
  await store.engine.createBucket('b')
  // Never exceeded, but makes every write count towards it.
  await store.engine.setBucketSettings('b', { quota: { size: 2 ** 40, rate: 0, requests: 0 } })
  // Each round repeats the steps that were unfinished when the previous one was killed.
  let next = Array.from({ length: CRASH_WORKERS }, () => 0)
  for (const lines of [50, 150, 60, 300, 1, 90]) {
    await store.close()
    await addKeyToFile(join(store.options.data, ENCRYPTION_KEY_FILE))
    next = await runAndKill(store, next, lines)
    await store.open()
    const steps = decided(next)
    const keys = new Set([...steps.keys(), ...next.map((n, worker) => crashStep(worker, n).key)])
    for (const key of keys) {
      const found = await content(store, key)
      // The step after the last acknowledged one may or may not have completed.
      const open = next.map((n, worker) => crashStep(worker, n)).find((step) => step.key === key)
      expect([key, holds(steps.get(key), found) || (open !== undefined && holds(open, found))]).toEqual([key, true])
    }
    expectUsageToMatch(store)
  }
}, 180_000)

test('a store killed on its first start, before anything was changed, starts again', async () => {
  await using store = await TestEngine.start()
  await store.close()
  rmSync(store.root, { recursive: true })
  mkdirSync(store.root)
  const child = startProgram(store, 'idle')
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await store.open()
  await store.engine.createBucket('b')
  await store.put('b', 'k', 'kept')
  await store.reopen()
  expect(await store.text('b', 'k')).toBe('kept')
}, 30_000)

test('a change of the master key that is killed anywhere is completed by the next start, and rewrites no object', async () => {
  await using store = await TestEngine.start(2)
  const file = join(store.options.data, ENCRYPTION_KEY_FILE)
  const body = testBytes(100_000)
  const encryption = { mode: 'SSE-KMS', keyId: 'mine' } as const
  await store.engine.createEncryptionKey('mine', '')
  await store.engine.createBucket('b')
  for (const key of ['inline', 'blob']) {
    await store.put('b', key, key === 'inline' ? body.subarray(0, 1000) : body, { encryption })
  }
  const users = Array.from({ length: 300 }, (_, i) => ({
    collection: 'iam-users',
    name: `user-${i}`,
    value: `secret ${i}`,
  }))
  await store.engine.putDocuments(users)
  const used = store.engine.drives().map((drive) => drive.used)
  await store.close()
  // Each start is killed when it changes its first file in one of these folders; a later one is killed once more.
  const folders = store.options.drives.flatMap((drive) => ['journal', 'index'].map((name) => join(drive, name)))
  let ready = 0
  const kills = [
    ...folders.map((folder) => [folder, 1] as const),
    ...folders.slice(0, 2).map((folder) => [folder, 4] as const),
  ]
  for (const [folder, change] of kills) {
    await addKeyToFile(file)
    let left = change
    const stopped = new AbortController()
    const changes = watch(folder, { signal: stopped.signal })
    const child = startProgram(store, 'idle')
    const exit = once(child, 'exit').then(() => stopped.abort())
    child.stdout.once('data', () => {
      ready++
      child.kill('SIGKILL')
    })
    try {
      for await (const _ of changes) if (--left === 0) child.kill('SIGKILL')
    } catch (error) {
      if (!stopped.signal.aborted) throw error
    }
    await exit
  }
  expect(ready).toBeLessThan(kills.length)
  await store.open()
  await store.close()
  // The newest key alone is enough.
  const keys = JSON.parse(await readFile(file, 'utf8')) as { keys: object[] }
  expect(keys.keys).toHaveLength(1 + kills.length)
  await writeFile(file, JSON.stringify({ ...keys, keys: keys.keys.slice(-1) }))
  await store.open()
  expect(store.engine.listDocuments('iam-users')).toHaveLength(users.length)
  for (const { name, value } of users) expect(store.engine.getDocument('iam-users', name)).toBe(value)
  expect((await content(store, 'inline'))?.equals(body.subarray(0, 1000))).toBe(true)
  expect((await content(store, 'blob'))?.equals(body)).toBe(true)
  expect(store.engine.drives().map((drive) => drive.used)).toEqual(used)
}, 60_000)

/** Objects up to 16 KiB have no blob. Each encrypted block of 64 KiB has a tag of 16 bytes. */
function blobBytes({ size, encryption }: { size: number; encryption?: unknown }): number {
  if (size <= 16 * 1024) return 0
  return encryption ? size + 16 * Math.ceil(size / (64 * 1024)) : size
}

/** Expects that the counters match the listing, and the used bytes of each drive its blobs. */
function expectUsageToMatch(store: TestEngine): void {
  const page = store.engine.listObjects('b', { prefix: '', delimiter: '', after: '', limit: 1000 })
  const sizes = page.entries.map((entry) => ('prefix' in entry ? 0 : entry.object.size))
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0)
  expect(store.engine.bucketUsage('b')).toMatchObject({ objects: sizes.length, versions: sizes.length, size })
  const inBlobs = page.entries.reduce((sum, entry) => sum + ('prefix' in entry ? 0 : blobBytes(entry.object)), 0)
  expect(store.engine.drives().reduce((sum, drive) => sum + drive.used, 0)).toBe(2 * inBlobs)
}
