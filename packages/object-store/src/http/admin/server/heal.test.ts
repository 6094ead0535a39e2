import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from '../../testing/test-store.ts'

/* Heals through the admin API: start, read by token, stop. */

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore({ drives: 2 })
  await store.send({ method: 'PUT', path: '/photos' })
  await store.send({ method: 'PUT', path: '/other' })
  for (const key of ['a', 'b'])
    await store.s3().send(new PutObjectCommand({ Bucket: 'photos', Key: key, Body: Buffer.alloc(100_000, key) }))
})
afterAll(async () => await store[Symbol.asyncDispose]())

type Json = Record<string, unknown>

async function post(path: string, query: Record<string, string> = {}, body: object | string = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const {
    status,
    code,
    text: answer,
  } = await store.send({
    method: 'POST',
    path: `/minio/admin/v3/${path}`,
    query: new URLSearchParams(query).toString(),
    body: text,
  })
  return { status, code, json: status === 200 ? (JSON.parse(answer) as Json) : {} }
}

/** Starts a heal and reads it to its end. */
async function healed(
  path: string,
  settings: object = { recursive: true },
): Promise<{ summary: unknown; items: Json[] }> {
  const { json } = await post(path, {}, settings)
  const items: Json[] = []
  let summary: unknown
  await expect
    .poll(async () => {
      const { json: status } = await post(path, { clientToken: String(json.clientToken) }, '')
      items.push(...((status.Items ?? []) as Json[]))
      summary = status.Summary
      return summary
    })
    .not.toBe('running')
  return { summary, items }
}

async function removeCopy(): Promise<void> {
  const [drive = ''] = store.engine.drives().map(({ path }) => path)
  let copy: string | undefined
  await expect
    .poll(async () => {
      const names = await readdir(join(drive, 'blobs'), { recursive: true })
      copy = names.find((name) => /[0-9a-f]{32}$/.test(name))
      return copy
    })
    .toBeDefined()
  await rm(join(drive, 'blobs', copy ?? ''))
}

test('a heal gives back a removed copy, and names drives before and after as others of the family do', async () => {
  await removeCopy()
  const dry = await healed('heal/photos', { recursive: true, dryRun: true })
  const broken = (items: Json[]) => items.filter((item) => JSON.stringify(item.before).includes('missing'))
  expect(broken(dry.items)).toHaveLength(1)
  const { summary, items } = await healed('heal/photos')
  expect(summary).toBe('finished')
  expect(items.map(({ resultId, type, bucket, object }) => [resultId, type, bucket, object])).toEqual([
    [1, 'bucket', 'photos', ''],
    [2, 'object', 'photos', 'a'],
    [3, 'object', 'photos', 'b'],
  ])
  expect(items[0]).toMatchObject({ diskCount: 2, setCount: 1, dataBlocks: 1, parityBlocks: 1, objectSize: -1 })
  const [mended] = broken(items)
  const states = (side: unknown) => (side as { drives: Json[] }).drives.map(({ state }) => state).sort()
  expect(states(mended?.before)).toEqual(['missing', 'ok'])
  expect(states(mended?.after)).toEqual(['ok', 'ok'])
  expect(mended).toMatchObject({ objectSize: 100_000, versionId: '', detail: '' })
  expect(broken((await healed('heal/photos')).items)).toEqual([])
  expect(Date.now() - (store.engine.lastHealAt() ?? 0)).toBeLessThan(60_000)
})

test('items are given once, the end is remembered, and a path without a heal reads as finished', async () => {
  const { json } = await post('heal/other')
  expect(json).toEqual({
    clientToken: expect.stringMatching(/^[0-9a-f-]{36}$/),
    clientAddress: expect.any(String),
    startTime: expect.any(String),
  })
  const query = { clientToken: String(json.clientToken) }
  await expect.poll(async () => (await post('heal/other', query, '')).json.Summary).toBe('finished')
  expect((await post('heal/other', query, '')).json).toMatchObject({ Summary: 'finished', Items: null })
  const unknown = { Summary: 'finished', StartTime: '0001-01-01T00:00:00Z', Items: null }
  expect((await post('heal/never', query, '')).json).toMatchObject(unknown)
})

test('what a heal found is kept for ten minutes after it was last read', async () => {
  const { json } = await post('heal/other')
  const query = { clientToken: String(json.clientToken) }
  const read = async () => (await post('heal/other', query, '')).json
  await expect.poll(async () => (await read()).Summary).toBe('finished')
  const { EndTime } = await read()
  expect(Date.parse(String(EndTime))).toBeGreaterThanOrEqual(Date.parse(String(json.startTime)))
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    vi.setSystemTime(Date.now() + 9 * 60_000)
    expect(await read()).toMatchObject({ Summary: 'finished', StartTime: json.startTime, EndTime })
    vi.setSystemTime(Date.now() + 10 * 60_000 + 1000)
    expect(await read()).toMatchObject({ Summary: 'finished', StartTime: '0001-01-01T00:00:00Z' })
  } finally {
    vi.useRealTimers()
  }
})

