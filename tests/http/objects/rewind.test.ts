import { PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

async function versionedBucket(): Promise<string> {
  const bucket = await c.newBucket()
  await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  return bucket
}

/** Stores an object and returns its time by the server's clock, once that clock shows a later one. */
async function put(bucket: string, Key: string, Body = 'x'): Promise<{ version: string; at: number }> {
  const { VersionId = '' } = await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
  const { objects } = await c.call('listObjects', { params: { bucket }, query: { prefix: Key, with_versions: 'true' } })
  const entry = objects.find(({ version_id }) => version_id === VersionId)
  return { version: VersionId, at: Date.parse(entry?.last_modified ?? '') }
}

const at = (bucket: string, ms: number, query: object = {}) =>
  c.call('rewindObjects', { params: { bucket, date: new Date(ms).toISOString() }, query })

test('a folder is listed as of any date, including deleted objects [OBJ-25] [OBJ-20]', async () => {
  const bucket = await versionedBucket()
  const first = await put(bucket, 'dir/a', '1')
  const second = await put(bucket, 'dir/a', '22')
  await put(bucket, 'dir/sub/c')
  await c.root.send('deleteObject', { params: { bucket }, query: { path: 'dir/a' } })
  const shown = async (ms: number) => {
    const { objects } = await at(bucket, ms, { prefix: 'dir/' })
    return objects
      .filter(({ name }) => name === 'dir/a')
      .map(({ version_id, size, delete_flag }) => ({ version_id, size, delete_flag }))
  }
  expect(await shown(first.at)).toEqual([])
  expect(await shown(first.at + 1)).toEqual(
    first.at === second.at ? expect.anything() : [{ version_id: first.version, size: 1, delete_flag: false }],
  )
  const { objects } = await c.call('listObjects', {
    params: { bucket },
    query: { prefix: 'dir/a', with_versions: 'true' },
  })
  const deletedAt = Date.parse(objects[0]?.last_modified ?? '')
  expect(await shown(deletedAt)).toEqual([{ version_id: second.version, size: 2, delete_flag: false }])
  expect(await shown(deletedAt + 1)).toMatchObject([{ delete_flag: true, size: 0 }])
  expect((await at(bucket, deletedAt, { prefix: 'dir/' })).objects.map(({ name }) => name)).toContain('dir/sub/')
})

test('pages of the past have no gap and no key twice, even if one key has many versions', async () => {
  const bucket = await versionedBucket()
  await put(bucket, 'a')
  for (let i = 0; i < 5; i++) await put(bucket, 'm', String(i))
  await put(bucket, 'z')
  const seen: string[] = []
  let continuation: string | undefined
  do {
    const page = await at(bucket, Date.now() + 60_000, { limit: 2, continuation })
    expect(page.objects.length).toBeLessThanOrEqual(2)
    seen.push(...page.objects.map(({ name }) => name))
    continuation = page.next
  } while (continuation)
  expect(seen).toEqual(['a', 'm', 'z'])
  // Before the first write.
  expect(await at(bucket, Date.parse('2020-01-01'), { limit: 2 })).toEqual({ objects: [] })
})

test('folders are listed only if they had an object at that time, also behind many newer versions', async () => {
  const bucket = await versionedBucket()
  const first = await put(bucket, 'old/z')
  await expect.poll(async () => (await put(bucket, 'clock')).at).toBeGreaterThan(first.at + 1)
  for (let i = 0; i < 25; i++) await c.s3.send(new PutObjectCommand({ Bucket: bucket, Key: `old/a${i}`, Body: 'x' }))
  await put(bucket, 'new/a')
  const names = async (ms: number, query?: object) => (await at(bucket, ms, query)).objects.map(({ name }) => name)
  expect(await names(first.at + 1)).toEqual(['old/'])
  // The page that has no more than the new folder is followed by the next one.
  expect(await names(first.at + 1, { limit: 1 })).toEqual(['old/'])
  expect(await names(first.at)).toEqual([])
  expect(await names(Date.now() + 60_000)).toEqual(['clock', 'new/', 'old/'])
})

test('a key that contains the bucket between slashes keeps its name', async () => {
  const bucket = await versionedBucket()
  await put(bucket, `d/${bucket}/x.txt`)
  const { objects } = await at(bucket, Date.now() + 60_000, { prefix: `d/${bucket}/` })
  expect(objects.map(({ name }) => name)).toEqual([`d/${bucket}/x.txt`])
})

test('a bucket that does not exist is 404, and a wrong date 400', async () => {
  const params = { bucket: c.freshName(), date: '2026-01-01T00:00:00Z' }
  expect((await callFailure(c.call('rewindObjects', { params }))).status).toBe(404)
  const wrong = { bucket: params.bucket, date: 'yesterday' }
  expect(await callFailure(c.call('rewindObjects', { params: wrong }))).toMatchObject({
    status: 400,
    body: { field: 'date' },
  })
})
