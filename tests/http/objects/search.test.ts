import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { SearchLine } from '@stowage/contract'
import { beforeAll, expect, test } from 'vitest'
import { readAnswerLines } from '../../support/console/answer-lines.ts'
import type { TestCaller } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { allowS3 } from '../../support/data/policies.ts'

let c: TestTarget
let bucket: string
beforeAll(async () => {
  c = await sharedConsole()
  bucket = await c.newBucket()
  const put = (Key: string, size: number, Tagging?: string) =>
    c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Buffer.alloc(size), ...(Tagging ? { Tagging } : {}) }))
  await put('logs/app.log', 10, 'team=blue')
  await put('logs/old/App.LOG', 2000, 'team=red')
  await put('=cmd|calc', 1)
  await put('photos/lake.jpg', 5000, 'team=blue')
  await put('secret/plan.log', 3, 'team=blue')
})

async function search(query: object, caller: TestCaller = c.root) {
  const response = await caller.send('searchObjects', { params: { bucket }, query } as never)
  expect(response.status).toBe(200)
  const lines = await readAnswerLines<SearchLine>(response)
  const names = lines.flatMap((line) => ('items' in line ? line.items.map(({ name }) => name) : []))
  return { names: names.toSorted(), report: lines.at(-1) }
}

test('a bucket is searched by pattern, size and date', async () => {
  const found = await search({ name: '*.log' })
  expect(found.names).toEqual(['logs/app.log', 'logs/old/App.LOG', 'secret/plan.log'])
  expect(found.report).toEqual({ done: true, scanned: 5, found: 3, unreadable: 0 })
  expect((await search({ name: '*.log', min_size: 5, max_size: 100 })).names).toEqual(['logs/app.log'])
  expect((await search({ prefix: 'logs/', name: 'old' })).names).toEqual(['logs/old/App.LOG'])
  expect((await search({ before: '2020-01-01T00:00:00Z' })).names).toEqual([])
  expect((await search({ after: '2020-01-01T00:00:00Z' })).names).toHaveLength(5)
  expect((await search({ storage_class: 'GLACIER' })).names).toEqual([])
})

test('a bucket is searched by tag', async () => {
  expect((await search({ tag: 'team=blue' })).names).toEqual(['logs/app.log', 'photos/lake.jpg', 'secret/plan.log'])
  expect((await search({ tag: 'team', max_size: 10 })).names).toEqual(['logs/app.log', 'secret/plan.log'])
  expect((await search({ tag: 'team=green' })).names).toEqual([])
})

test('tags that the caller may not read match nothing', async () => {
  const resource = (path: string) => [`arn:aws:s3:::${bucket}${path}`]
  const caller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:ListBucket'], Resource: resource('') },
      { Effect: 'Allow', Action: ['s3:GetObject', 's3:GetObjectTagging'], Resource: resource('/*') },
      { Effect: 'Deny', Action: ['s3:GetObject', 's3:GetObjectTagging'], Resource: resource('/secret/*') },
    ],
  })
  const { names, report } = await search({ tag: 'team=blue' }, caller)
  expect(names).toEqual(['logs/app.log', 'photos/lake.jpg'])
  expect(report).toMatchObject({ unreadable: 1 })
})

test('a search with enough results returns where to continue', async () => {
  const many = await c.newBucket()
  const keys = Array.from({ length: 1002 }, (_, i) => `k${String(i).padStart(5, '0')}`)
  await Promise.all(keys.map((Key) => c.s3.send(new PutObjectCommand({ Bucket: many, Key, Body: Buffer.from('x') }))))
  const part = async (continuation?: string) => {
    const query = { limit: 1, ...(continuation ? { continuation } : {}) }
    return await readAnswerLines<SearchLine>(
      await c.root.send('searchObjects', { params: { bucket: many }, query } as never),
    )
  }
  const [first, report] = await part()
  expect(first).toMatchObject({ scanned: 1000, found: 1000 })
  const next = report && 'next' in report ? report.next : undefined
  expect(next).toBeTypeOf('string')
  const rest = await part(next)
  expect(rest.flatMap((line) => ('items' in line ? line.items.map(({ name }) => name) : []))).toEqual(keys.slice(1000))
  expect(rest.at(-1)).toEqual({ done: true, scanned: 2, found: 2, unreadable: 0 })
})

test('all results are exported to a file without formulas for spreadsheets', async () => {
  const response = await c.root.send('exportSearch', { params: { bucket }, query: { name: '*c*', format: 'csv' } })
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toContain('attachment')
  const lines = (await response.text()).split('\r\n')
  expect(lines[0]).toBe('key,size,last_modified,etag,storage_class,tags')
  expect(lines[1]).toMatch(/^"'=cmd\|calc",1,/)
  const json = await c.root.send('exportSearch', { params: { bucket }, query: { tag: 'team=red', format: 'ndjson' } })
  expect(await readAnswerLines(json)).toMatchObject([{ key: 'logs/old/App.LOG', size: 2000, tags: { team: 'red' } }])
})

test('a search without the right, of a missing bucket or with wrong fields is refused', async () => {
  const status = async (caller: TestCaller, name: string, query: object) => {
    const response = await caller.send('searchObjects', { params: { bucket: name }, query } as never)
    await response.body?.cancel()
    return response.status
  }
  const other = await c.signInWith(allowS3(['s3:GetObject']))
  expect(await status(other, bucket, {})).toBe(403)
  expect(await status(c.root, c.freshName('none'), {})).toBe(404)
  expect(await status(c.root, bucket, { min_size: -1 })).toBe(400)
  expect(await status(c.root, bucket, { after: 'yesterday' })).toBe(400)
  expect(await status(c.root, bucket, { limit: 1_000_000 })).toBe(400)
  const denied = await other.send('exportSearch', { params: { bucket }, query: { format: 'csv' } })
  expect(denied.status).toBe(403)
  expect(denied.headers.get('content-disposition')).toBeNull()
})
