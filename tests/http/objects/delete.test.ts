import { PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

async function bucketWith(...keys: string[]): Promise<{ bucket: string }> {
  const bucket = await c.newBucket()
  await Promise.all(keys.map((Key) => c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x' }))))
  return { bucket }
}
const left = async (params: { bucket: string }) =>
  (await c.call('listObjects', { params, query: { recursive: 'true' } })).objects.map((o) => o.name)

test('one object is deleted by its path [OBJ-26]', async () => {
  const params = await bucketWith('a', 'ab', 'dir/a')
  const response = await c.root.send('deleteObject', { params, query: { path: 'a' } })
  expect(response.status).toBe(200)
  expect(await left(params)).toEqual(['ab', 'dir/a'])
})

test('a folder is deleted with its content, but not its neighbours [OBJ-26]', async () => {
  const params = await bucketWith('dir/a', 'dir/sub/b', 'dir.bak', 'dirt/c', 'e')
  await c.root.send('deleteObject', { params, query: { path: 'dir/', recursive: 'true' } })
  expect(await left(params)).toEqual(['dir.bak', 'dirt/c', 'e'])
})

test('a path without a trailing slash does not delete neighbours [OBJ-26]', async () => {
  // An object below another object's name: possible in S3, but not in MinIO's file layout.
  const params = await bucketWith('dir/foo.txt', 'dir/foo.txt.bak', ...(c.embedded ? ['dir/foo.txt/below'] : []))
  await c.root.send('deleteObject', { params, query: { path: 'dir/foo.txt', recursive: 'true' } })
  expect(await left(params)).toEqual(['dir/foo.txt.bak'])
})

test('deleting a missing object is not an error [OBJ-26]', async () => {
  const params = await bucketWith()
  expect((await c.root.send('deleteObject', { params, query: { path: 'absent' } })).status).toBe(200)
})

test('a selection of objects and folders is deleted [OBJ-27]', async () => {
  const params = await bucketWith('a', 'b', 'dir/c', 'dir/d', 'keep')
  const body = [{ path: 'a' }, { path: 'b', versionID: '', recursive: false }, { path: 'dir/', recursive: true }]
  const response = await c.root.send('deleteObjects', { params, body })
  expect(response.status).toBe(200)
  expect(await left(params)).toEqual(['keep'])
})

test('the version ID of one entry is not used for another [OBJ-27]', async () => {
  const params = await bucketWith()
  await c.call('setBucketVersioning', { params, body: { versioning: true } })
  const put = (Key: string) => c.s3.send(new PutObjectCommand({ Bucket: params.bucket, Key, Body: 'x' }))
  const [first] = [await put('one'), await put('one'), await put('two')]
  await c.root.send('deleteObjects', {
    params,
    body: [{ path: 'one', versionID: first?.VersionId ?? '' }, { path: 'two' }],
  })
  const { objects } = await c.call('listObjects', { params, query: { with_versions: 'true', recursive: 'true' } })
  expect(objects.filter((o) => o.name === 'one')).toHaveLength(1)
  expect(objects.filter((o) => o.name === 'two').map((o) => o.is_delete_marker)).toEqual([true, false])
})

test('progress is sent as lines and ends with a report [OBJ-27]', async () => {
  const params = await bucketWith(...Array.from({ length: 30 }, (_, i) => `many/${i}`))
  const response = await c.root.send(
    'deleteObjects',
    { params, body: [{ path: 'many/', recursive: true }] },
    { headers: { accept: 'application/x-ndjson' } },
  )
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.at(-1)).toMatchObject({ done: true, deleted: 30, failed: 0, errors: [] })
})

test('objects that may not be deleted are reported, the others are deleted [OBJ-27]', async () => {
  const params = await bucketWith('free', 'locked')
  const caller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['s3:*'],
        Resource: [`arn:aws:s3:::${params.bucket}`, `arn:aws:s3:::${params.bucket}/*`],
      },
      { Effect: 'Deny', Action: ['s3:DeleteObject'], Resource: [`arn:aws:s3:::${params.bucket}/locked`] },
    ],
  })
  const failure = await callFailure(
    caller.call('deleteObjects', { params, body: [{ path: 'free' }, { path: 'locked' }] }),
  )
  expect(failure.status).toBe(403)
  expect(failure.body.detailedMessage).toContain('locked')
  expect(await left(params)).toEqual(['locked'])
})

test.each([
  ['no list', {}, undefined],
  ['an empty list', [], undefined],
  ['an entry without a path', [{ versionID: 'x' }], '0.path'],
  ['a path of the wrong type', [{ path: 5 }], '0.path'],
])('%s is refused, naming the field', async (_, body, field) => {
  const params = await bucketWith()
  const failure = await callFailure(c.call('deleteObjects', { params, body: body as never }))
  expect(failure.status).toBe(400)
  expect(failure.body.field).toBe(field)
  expect(failure.body.message).toContain('body')
})
