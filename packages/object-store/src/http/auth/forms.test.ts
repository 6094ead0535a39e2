import { connect } from 'node:net'
import { type PostPolicyFields, type SigningCredentials, signPostPolicy } from '@stowage/sigv4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setSettingDocument } from '../../bucket-settings/testing.ts'
import { setPolicy } from '../../iam/policies.ts'
import { setPolicies } from '../../iam/policy-mappings.ts'
import { setUser } from '../../iam/users.ts'
import { s3Operations } from '../s3/s3-operations.ts'
import {
  type HttpTestStore,
  ROOT_CREDENTIALS,
  sendRawRequest,
  startTestStore,
  TEST_REGION,
} from '../testing/test-store.ts'

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore()
  await store.engine.createBucket('forms')
})
afterAll(() => store[Symbol.asyncDispose]())

type Condition = Record<string, string> | [string, string | number, string | number]

interface Signing {
  expiration?: Date
  credentials?: SigningCredentials
  /** Undefined: the policy has no condition for the bucket. */
  bucket?: Condition | undefined
}

const inAMinute = () => new Date(Date.now() + 60_000)
const anHourAgo = () => new Date(Date.now() - 3_600_000)

function policyFields(conditions: Condition[], signing: Signing = {}) {
  const { expiration = inAMinute(), credentials = ROOT_CREDENTIALS } = signing
  const bucket = 'bucket' in signing ? signing.bucket : { bucket: 'forms' }
  const document = (fields: Omit<PostPolicyFields, 'policy' | 'x-amz-signature'>) =>
    JSON.stringify({
      expiration: expiration.toISOString(),
      conditions: [...(bucket ? [bucket] : []), ...Object.entries(fields).map(([k, v]) => ({ [k]: v })), ...conditions],
    })
  return signPostPolicy(document, { credentials, region: TEST_REGION })
}

interface Posting {
  filename?: string
  /** Whether each field also has a file name, as sent by Python's requests. */
  named?: boolean
  /** Bytes after the file. */
  behind?: string
  /** Path and query. */
  url?: string
  headers?: Record<string, string>
}

function post(
  fields: Record<string, string>,
  file: string | undefined,
  { filename = 'file.txt', named = false, behind = '', url = '/forms', headers = {} }: Posting = {},
) {
  const boundary = '----form'
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${named ? `; filename="${name}"` : ''}\r\n\r\n` +
      `${value}\r\n`,
  )
  if (file !== undefined) {
    parts.push(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n` +
        `Content-Type: text/plain\r\n\r\n${file}\r\n`,
    )
  }
  const body = Buffer.from(`${parts.join('')}${behind}--${boundary}--\r\n`)
  return sendRawRequest(
    store.port,
    'POST',
    url,
    {
      host: `127.0.0.1:${store.port}`,
      ...headers,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(body.length),
    },
    body,
  )
}

