import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { DeleteLine, Output } from '@stowage/contract'
import { beforeAll, expect, test } from 'vitest'
import { acceptLines, readAnswerLines } from '../../support/console/answer-lines.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { listKeys, newBucketWith } from '../../support/data/objects.ts'

/* Several pages, at the size of a test. bench/object-browser.ts measures 100,000 versions and 50,000 folders. */

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const put = (Bucket: string, Key: string) => c.s3.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.of() }))

/** Reads the listing page by page. */
async function listPages(bucket: string, query: object) {
  const pages: string[][] = []
  for (let continuation: string | undefined = ''; continuation !== undefined; ) {
    const more: object = continuation === '' ? {} : { continuation }
    const page: Output<'listObjects'> = await c.call('listObjects', {
      params: { bucket },
      query: { ...query, ...more } as never,
    })
    pages.push(page.objects.map(({ name, version_id: id }) => (id === undefined ? name : `${name} ${id}`)))
    continuation = page.next
  }
  return pages
}

test('all versions of a key with many are listed once, newest first, and the noncurrent ones are deleted', async () => {
  const bucket = await newBucketWith(c, {})
  await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  await put(bucket, 'log.txt')
  const COUNT = 300
  const send = async () => {
    const form = new FormData()
    for (let i = 0; i < 100; i++) form.append('1', new Blob(['x']), 'log')
    return await c.root.send('uploadObjects', { params: { bucket }, query: { prefix: '' }, body: form })
  }
  const sent = await Promise.all(Array.from({ length: COUNT / 100 }, send))
  expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200))
  const pages = await listPages(bucket, { prefix: 'log', with_versions: 'true', limit: 250 })
  expect(pages.map(({ length }) => length)).toEqual([250, COUNT + 1 - 250])
  const listed = pages.flat().slice(0, COUNT)
  expect(new Set(listed).size).toBe(COUNT)
  expect(listed.every((name) => name.startsWith('log '))).toBe(true)

  const answer = await c.root.send(
    'deleteObject',
    { params: { bucket }, query: { path: 'log', non_current_versions: 'true' } },
    acceptLines,
  )
  const lines = await readAnswerLines<DeleteLine>(answer)
  expect(lines.at(-1)).toMatchObject({ done: true, deleted: COUNT - 1, failed: 0 })
  const left = (await listPages(bucket, { prefix: 'log', with_versions: 'true', limit: 250 })).flat()
  expect(left).toEqual([listed[0], expect.stringMatching(/^log\.txt /)])
})

test('many empty folders are listed page by page, each once, and deleted with their parent', async () => {
  const bucket = await newBucketWith(c, { 'parent.txt': 'neighbour' })
  const names = Array.from({ length: 260 }, (_, i) => `parent/folder-${String(i).padStart(4, '0')}/`)
  await Promise.all(names.map((name) => put(bucket, name)))
  const pages = await listPages(bucket, { prefix: 'parent/', limit: 100 })
  expect(pages.flat()).toEqual(names)
  await c.root.send('deleteObject', { params: { bucket }, query: { path: 'parent/', recursive: 'true' } })
  expect(await listKeys(c, bucket)).toEqual(['parent.txt'])
})
