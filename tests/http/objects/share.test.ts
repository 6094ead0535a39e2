import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import { startConsole } from '../../support/console/start-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const put = (bucket: string, Key: string, Body = 'x') => c.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const DAY = 86_400_000

async function versionedBucket(): Promise<string> {
  const bucket = await c.newBucket()
  await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  return bucket
}

/** Returns status and text of a link. */
async function open(url: string, init: RequestInit = {}): Promise<[number, string]> {
  const response = await fetch(url, init)
  return [response.status, await response.text()]
}

test('a shared link returns its version without sign-in, and has no side effect [OBJ-51]', async () => {
  const bucket = await versionedBucket()
  const key = 'dir/ü +&#?.txt'
  const { VersionId: first = '' } = await put(bucket, key, 'one')
  await put(bucket, key, 'two')
  // Servers of 2021 list accounts in any order.
  const accounts = async () => (await c.madmin.listServiceAccounts()).map(({ accessKey }) => accessKey).toSorted()
  const before = await accounts()
  const share = (query: object) => c.call('shareObject', { params: { bucket }, query: { prefix: key, ...query } })
  const url = await share({ version_id: first, expires: '3600000ms' })
  expect(await open(url)).toEqual([200, 'one'])
  expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('3600')
  expect(await open(await share({}))).toEqual([200, 'two'])
  expect(await accounts()).toEqual(before)
})

test('on a bucket without versions the version is "null" [OBJ-51]', async () => {
  const bucket = await c.newBucket()
  await put(bucket, 'k')
  const url = await c.call('shareObject', { params: { bucket }, query: { prefix: 'k', version_id: 'null' } })
  expect(await open(url)).toEqual([200, 'x'])
})

test('a shared link has its real expiry: that of the session at the latest', async () => {
  const bucket = await c.newBucket()
  await put(bucket, 'k')
  const url = await c.call('shareObject', { params: { bucket }, query: { prefix: 'k', expires: '604800000ms' } })
  const seconds = Number(new URL(url).searchParams.get('X-Amz-Expires'))
  // Sessions of the tests last 12 hours.
  expect(seconds).toBeGreaterThan(11 * 3600)
  expect(seconds).toBeLessThanOrEqual(12 * 3600)
})

test.each([
  ['0s', 'share-in-the-past'],
  ['-1h', 'share-duration'],
  ['604801s', 'share-too-long'],
  ['soon', 'share-duration'],
])('the duration %s is refused [OBJ-50]', async (expires, id) => {
  const bucket = await c.newBucket()
  const call = c.call('shareObject', { params: { bucket }, query: { prefix: 'k', expires } })
  expect(await callFailure(call)).toMatchObject({ status: 400, body: { field: 'expires', reason: { id } } })
})

test('a created link outlives the session, is listed and can be revoked', async () => {
  const bucket = await versionedBucket()
  const { VersionId: first = '' } = await put(bucket, 'a/k.txt', 'one')
  const { VersionId: second = '' } = await put(bucket, 'a/k.txt', 'two')
  const params = { bucket }
  const create = (body: object) =>
    c.call('createLink', { params, body: { path: 'a/k.txt', expires: inMs(7 * DAY), ...body } })
  const link = await create({ version_id: first })
  expect(await open(link.url)).toEqual([200, 'one'])
  expect(Date.parse(link.expires)).toBeGreaterThan(Date.now() + 6.9 * DAY)
  const latest = await create({})
  expect(await open(latest.url)).toEqual([200, 'two'])
  await put(bucket, 'a/k.txt', 'three')
  expect(await open(latest.url)).toEqual([200, 'three'])

  const list = async () => (await c.call('listLinks', { params, query: { prefix: 'a/k.txt' } })).links
  const listed = await list()
  expect(listed).toHaveLength(2)
  expect(listed).toContainEqual(
    expect.objectContaining({ access_key: link.access_key, version_id: first, kind: 'download' }),
  )
  await c.root.send('deleteLink', { params: { bucket, accessKey: link.access_key ?? '' } })
  expect((await open(link.url))[0]).toBe(403)
  const other = await c.madmin.addServiceAccount({})
  const refused = await callFailure(c.call('deleteLink', { params: { bucket, accessKey: other.accessKey } }))
  expect(refused.status).toBe(404)
  await c.madmin.deleteServiceAccount(other.accessKey)
  expect((await list()).map(({ access_key }) => access_key)).toEqual([latest.access_key])

  // The account of a link has no other rights, whatever is signed with its key.
  const account = await c.madmin.getServiceAccount(latest.access_key ?? '')
  expect(JSON.stringify(account.policy)).not.toContain(second)
  expect(account.impliedPolicy).toBe(false)
})

test('a link only works for its key, method and version', async () => {
  const bucket = await versionedBucket()
  const { VersionId: first = '' } = await put(bucket, 'k', 'one')
  await put(bucket, 'k', 'two')
  await put(bucket, 'other', 'secret')
  const { url } = await c.call('createLink', {
    params: { bucket },
    body: { path: 'k', version_id: first, expires: inMs(DAY) },
  })
  expect((await open(url.replace('/k?', '/other?')))[0]).toBe(403)
  expect((await open(url.replace(/versionId=[^&]+&?/, '')))[0]).toBe(403)
  expect((await open(`${url}&tagging`))[0]).toBe(403)
  expect((await open(url, { method: 'DELETE' }))[0]).toBe(403)
  expect((await open(url, { method: 'PUT', body: 'y' }))[0]).toBe(403)
  await c.root.send('deleteObject', { params: { bucket }, query: { path: 'k', version_id: first } })
  expect((await open(url))[0]).toBe(404)
})

