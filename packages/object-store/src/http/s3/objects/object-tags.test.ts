import { createHash } from 'node:crypto'
import {
  DeleteObjectTaggingCommand,
  GetObjectAttributesCommand,
  GetObjectTaggingCommand,
  PutObjectTaggingCommand,
} from '@aws-sdk/client-s3'
import { afterAll, describe, expect, test } from 'vitest'
import { md5, sdkErrorCode, startWithBucket } from '../../testing/test-store.ts'

const { store, s3, Bucket, put } = await startWithBucket('objects')
afterAll(() => store[Symbol.asyncDispose]())

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
    ['a!=1', 'InvalidTag'],
    ['a=b*', 'InvalidTag'],
    ['a=b%2Cc', 'InvalidTag'],
    ['a=%F0%9F%98%80', 'InvalidTag'],
    ['a=%ff', 'InvalidTag'],
    ['?a=1', 'InvalidTag'],
    ['a=%zz', 'InvalidArgument'],
    ['a=50%', 'InvalidArgument'],
    ['a=\u00fc', 'InvalidArgument'],
    [Array.from({ length: 11 }, (_, n) => `k${n}=1`).join('&'), 'BadRequest'],
  ])('the tags %s are refused', async (Tagging, code) => {
    expect(await sdkErrorCode(put('badly tagged', 'x', { Tagging }))).toBe(code)
  })

  test('tags are of letters, digits and a few signs, in any script', async () => {
    const TagSet = [
      { Key: '+-=._:/@', Value: ' zwei Wörter ' },
      { Key: 'हिन्दी', Value: '日本 2' },
    ]
    await put('scripts', 'x')
    const set = (tags: typeof TagSet) =>
      s3.send(new PutObjectTaggingCommand({ Bucket, Key: 'scripts', Tagging: { TagSet: tags } }))
    await set(TagSet)
    expect((await s3.send(new GetObjectTaggingCommand({ Bucket, Key: 'scripts' }))).TagSet).toEqual(TagSet)
    for (const text of ['a#b', 'a\tb', '<b>', '½ ¢']) {
      expect([text, await sdkErrorCode(set([{ Key: text, Value: '' }]))]).toEqual([text, 'InvalidTag'])
      expect([text, await sdkErrorCode(set([{ Key: 'a', Value: text }]))]).toEqual([text, 'InvalidTag'])
    }
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
