import { createHash } from 'node:crypto'
import {
  CreateBucketCommand,
  DeleteObjectTaggingCommand,
  GetObjectAttributesCommand,
  GetObjectTaggingCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, startTestStore, type TestStore } from './testing.ts'

let store: TestStore
let s3: S3Client
const Bucket = 'objects'
const md5 = (data: string | Buffer) => createHash('md5').update(data).digest('hex')

beforeAll(async () => {
  store = await startTestStore()
  s3 = store.s3()
  await s3.send(new CreateBucketCommand({ Bucket }))
})
afterAll(() => store[Symbol.asyncDispose]())

const put = (Key: string, Body: string | Buffer, more = {}) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }))

describe('tags and attributes', () => {
  test('tags are set, counted, replaced and removed', async () => {
    await put('tagged', 'x', { Tagging: 'a=1&b=two%20words' })
    const tags = async () => (await s3.send(new GetObjectTaggingCommand({ Bucket, Key: 'tagged' }))).TagSet
    expect(await tags()).toEqual([
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: 'two words' },
    ])
    const TagSet = [{ Key: 'constructor', Value: 'x' }]
    await s3.send(new PutObjectTaggingCommand({ Bucket, Key: 'tagged', Tagging: { TagSet } }))
    expect(await tags()).toEqual(TagSet)
    await s3.send(new DeleteObjectTaggingCommand({ Bucket, Key: 'tagged' }))
    expect(await tags()).toEqual([])
  })

  test.each([
    ['=1', 'InvalidTag'],
    [`${'k'.repeat(129)}=1`, 'InvalidTag'],
    ['a=1&a=2', 'InvalidTag'],
    [Array.from({ length: 11 }, (_, n) => `k${n}=1`).join('&'), 'BadRequest'],
  ])('the tags %s are refused', async (Tagging, code) => {
    expect(await codeOf(put('badly tagged', 'x', { Tagging }))).toBe(code)
  })

  test('attributes are those asked for', async () => {
    await put('attributes', 'attributes', { ChecksumAlgorithm: 'SHA256' })
    const ObjectAttributes = ['ETag', 'ObjectSize', 'Checksum', 'StorageClass'] as const
    const found = await s3.send(
      new GetObjectAttributesCommand({ Bucket, Key: 'attributes', ObjectAttributes: [...ObjectAttributes] }),
    )
    expect(found).toMatchObject({
      ETag: md5('attributes'),
      ObjectSize: 10,
      StorageClass: 'STANDARD',
      Checksum: { ChecksumSHA256: createHash('sha256').update('attributes').digest('base64') },
    })
  })
})
