import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { md5, readSdkBody, sdkErrorCode, startWithBucket } from '../../testing/test-store.ts'

const { store, s3, Bucket, put } = await startWithBucket('objects')

beforeAll(async () => {
  await s3.send(new CreateBucketCommand({ Bucket: 'versioned' }))
  const VersioningConfiguration = { Status: 'Enabled' } as const
  await s3.send(new PutBucketVersioningCommand({ Bucket: 'versioned', VersioningConfiguration }))
})
afterAll(() => store[Symbol.asyncDispose]())

describe('copies', () => {
  const copy = (CopySource: string, Key: string, more = {}) =>
    s3.send(new CopyObjectCommand({ Bucket, Key, CopySource, ...more }))

  test('a copy takes metadata, type and tags along', async () => {
    await put('source ä+', 'data', { Metadata: { a: '1' }, ContentType: 'text/x', Tagging: 'k=v' })
    await copy('objects/source%20%C3%A4%2B', 'copied')
    const read = await s3.send(new GetObjectCommand({ Bucket, Key: 'copied' }))
    expect([read.Metadata, read.ContentType, read.TagCount]).toEqual([{ a: '1' }, 'text/x', 1])
    expect((await readSdkBody(read)).toString()).toBe('data')
  })

  test('REPLACE takes them from the request', async () => {
    await put('replace', 'data', { Metadata: { a: '1' }, Tagging: 'k=v' })
    await copy('objects/replace', 'replace', {
      MetadataDirective: 'REPLACE',
      Metadata: { b: '2' },
      TaggingDirective: 'REPLACE',
      Tagging: 'x=y',
    })
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key: 'replace' }))
    expect(head.Metadata).toEqual({ b: '2' })
    const tags = await s3.send(new GetObjectTaggingCommand({ Bucket, Key: 'replace' }))
    expect(tags.TagSet).toEqual([{ Key: 'x', Value: 'y' }])
  })

  test('a copy onto itself that changes nothing is refused', async () => {
    await put('same', 'data')
    expect(await sdkErrorCode(copy('objects/same', 'same'))).toBe('InvalidRequest')
  })

  test('a copy is sent elsewhere only by its own request, which may be all it changes', async () => {
    await put('moved', 'data', { WebsiteRedirectLocation: '/old', Metadata: { a: '1' } })
    const head = (Key: string) => s3.send(new HeadObjectCommand({ Bucket, Key }))
    await copy('objects/moved', 'not-moved')
    expect((await head('not-moved')).WebsiteRedirectLocation).toBeUndefined()
    await copy('objects/moved', 'moved', { WebsiteRedirectLocation: '/new' })
    expect(await head('moved')).toMatchObject({ Metadata: { a: '1' }, WebsiteRedirectLocation: '/new' })
  })

  test('the conditions of the source count', async () => {
    await put('conditioned', 'data')
    expect(await sdkErrorCode(copy('objects/conditioned', 'c', { CopySourceIfMatch: '"x"' }))).toBe(
      'PreconditionFailed',
    )
    await copy('objects/conditioned', 'c', { CopySourceIfMatch: `"${md5('data')}"` })
  })

  test.each(['objects', 'objects/', '/', '%E0%A4%A', 'objects/k?versionId=nonsense'])(
    'the source %s is refused',
    async (source) => {
      const headers = { 'x-amz-copy-source': source }
      const answer = await store.send({ method: 'PUT', path: '/objects/target', headers })
      expect([answer.status, answer.code]).toEqual([400, 'InvalidArgument'])
    },
  )

  test('a missing source is reported', async () => {
    expect(await sdkErrorCode(copy('objects/absent', 'c'))).toBe('NoSuchKey')
  })
})

describe('versions', () => {
  test('each write is a version, a delete is a marker, and a version can be brought back', async () => {
    const Key = 'history'
    const write = (Body: string) => s3.send(new PutObjectCommand({ Bucket: 'versioned', Key, Body }))
    const { VersionId: first } = await write('one')
    const { VersionId: second } = await write('two')
    const old = await s3.send(new GetObjectCommand({ Bucket: 'versioned', Key, VersionId: first }))
    expect((await readSdkBody(old)).toString()).toBe('one')

    const removed = await s3.send(new DeleteObjectCommand({ Bucket: 'versioned', Key }))
    expect(removed.DeleteMarker).toBe(true)
    const gone = await store.send({ path: `/versioned/${Key}` })
    expect([gone.status, gone.headers['x-amz-delete-marker']]).toEqual([404, 'true'])
    const marker = await store.send({ path: `/versioned/${Key}`, query: `versionId=${removed.VersionId}` })
    expect([marker.status, marker.headers['x-amz-delete-marker']]).toEqual([405, 'true'])

    const listed = await s3.send(new ListObjectVersionsCommand({ Bucket: 'versioned', Prefix: Key }))
    expect(listed.Versions?.map(({ VersionId }) => VersionId)).toEqual([second, first])
    expect(listed.DeleteMarkers?.map(({ VersionId, IsLatest }) => [VersionId, IsLatest])).toEqual([
      [removed.VersionId, true],
    ])

    await s3.send(
      new CopyObjectCommand({ Bucket: 'versioned', Key, CopySource: `versioned/${Key}?versionId=${first}` }),
    )
    const back = await s3.send(new GetObjectCommand({ Bucket: 'versioned', Key }))
    expect((await readSdkBody(back)).toString()).toBe('one')
    await s3.send(new DeleteObjectCommand({ Bucket: 'versioned', Key, VersionId: second }))
    const lost = new GetObjectCommand({ Bucket: 'versioned', Key, VersionId: second })
    expect(await sdkErrorCode(s3.send(lost))).toBe('NoSuchVersion')
  })

  test('an impossible version id is refused', async () => {
    expect((await store.send({ path: '/versioned/k', query: 'versionId=nonsense' })).code).toBe('InvalidArgument')
  })
})

