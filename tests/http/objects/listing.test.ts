import { PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const put = (bucket: string, ...keys: string[]) =>
  Promise.all(keys.map((Key) => c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x' }))))
const names = (answer: { objects: { name: string }[] }) => answer.objects.map((o) => o.name)

test('a folder lists its objects and its folders [OBJ-22]', async () => {
  const bucket = await c.newBucket()
  await put(bucket, 'top', 'dir/a', 'dir/b', 'dir/deep/c', 'other/d')
  const root = await c.call('listObjects', { params: { bucket }, query: { limit: '100' } })
  expect(names(root).sort()).toEqual(['dir/', 'other/', 'top'])
  const dir = await c.call('listObjects', { params: { bucket }, query: { prefix: 'dir/', limit: '100' } })
  expect(names(dir).sort()).toEqual(['dir/a', 'dir/b', 'dir/deep/'])
  expect(dir.objects.find((o) => o.name === 'dir/a')).toMatchObject({ size: 1, etag: expect.any(String) })
  expect(Date.parse(dir.objects.find((o) => o.name === 'dir/a')?.last_modified ?? '')).toBeGreaterThan(
    Date.now() - 60_000,
  )
})

test('pages have no gaps and no repetitions', async () => {
  const bucket = await c.newBucket()
  const keys = Array.from({ length: 25 }, (_, i) => `k${String(i).padStart(2, '0')}`)
  await put(bucket, ...keys, 'folder/x', 'folder/y')
  const seen: string[] = []
  let continuation: string | undefined
  do {
    const page = await c.call('listObjects', {
      params: { bucket },
      query: { limit: '7', ...(continuation ? { continuation } : {}) },
    })
    expect(page.objects.length).toBeLessThanOrEqual(7)
    seen.push(...names(page))
    continuation = page.next
  } while (continuation)
  expect(seen).toEqual(['folder/', ...keys])
})

test('start_after starts after a key', async () => {
  const bucket = await c.newBucket()
  await put(bucket, 'a', 'b', 'c')
  const page = await c.call('listObjects', { params: { bucket }, query: { limit: '10', start_after: 'a' } })
  expect(names(page)).toEqual(['b', 'c'])
})

test('without a limit everything is listed, as by the original [OBJ-22]', async () => {
  const bucket = await c.newBucket()
  await put(bucket, 'a', 'b/c', 'b/d')
  const all = await c.call('listObjects', { params: { bucket }, query: { recursive: 'true' } })
  expect(names(all)).toEqual(['a', 'b/c', 'b/d'])
  expect(all.total).toBe(3)
  expect(await c.call('listObjects', { params: { bucket }, query: { prefix: 'nothing/' } })).toMatchObject({
    objects: [],
    total: 0,
  })
})

test('with versions every version and delete marker is listed [OBJ-22]', async () => {
  const bucket = await c.newBucket()
  await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  await put(bucket, 'v')
  await put(bucket, 'v')
  await c.call('deleteObject', { params: { bucket }, query: { path: 'v' } })
  const { objects } = await c.call('listObjects', { params: { bucket }, query: { prefix: 'v', with_versions: 'true' } })
  expect(objects).toHaveLength(3)
  expect(objects[0]).toMatchObject({ name: 'v', is_latest: true, is_delete_marker: true })
  expect(new Set(objects.map((o) => o.version_id)).size).toBe(3)
})

test('the listing contains metadata on request', async () => {
  const bucket = await c.newBucket()
  await c.s3.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: 'm',
      Body: 'x',
      ContentType: 'text/plain',
      Metadata: { colour: 'blue' },
    }),
  )
  const { objects } = await c.call('listObjects', { params: { bucket }, query: { prefix: 'm', with_metadata: 'true' } })
  const metadata = Object.fromEntries(
    Object.entries(objects[0]?.user_metadata ?? {}).map(([k, v]) => [k.toLowerCase(), v]),
  )
  expect(metadata).toMatchObject({ 'x-amz-meta-colour': 'blue', 'content-type': 'text/plain' })
})

test.each([
  'with space',
  'plus+plus',
  'per%cent',
  'per%2Fcent',
  'trailing space ',
  'q?x=1&y=2#frag',
  'emoji-😀',
  'bidi-\u202etxt',
  'ünïcödé',
  '"quotes"',
  "'single'",
  '<tag>&amp;',
  Array(5).fill('k'.repeat(200)).join('/'),
])('the key %j is listed as written', async (key) => await keyComesBack(key))

// MinIO stores objects as files, so it refuses these keys; S3 and our store accept them.
test.each(['a//b', '/lead', 'a/../b', './a', 'k'.repeat(1024)])(
  'the key %j, which no file can have, is listed too',
  async (key) => {
    if (c.embedded) await keyComesBack(key)
  },
)

async function keyComesBack(key: string): Promise<void> {
  const bucket = await c.newBucket()
  await put(bucket, key)
  expect(names(await c.call('listObjects', { params: { bucket }, query: { recursive: 'true', limit: '10' } }))).toEqual(
    [key],
  )
  const download = await c.root.send('downloadObject', { params: { bucket }, query: { prefix: key } })
  expect(await download.text()).toBe('x')
}

test.each([
  ['limit', { limit: '0' }],
  ['limit', { limit: '5000' }],
  ['limit', { limit: 'many' }],
])('a wrong %s is refused with the field', async (field, query) => {
  const bucket = await c.newBucket()
  const failure = await callFailure(c.call('listObjects', { params: { bucket }, query }))
  expect(failure).toMatchObject({ status: 400, body: { field } })
})
