import { PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { makeArchive } from '../../../apps/server/src/areas/objects/archive/testing/make-archive.ts'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { newBucketWith } from '../../support/data/objects.ts'
import { allowS3 } from '../../support/data/policies.ts'

let c: TestTarget
let bucket: string
const hello = 'hello '.repeat(100_000)
beforeAll(async () => {
  c = await sharedConsole()
  bucket = await newBucketWith(c, {
    'a.zip': makeArchive([
      { name: 'dir/', method: 0 },
      { name: 'dir/ü\u202e.txt', content: hello },
      { name: '../evil', content: 'x' },
      { name: 'secret', content: 'x', flags: 0x801 },
    ]),
    'bomb.zip': makeArchive([{ name: 'bomb', content: '0'.repeat(5_000_000), size: 1000 }]),
    'damaged.zip': makeArchive([{ name: 'a', content: hello, crc: 1 }]),
    'overlap.zip': makeArchive([
      { name: 'a', content: '0'.repeat(1000) },
      { name: 'b', content: '0'.repeat(1000), offset: 0 },
    ]),
    'other.zip': 'this is no archive',
    'empty.zip': '',
  })
})

const list = async (prefix: string, query: object = {}) =>
  await c.call('listArchive', { params: { bucket }, query: { prefix, ...query } })
const download = async (prefix: string, member: string, caller = c.root) =>
  await caller.send('downloadArchiveMember', { params: { bucket }, query: { prefix, member } })

test('the members of a zip archive are listed and searched, and one is downloaded', async () => {
  const { members, total } = await list('a.zip')
  expect(total).toBe(4)
  expect(members.map(({ name, size, refused }) => [name, size, refused])).toEqual([
    ['dir/', 0, undefined],
    ['dir/ü\u202e.txt', 600_000, undefined],
    ['../evil', 1, 'name'],
    ['secret', 1, 'encrypted'],
  ])
  expect(await list('a.zip', { search: 'SECR' })).toMatchObject({ total: 1, members: [{ name: 'secret' }] })
  expect(await list('a.zip', { start: 3, limit: 1 })).toMatchObject({ total: 4, members: [{ name: 'secret' }] })
  const response = await download('a.zip', 'dir/ü\u202e.txt')
  expect(response.headers.get('content-disposition')).toContain(encodeURIComponent('ü[U+202E].txt'))
  expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  expect(await response.text()).toBe(hello)
})

test.each([
  ['a.zip', '../evil', 400, 'archive-member-name'],
  ['a.zip', 'secret', 400, 'archive-member-encrypted'],
  ['a.zip', 'dir/', 404, 'archive-no-member'],
  ['a.zip', 'toString', 404, 'archive-no-member'],
  ['overlap.zip', 'a', 400, 'archive-member-overlap'],
  ['bomb.zip', 'bomb', 400, 'archive-damaged'],
  ['other.zip', 'a', 400, 'archive-damaged'],
  ['empty.zip', 'a', 400, 'archive-damaged'],
])('the member of %s called %j is refused', async (prefix, member, status, id) => {
  const failure = await callFailure(
    c.call('downloadArchiveMember', { params: { bucket }, query: { prefix, member } }) as Promise<unknown>,
  )
  expect(failure).toMatchObject({ status, body: { reason: { id } } })
})

test('a member with another checksum than it declares is aborted', async () => {
  const response = await download('damaged.zip', 'a')
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
})

test('an archive of a missing key is 404, and without the right 403', async () => {
  const absent = { params: { bucket }, query: { prefix: 'absent.zip' } }
  expect((await callFailure(c.call('listArchive', absent))).status).toBe(404)
  const caller = await c.signInWith(allowS3(['s3:ListBucket']))
  expect(
    (await callFailure(caller.call('listArchive', { params: { bucket }, query: { prefix: 'a.zip' } }))).status,
  ).toBe(403)
  expect((await download('a.zip', 'dir/', caller)).status).toBe(403)
})

test('an older version of an archive is read', async () => {
  const versioned = await c.newBucket()
  await c.call('setBucketVersioning', { params: { bucket: versioned }, body: { versioning: true } })
  const put = async (name: string) =>
    await c.s3.send(
      new PutObjectCommand({ Bucket: versioned, Key: 'a.zip', Body: makeArchive([{ name, content: name }]) }),
    )
  const { VersionId: first = '' } = await put('first')
  await put('second')
  const query = { prefix: 'a.zip', version_id: first }
  const { members } = await c.call('listArchive', { params: { bucket: versioned }, query })
  expect(members).toMatchObject([{ name: 'first' }])
})