test('a bucket that does not exist: the heal starts and is stopped with the reason', async () => {
  const { status, json } = await post('heal/no-such-bucket')
  expect(status).toBe(200)
  const query = { clientToken: String(json.clientToken) }
  await expect
    .poll(async () => (await post('heal/no-such-bucket', query, '')).json)
    .toMatchObject({ Summary: 'stopped', Detail: 'The specified bucket does not exist' })
})

test('forced start and stop exclude one another and a token; wrong tokens and settings are refused', async () => {
  expect(await post('heal/', { forceStart: '', forceStop: '' })).toMatchObject({ status: 400, code: 'InvalidRequest' })
  expect(await post('heal/', { forceStop: '', clientToken: 'x' }, '')).toMatchObject({ code: 'InvalidRequest' })
  for (const body of ['{', '[]', '{"scanMode":3}', '{"recursive":"yes"}'])
    expect(await post('heal/photos', {}, body)).toMatchObject({ status: 400, code: 'InvalidRequest' })
  await post('heal/photos', { forceStart: 'true' })
  const wrong = await post('heal/photos', { clientToken: 'wrong' }, '')
  expect(wrong).toMatchObject({ status: 400, code: 'XMinioHealInvalidClientToken' })
  // A stop is answered when the heal has ended, and then it is forgotten.
  expect((await post('heal/photos', { forceStop: 'false' })).json.clientToken).not.toBe('unknown')
  expect((await post('heal/photos', { forceStop: 'true' })).json.clientToken).toBe('unknown')
})

test('a heal waits for its reader; meanwhile its path and those below and above are taken', async () => {
  await store.engine.createBucket('many')
  const put = (i: number) => store.engine.putObject('many', `k${i}`, Readable.from([Buffer.from('x')]), {})
  await Promise.all(Array.from({ length: 1005 }, (_, i) => put(i)))
  const { json } = await post('heal/many', {}, { recursive: true })
  // Each poll reads the available items. Once all were read, a new start does not return the token any more.
  await expect.poll(() => post('heal/many').then((answer) => answer.json.clientToken)).toBe(json.clientToken)
  for (const path of ['heal/', 'heal/many/k1'])
    expect(await post(path)).toMatchObject({ status: 400, code: 'XMinioHealOverlappingPaths' })
  expect((await post('heal/man')).status).toBe(200)
  const query = { clientToken: String(json.clientToken) }
  const { Items, ...running } = (await post('heal/many', query, '')).json
  expect(running).toMatchObject({ Summary: 'running' })
  expect(running).not.toHaveProperty('EndTime')
  let items = Items as unknown[]
  await expect
    .poll(async () => {
      const { json: status } = await post('heal/many', query, '')
      items = items.concat((status.Items ?? []) as unknown[])
      return [items.length, status.Summary]
    })
    .toEqual([1006, 'finished'])
  const begun = (await post('heal/many', {}, { recursive: true })).json.clientToken
  await expect.poll(() => post('heal/many').then((answer) => answer.json.clientToken)).toBe(begun)
  expect((await post('heal/many', { forceStart: '' }, { recursive: true })).json.clientToken).not.toBe(begun)
  expect((await post('heal/many', { forceStop: '' })).status).toBe(200)
})

test('a heal needs the right', async () => {
  for (const path of ['heal/', 'heal/photos', 'heal/photos/a', 'background-heal/status']) {
    const request = { method: 'POST', path: `/minio/admin/v3/${path}`, body: '{}' }
    expect(await store.send({ ...request, credentials: 'anonymous' })).toMatchObject({ status: 403 })
    const stranger = { ...ROOT_CREDENTIALS, secretKey: 'wrong-password' }
    expect(await store.send({ ...request, credentials: stranger })).toMatchObject({ status: 403 })
  }
})

test('background status names the set and its drives', async () => {
  const { json } = await post('background-heal/status', {}, '')
  expect(json).toMatchObject({ offline_nodes: null, HealDisks: null, sc_parity: { STANDARD: 1 } })
  expect((json.sets as Json[])[0]).toMatchObject({ pool_index: 0, heal_status: 'Healed' })
})

test('a store of one drive has nothing to heal from', async () => {
  await using single = await startTestStore({ drives: 1 })
  const answer = await single.send({ method: 'POST', path: '/minio/admin/v3/heal/', body: '{}' })
  expect(answer).toMatchObject({ status: 426, code: 'XMinioAdminVersionMismatch' })
})