describe('deletes', () => {
  test('many at once, one answer each', async () => {
    await Promise.all(['d1', 'd2', 'd&3'].map((key) => put(key, 'x')))
    const result = await s3.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects: ['d1', 'd2', 'd&3', 'absent'].map((Key) => ({ Key })) } }),
    )
    expect(result.Deleted?.map(({ Key }) => Key)).toEqual(['d1', 'd2', 'd&3', 'absent'])
    expect(await sdkErrorCode(s3.send(new HeadObjectCommand({ Bucket, Key: 'd&3' })))).toBe('NotFound')
  })

  test('in quiet mode return only errors', async () => {
    const body =
      '<Delete><Quiet>true</Quiet><Object><Key>q</Key></Object>' +
      '<Object><Key>r</Key><VersionId>nonsense</VersionId></Object></Delete>'
    const answer = await store.send({ method: 'POST', path: '/objects', query: 'delete=', body })
    expect(answer.text).not.toContain('<Deleted>')
    expect(answer.text).toContain('<Error><Code>InvalidArgument</Code>')
  })

  test('only the object with the named ETag goes; a condition that is not judged deletes nothing', async () => {
    await Promise.all(['e1', 'e2', 'e3'].map((key) => put(key, 'x')))
    const { ETag = '' } = await s3.send(new HeadObjectCommand({ Bucket, Key: 'e1' }))
    const Objects = [
      { Key: 'e1', ETag },
      { Key: 'e2', ETag: '"00000000000000000000000000000000"' },
      { Key: 'e3', Size: 2 },
      { Key: 'absent', ETag },
    ]
    const result = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
    expect(result.Deleted?.map(({ Key }) => Key)).toEqual(['e1'])
    expect(result.Errors?.map(({ Key, Code }) => [Key, Code])).toEqual([
      ['e2', 'PreconditionFailed'],
      ['e3', 'NotImplemented'],
      ['absent', 'NoSuchKey'],
    ])
    for (const Key of ['e2', 'e3']) await s3.send(new HeadObjectCommand({ Bucket, Key }))
  })

  test.each([
    ['TRUE', true],
    ['1', true],
    [' true ', true],
    ['false', false],
    ['0', false],
    ['', false],
  ])('Quiet is %j: %j', async (word, quiet) => {
    const body = `<Delete><Quiet>${word}</Quiet><Object><Key>q</Key></Object></Delete>`
    const answer = await store.send({ method: 'POST', path: '/objects', query: 'delete=', body })
    expect(answer.text.includes('<Deleted>')).toBe(!quiet)
  })

  test.each([
    ['<Quiet>perhaps</Quiet><Object><Key>k</Key></Object>', 'neither quiet nor not'],
    ['', 'no objects'],
    ['<Object><Key>k</Key></Object>'.repeat(1001), 'more than 1000'],
    ['<Object></Object>', 'no key'],
  ])('a list that is none is refused (%#)', async (content) => {
    const body = `<Delete>${content}</Delete>`
    const answer = await store.send({ method: 'POST', path: '/objects', query: 'delete=', body })
    expect([answer.status, answer.code]).toEqual([400, 'MalformedXML'])
  })

  test('a thousand keys with entities are read', async () => {
    const keys = Array.from({ length: 1000 }, (_, n) => `<Object><Key>&amp;&lt;&#x41;&gt;${n}</Key></Object>`)
    const body = `<Delete>${keys.join('')}</Delete>`
    const answer = await store.send({ method: 'POST', path: '/objects', query: 'delete=', body })
    expect(answer.text).toContain('<Key>&amp;&lt;A&gt;999</Key>')
  })

  test('forced, everything below a prefix goes, all versions', async () => {
    for (const key of ['tree/a', 'tree/b/c', 'treehouse']) {
      await store.send({ method: 'PUT', path: `/versioned/${key}`, body: '1' })
      await store.send({ method: 'PUT', path: `/versioned/${key}`, body: '2' })
    }
    const headers = { 'x-minio-force-delete': 'true' }
    expect((await store.send({ method: 'DELETE', path: '/versioned/tree', headers })).status).toBe(204)
    const left = await s3.send(new ListObjectVersionsCommand({ Bucket: 'versioned', Prefix: 'tree' }))
    expect(left.Versions?.map(({ Key }) => Key)).toEqual(['treehouse', 'treehouse'])
  })
})