describe('form uploads', () => {
  test('are stored under their key, with metadata', async () => {
    const conditions: Condition[] = [['starts-with', '$key', 'up/'], { 'x-amz-meta-color': 'grün' }]
    const answer = await post(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of S3's forms
      { key: 'up/${filename}', 'x-amz-meta-color': 'grün', ...policyFields(conditions) },
      'content',
      { filename: 'näme.txt' },
    )
    expect(answer.status).toBe(204)
    const read = await store.send({ path: '/forms/up/näme.txt' })
    expect(read.text).toBe('content')
    expect(read.headers['content-type']).toBe('text/plain')
    expect(read.headers['x-amz-meta-color']).toBe('=?UTF-8?q?gr=C3=BCn?=')
  })

  test('answer as the form wishes', async () => {
    const any: Condition[] = [
      ['starts-with', '$key', ''],
      ['starts-with', '$success_action_status', ''],
      ['starts-with', '$success_action_redirect', ''],
    ]
    const created = await post({ key: 'a', success_action_status: '201', ...policyFields(any) }, 'x')
    expect(created.status).toBe(201)
    expect(created.text).toContain('<PostResponse')
    expect((await post({ key: 'a', success_action_status: '200', ...policyFields(any) }, 'x')).status).toBe(200)
    const away = { key: 'a', success_action_redirect: 'http://example.test/done?x=1', ...policyFields(any) }
    const redirected = await post(away, 'x')
    expect(redirected.status).toBe(303)
    expect(redirected.headers.location).toMatch(/^http:\/\/example\.test\/done\?x=1&bucket=forms&key=a&etag=/)
  })

  test.each<[string, Record<string, string>, Condition[], number, string]>([
    ['another key', { key: 'other' }, [{ key: 'mine' }], 403, 'AccessDenied'],
    ['a key outside of the prefix', { key: 'other' }, [['starts-with', '$key', 'up/']], 403, 'AccessDenied'],
    ['a field without condition', { key: 'k', 'x-amz-meta-a': '1' }, [{ key: 'k' }], 403, 'AccessDenied'],
    ['a condition without field', { key: 'k' }, [{ key: 'k' }, { acl: 'private' }], 403, 'AccessDenied'],
    ['too long a file', { key: 'k' }, [{ key: 'k' }, ['content-length-range', 0, 3]], 400, 'EntityTooLarge'],
    ['too short a file', { key: 'k' }, [{ key: 'k' }, ['content-length-range', 8, 9]], 400, 'EntityTooSmall'],
    ['an unknown condition', { key: 'k' }, [{ key: 'k' }, ['like', '$key', 'k']], 400, 'InvalidPolicyDocument'],
    ['no key', {}, [['starts-with', '$key', '']], 400, 'InvalidArgument'],
  ])('%s is refused', async (_, fields, conditions, status, code) => {
    const answer = await post({ ...fields, ...policyFields(conditions) }, 'content')
    expect([answer.status, answer.code]).toEqual([status, code])
    expect((await store.send({ path: '/forms/k' })).code).toBe('NoSuchKey')
  })

  test('an expired policy, a wrong secret and a changed policy are refused', async () => {
    const conditions: Condition[] = [{ key: 'k' }]
    expect(
      (await post({ key: 'k', ...policyFields(conditions, { expiration: new Date(Date.now() - 1000) }) }, 'x')).code,
    ).toBe('AccessDenied')
    expect(
      (
        await post(
          { key: 'k', ...policyFields(conditions, { credentials: { ...ROOT_CREDENTIALS, secretKey: 'wrongwrong' } }) },
          'x',
        )
      ).code,
    ).toBe('SignatureDoesNotMatch')
    const fields = policyFields(conditions)
    fields.policy = Buffer.from(Buffer.from(fields.policy, 'base64').toString().replace('"k"', '"j"')).toString(
      'base64',
    )
    expect((await post({ key: 'j', ...fields }, 'x')).code).toBe('SignatureDoesNotMatch')
  })

  test('without a policy only an open bucket takes it', async () => {
    expect((await post({ key: 'k' }, 'x')).code).toBe('AccessDenied')
    const Statement = [
      { Effect: 'Allow', Principal: '*', Action: ['s3:PutObject'], Resource: ['arn:aws:s3:::forms/open/*'] },
    ]
    await setSettingDocument(store.engine, 'forms', 'policy', JSON.stringify({ Version: '2012-10-17', Statement }))
    expect((await post({ key: 'open/k' }, 'x')).status).toBe(204)
    expect((await post({ key: 'k' }, 'x')).code).toBe('AccessDenied')
  })

  test('a field that is not valid in a header is refused', async () => {
    for (const [name, value] of [
      ['x-amz-meta-a', 'one\ntwo'],
      ['x-amz-meta-a b', 'x'],
    ] as const) {
      const conditions: Condition[] = [{ key: 'k' }, ['starts-with', `$${name}`, '']]
      const answer = await post({ key: 'k', [name]: value, ...policyFields(conditions) }, 'x')
      expect(answer.code).toBe('InvalidArgument')
    }
  })

  test('a form that breaks off leaves nothing', async () => {
    const fields = Object.entries({ key: 'half', ...policyFields([{ key: 'half' }]) }).map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
    const head =
      `POST /forms HTTP/1.1\r\nHost: 127.0.0.1:${store.port}\r\nContent-Length: 10000000\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\n\r\n'
    const socket = connect(store.port, '127.0.0.1')
    socket.write(`${head}${fields.join('')}${file}${'x'.repeat(500_000)}`)
    await expect.poll(() => store.listUnfinishedBodies()).not.toEqual([])
    socket.destroy()
    await expect.poll(() => store.server.recorder.running).toBe(0)
    await expect.poll(() => store.listUnfinishedBodies()).toEqual([])
    expect((await store.send({ path: '/forms/half' })).code).toBe('NoSuchKey')
  })

  test('fields may have file names, and count only before the file', async () => {
    const conditions: Condition[] = [['starts-with', '$key', 'named/'], { 'x-amz-meta-color': 'grün' }]
    const fields = { key: 'named/a', 'x-amz-meta-color': 'grün', ...policyFields(conditions) }
    const part = (name: string) =>
      `------form\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n\r\nnamed/b\r\n`
    const answer = await post(fields, 'content', { named: true, behind: part('key') + part('file') })
    expect(answer.status).toBe(204)
    const read = await store.send({ path: '/forms/named/a' })
    expect([read.text, read.headers['x-amz-meta-color']]).toEqual(['content', '=?UTF-8?q?gr=C3=BCn?='])
    expect((await store.send({ path: '/forms/named/b' })).code).toBe('NoSuchKey')
    expect((await post({ ...fields, key: 'other' }, 'x', { named: true })).code).toBe('AccessDenied')
  })

  test('names in conditions and operators may be in any case', async () => {
    const conditions: Condition[] = [['StArTs-WiTh', '$KeY', 'case/'] as never, { 'X-Amz-Meta-A': 'b' }]
    const fields = policyFields(conditions)
    expect((await post({ kEy: 'case/a', 'x-amz-meta-a': 'b', ...fields }, 'x')).status).toBe(204)
    expect((await post({ kEy: 'other', 'x-amz-meta-a': 'b', ...fields }, 'x')).code).toBe('AccessDenied')
  })

  test('fields with file names are limited as all others', async () => {
    const fields = { key: 'k', 'x-amz-meta-a': 'x'.repeat(30_000), ...policyFields([{ key: 'k' }]) }
    expect((await post(fields, 'x', { named: true })).code).toBe('MaxPostPreDataLengthExceededError')
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`x-ignore-${i}`, 'v']))
    expect((await post({ key: 'k', ...many }, 'x', { named: true })).code).toBe('MaxPostPreDataLengthExceededError')
  })

  test('a form without file is refused', async () => {
    expect((await post({ key: 'k' }, undefined, { named: true })).code).toBe('IncorrectNumberOfFilesInPostRequest')
    expect((await post({ key: 'k', ...policyFields([{ key: 'k' }]) }, undefined)).code).toBe(
      'IncorrectNumberOfFilesInPostRequest',
    )
  })
})

describe('a signed form is good for the one upload that it describes', () => {
  const exists = async (path: string) => (await store.send({ method: 'HEAD', path })).status === 200

  test('and deletes nothing, wherever it is posted to', async () => {
    await store.send({ method: 'PUT', path: '/victim', headers: { 'x-minio-force-create': 'true' } })
    await store.send({ method: 'PUT', path: '/victim/kept', body: 'kept' })
    const fields = policyFields([{ key: 'k' }], { expiration: anHourAgo() })
    const parts = Object.entries({ key: 'k', ...fields }).map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const form = `${parts.join('')}--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n`
    // An earlier version read the bytes after the file's header as the body of another operation.
    const xml = '<Delete><Object><Key>kept</Key></Object></Delete>'
    const socket = connect(store.port, '127.0.0.1')
    const { running } = store.server.recorder
    socket.write(
      `POST /victim?delete HTTP/1.1\r\nHost: 127.0.0.1:${store.port}\r\nConnection: close\r\n` +
        `Content-Length: ${form.length + xml.length}\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n${form}`,
    )
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text
    })
    await expect.poll(() => store.server.recorder.running > running || answer !== '').toBe(true)
    socket.end(xml)
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 400 .*<Code>InvalidRequest</s)
    expect(await exists('/victim/kept')).toBe(true)
  })

  test('a query in its URL is refused, be it that of any operation', async () => {
    const fields = { key: 'k', ...policyFields([{ key: 'k' }]) }
    const queries = new Set(s3Operations.flatMap(({ query }) => (query ? [query.join('&')] : [])))
    expect(queries.size).toBeGreaterThan(20)
    for (const query of [...queries, 'x-id=PostObject', 'X-Amz-Signature=a', 'prefix=a', 'versionId=null', 'made-up']) {
      const answer = await post(fields, 'content', { url: `/forms?${query}` })
      expect([query, answer.status, answer.code]).toEqual([query, 400, 'InvalidRequest'])
    }
    expect(await exists('/forms/k')).toBe(false)
  })

  test.each<[string, Record<string, string>, Signing, string]>([
    ['an expired policy', { key: 'k' }, { expiration: anHourAgo() }, 'AccessDenied'],
    ['a policy for another bucket', { key: 'k' }, { bucket: { bucket: 'elsewhere' } }, 'AccessDenied'],
    ['a policy without a bucket', { key: 'k' }, { bucket: undefined }, 'AccessDenied'],
    ['a policy for another key', { key: 'j' }, {}, 'AccessDenied'],
    ['a field without a condition', { key: 'k', 'x-amz-meta-a': 'b' }, {}, 'AccessDenied'],
  ])('%s makes nobody known', async (_, fields, signing, code) => {
    const callers: string[] = []
    const stop = store.server.recorder.subscribe(({ accessKey, errorCode }) =>
      callers.push(`${errorCode}:${accessKey}`),
    )
    await post({ ...fields, ...policyFields([{ key: 'k' }], signing) }, 'content')
    await expect.poll(() => callers).toEqual([`${code}:`])
    stop()
    expect(await exists('/forms/k')).toBe(false)
  })

  test('beside another signature it is refused', async () => {
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=a' }
    const answer = await post({ key: 'k', ...policyFields([{ key: 'k' }]) }, 'content', { headers })
    expect(answer.code).toBe('InvalidRequest')
  })

  test('names that every object has are no fields', async () => {
    for (const name of ['constructor', '__proto__', 'tostring', 'hasownproperty']) {
      const wanted = await post({ key: 'k', ...policyFields([{ key: 'k' }, ['starts-with', `$${name}`, 'x']]) }, 'x')
      expect([name, wanted.code]).toEqual([name, 'AccessDenied'])
      const given = await post({ key: 'k', [name]: 'x', ...policyFields([{ key: 'k' }]) }, 'x')
      expect([name, given.code]).toEqual([name, 'AccessDenied'])
    }
  })

  test('all of several ranges of length hold', async () => {
    const conditions: Condition[] = [{ key: 'k' }, ['content-length-range', 0, 3], ['content-length-range', 0, 99]]
    expect((await post({ key: 'k', ...policyFields(conditions) }, 'content')).code).toBe('EntityTooLarge')
  })
})

describe('policies are asked what the form says, and not the headers around it', () => {
  let count = 0
  async function userWith(...statements: object[]): Promise<SigningCredentials> {
    const name = `poster${count++}`
    const { iam } = store.server
    await setUser(iam, name, 'secret-of-user', 'enabled')
    await setPolicy(iam, name, JSON.stringify({ Version: '2012-10-17', Statement: statements }))
    await setPolicies(iam, { kind: 'user', name }, [name])
    return { accessKey: name, secretKey: 'secret-of-user' }
  }
  const Resource = 'arn:aws:s3:::forms/*'
  const allow = (Action: string, Condition?: object) => ({ Effect: 'Allow', Action, Resource, Condition })
  const upload = (credentials: SigningCredentials, fields: Record<string, string>, posting: Posting = {}) => {
    const conditions = Object.keys(fields).map((name): Condition => ['starts-with', `$${name}`, ''])
    return post(
      { key: 'asked', ...fields, ...policyFields([{ key: 'asked' }, ...conditions], { credentials }) },
      'x',
      posting,
    )
  }
  const tagging = (key: string, value: string) =>
    `<Tagging><TagSet><Tag><Key>${key}</Key><Value>${value}</Value></Tag></TagSet></Tagging>`

  test('for the storage class', async () => {
    const Condition = { StringEquals: { 's3:x-amz-storage-class': 'REDUCED_REDUNDANCY' } }
    const user = await userWith(allow('s3:PutObject', Condition))
    const reduced = { 'x-amz-storage-class': 'REDUCED_REDUNDANCY' }
    expect((await upload(user, reduced)).status).toBe(204)
    expect((await upload(user, {}, { headers: reduced })).code).toBe('AccessDenied')
  })

  test('for tags, which need the right to set them', async () => {
    const fields = { tagging: tagging('team', 'red') }
    expect((await upload(await userWith(allow('s3:PutObject')), fields)).code).toBe('AccessDenied')
    const both = [allow('s3:PutObject'), allow('s3:PutObjectTagging')]
    expect((await upload(await userWith(...both), fields)).status).toBe(204)
    expect((await store.send({ path: '/forms/asked', query: 'tagging' })).text).toContain('<Value>red</Value>')
    const noRed = { ...allow('s3:*', { StringEquals: { 's3:RequestObjectTag/team': 'red' } }), Effect: 'Deny' }
    const careful = await userWith(...both, noRed)
    expect((await upload(careful, fields)).code).toBe('AccessDenied')
    expect((await upload(careful, { tagging: tagging('team', 'blue') })).status).toBe(204)
    const blueOnly = await userWith(
      allow('s3:PutObject', { StringEquals: { 's3:RequestObjectTag/team': 'blue' } }),
      allow('s3:PutObjectTagging'),
    )
    expect((await upload(blueOnly, fields, { headers: { 'x-amz-tagging': 'team=blue' } })).code).toBe('AccessDenied')
  })
})