test('for a key that policies would treat as a pattern no account is created, and the real expiry is returned', async () => {
  if (!c.embedded) return
  const bucket = await c.newBucket()
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of policies
  for (const key of ['a*b', 'a?b', 'a${aws:username}']) {
    await put(bucket, key)
    const before = await c.madmin.listServiceAccounts()
    const link = await c.call('createLink', { params: { bucket }, body: { path: key, expires: inMs(7 * DAY) } })
    expect(link.access_key).toBeUndefined()
    expect(Date.parse(link.expires)).toBeLessThanOrEqual(Date.now() + DAY / 2 + 1000)
    expect(await open(link.url)).toEqual([200, 'x'])
    expect(await c.madmin.listServiceAccounts()).toEqual(before)
  }
})

test('a caller cannot share an object without reading rights, or revoke other accounts', async () => {
  const bucket = await c.newBucket()
  await put(bucket, 'k')
  await put(bucket, 'mine/k')
  const caller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:GetObject', 's3:PutObject'], Resource: [`arn:aws:s3:::${bucket}/mine/*`] },
    ],
  })
  const body = { path: 'k', expires: inMs(DAY) }
  expect((await callFailure(caller.call('createLink', { params: { bucket }, body }))).status).toBe(403)
  const upload = { prefix: 'k', max_size: 1, expires: inMs(DAY) }
  expect((await callFailure(caller.call('createUploadLink', { params: { bucket }, body: upload }))).status).toBe(403)
  const link = await caller.call('createLink', { params: { bucket }, body: { ...body, path: 'mine/k' } })
  const params = { bucket, accessKey: link.access_key ?? '' }
  expect((await callFailure(c.call('deleteLink', { params }))).status).toBe(404)
  const { accessKey } = await c.madmin.addServiceAccount({})
  const failure = await callFailure(c.call('deleteLink', { params: { bucket, accessKey } }))
  expect(failure).toMatchObject({ status: 404, body: { reason: { id: 'link-unknown' } } })
  await c.madmin.deleteServiceAccount(accessKey)
})

test.each([
  ['share-in-the-past', -1000],
  ['share-too-long', 7 * DAY + 120_000],
])('a link with an invalid expiry is refused by %s [OBJ-49] [OBJ-50]', async (id, ms) => {
  const bucket = await c.newBucket()
  await put(bucket, 'k')
  const call = c.call('createLink', { params: { bucket }, body: { path: 'k', expires: inMs(ms) } })
  expect(await callFailure(call)).toMatchObject({ status: 400, body: { field: 'expires', reason: { id } } })
})

test('an upload link accepts files below its prefix up to its size, and can be revoked', async () => {
  const bucket = await c.newBucket()
  const link = await c.call('createUploadLink', {
    params: { bucket },
    body: { prefix: 'in/', max_size: 10, expires: inMs(DAY) },
  })
  const send = async (content: string, fields: Record<string, string> = {}) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...link.fields, ...fields })) form.append(name, value)
    form.append('file', new Blob([content]), 'report.txt')
    return (await open(link.url, { method: 'POST', body: form }))[0]
  }
  expect(await send('content')).toBe(204)
  const { Body } = await c.s3.send(new GetObjectCommand({ Bucket: bucket, Key: 'in/report.txt' }))
  expect(await Body?.transformToString()).toBe('content')
  expect(await send('more than ten bytes')).toBe(400)
  expect(await send('x', { key: 'outside.txt' })).toBe(403)
  await c.root.send('deleteLink', { params: { bucket, accessKey: link.access_key } })
  expect(await send('content')).toBe(403)
})

test('all links of a bucket are listed with their keys, but not those of other buckets and callers', async () => {
  const [bucket, other] = [await c.newBucket(), await c.newBucket()]
  const long = `${'d'.repeat(200)}/${'ü'.repeat(120)}.txt`
  for (const key of ['a.txt', long]) {
    await put(bucket, key)
    await c.call('createLink', { params: { bucket }, body: { path: key, expires: inMs(DAY) } })
  }
  const upload = { prefix: 'in/', max_size: 10, expires: inMs(DAY) }
  await c.call('createUploadLink', { params: { bucket }, body: upload })
  await c.call('createUploadLink', { params: { bucket: other }, body: upload })
  const { links } = await c.call('listLinks', { params: { bucket }, query: {} })
  expect(links.map(({ path, kind }) => [path, kind]).toSorted()).toEqual([
    ['a.txt', 'download'],
    [long, 'download'],
    ['in/', 'upload'],
  ])
  const caller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:GetObject'], Resource: [`arn:aws:s3:::${bucket}/*`] }],
  })
  expect(await caller.call('listLinks', { params: { bucket }, query: {} })).toEqual({ links: [] })
})

test('links contain the public address of the storage server, never the Host of a request', async () => {
  await using own = await startConsole({ env: { STOWAGE_SERVER_PUBLIC_URL: 'https://s3.example.com:9000' } })
  const bucket = await own.newBucket()
  await own.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: 'x' }))
  const headers = { 'x-forwarded-host': 'evil.example.com', host: 'evil.example.com' }
  const share = await own.root.call('shareObject', { params: { bucket }, query: { prefix: 'k' } }, { headers })
  const link = await own.root.call(
    'createLink',
    { params: { bucket }, body: { path: 'k', expires: inMs(DAY) } },
    { headers },
  )
  for (const url of [share, link.url]) expect(new URL(url).origin).toBe('https://s3.example.com:9000')
})
