import {
  CopyObjectCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
let Bucket: string
beforeAll(async () => {
  c = await sharedConsole()
  Bucket = await c.newBucket()
  await c.s3.send(
    new PutObjectCommand({
      Bucket,
      Key: 'src/ü +%.txt',
      Body: 'content',
      ContentType: 'text/plain',
      Metadata: { colour: 'blue' },
      Tagging: 'team=a',
    }),
  )
})

const CopySource = () => `${Bucket}/${encodeURIComponent('src/ü +%.txt')}`

test('a copy in another bucket has content, type, metadata and tags of its source', async () => {
  const target = { Bucket: await c.newBucket(), Key: 'copy' }
  await c.s3.send(new CopyObjectCommand({ ...target, CopySource: CopySource() }))
  const found = await c.s3.send(new GetObjectCommand(target))
  expect(await found.Body?.transformToString()).toBe('content')
  expect(found).toMatchObject({ ContentType: 'text/plain', Metadata: { colour: 'blue' }, TagCount: 1 })
  const { TagSet } = await c.s3.send(new GetObjectTaggingCommand(target))
  expect(TagSet).toEqual([{ Key: 'team', Value: 'a' }])
})

test('metadata and tags can be replaced, also in place', async () => {
  const target = { Bucket, Key: 'in place' }
  await c.s3.send(new CopyObjectCommand({ ...target, CopySource: CopySource() }))
  await c.s3.send(
    new CopyObjectCommand({
      ...target,
      CopySource: `${Bucket}/in%20place`,
      MetadataDirective: 'REPLACE',
      Metadata: { size: 'big' },
      ContentType: 'text/css',
      TaggingDirective: 'REPLACE',
      Tagging: 'x=y&z=',
    }),
  )
  expect(await c.s3.send(new HeadObjectCommand(target))).toMatchObject({
    ContentType: 'text/css',
    Metadata: { size: 'big' },
  })
  const { TagSet = [] } = await c.s3.send(new GetObjectTaggingCommand(target))
  expect(TagSet.toSorted((a, b) => (a.Key ?? '').localeCompare(b.Key ?? ''))).toEqual([
    { Key: 'x', Value: 'y' },
    { Key: 'z', Value: '' },
  ])
})

test.each([
  ['an object on itself, unchanged', () => ({ Key: 'src/ü +%.txt', CopySource: CopySource() }), 'InvalidRequest'],
  ['an object that is not there', () => ({ Key: 'k', CopySource: `${Bucket}/absent` }), 'NoSuchKey'],
  [
    'an object that has changed',
    () => ({ Key: 'k', CopySource: CopySource(), CopySourceIfMatch: '"00000000000000000000000000000000"' }),
    'PreconditionFailed',
  ],
])('the copy of %s is refused', async (_, input, code) => {
  await expect(c.s3.send(new CopyObjectCommand({ Bucket, ...input() }))).rejects.toMatchObject({ name: code })
})
