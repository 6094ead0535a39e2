import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { isMinio2021 } from '../../support/console/server-release.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { allowS3 } from '../../support/data/policies.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

/** Starts an upload and sends parts of these sizes. @returns its upload ID */
async function begin(bucket: string, prefix: string, ...sizes: number[]): Promise<string> {
  const { upload_id: uploadId } = await c.call('createUpload', { params: { bucket }, query: { prefix }, body: {} })
  for (const [index, size] of sizes.entries())
    await c.call('uploadPart', {
      params: { bucket, uploadId, part: index + 1 },
      query: { prefix },
      body: new Uint8Array(size) as never,
    })
  return uploadId
}

test('unfinished uploads are listed below a prefix with the size of their parts, and aborted', async ({ skip }) => {
  if (await isMinio2021(c)) skip('this server lists the uploads of one whole key only')
  const bucket = await c.newBucket()
  const first = await begin(bucket, 'a/b', 3, 4)
  const second = await begin(bucket, 'a/b')
  await begin(bucket, 'ab', 1)
  const list = async (query: object) => await c.call('listUploads', { params: { bucket }, query })
  const { uploads, total } = await list({ prefix: 'a/' })
  expect(total).toBe(2)
  expect(uploads).toHaveLength(2)
  expect(uploads).toContainEqual(expect.objectContaining({ key: 'a/b', upload_id: first, parts: 2, size: 7 }))
  expect(uploads).toContainEqual(expect.objectContaining({ upload_id: second, parts: 0, size: 0 }))
  expect((await list({})).total).toBe(3)
  expect(await list({ limit: 1 })).toMatchObject({ total: 3, uploads: [expect.anything()] })

  const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
  expect(await list({ before: hourAgo })).toEqual({ uploads: [], total: 0 })
  await c.root.send('abortUpload', { params: { bucket, uploadId: first }, query: { prefix: 'a/b' } })
  expect((await list({ prefix: 'a/' })).uploads.map(({ upload_id: id }) => id)).toEqual([second])
})

test('without the right, uploads are not listed; without the right to their parts, they have no size', async ({
  skip,
}) => {
  const bucket = await c.newBucket()
  await begin(bucket, 'k', 5)
  const call = { params: { bucket }, query: {} }
  const none = await c.signInWith(allowS3(['s3:ListBucket']))
  expect((await callFailure(none.call('listUploads', call))).status).toBe(403)
  if (await isMinio2021(c)) skip('this server lists the uploads of one whole key only')
  const some = await c.signInWith(allowS3(['s3:ListBucketMultipartUploads']))
  const { uploads } = await some.call('listUploads', call)
  expect(uploads[0]).toMatchObject({ key: 'k' })
  if (c.embedded) expect(uploads[0]?.size).toBeUndefined()
})

test.each([
  ['limit', { limit: 1001 }],
  ['before', { before: 'yesterday' }],
])('a wrong %s is refused', async (field, query) => {
  const bucket = await c.newBucket()
  const failure = await callFailure(c.call('listUploads', { params: { bucket }, query: query as never }))
  expect(failure).toMatchObject({ status: 400, body: { field } })
})
