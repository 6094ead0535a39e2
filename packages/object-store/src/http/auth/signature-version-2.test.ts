import { createHmac } from 'node:crypto'
import { encodePath, presign, type SigningCredentials, signHeaders } from '@stowage/sigv4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setPolicy } from '../../iam/policies.ts'
import { setPolicies } from '../../iam/policy-mappings.ts'
import { setUser } from '../../iam/users.ts'
import {
  type HttpTestStore,
  ROOT_CREDENTIALS,
  sendRawRequest,
  startTestStore,
  TEST_REGION,
} from '../testing/test-store.ts'

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore({ domains: ['s3.test'] })
  await store.engine.createBucket('v2')
})
afterAll(() => store[Symbol.asyncDispose]())

const hmac = (secret: string, text: string) => createHmac('sha1', secret).update(text).digest('base64')
const soon = () => Math.floor(Date.now() / 1000) + 600

interface Link {
  method?: string
  path?: string
  /** Signed sub-resources, as in the query. */
  sub?: string
  /** Headers that the signature covers. */
  headers?: Record<string, string>
  expires?: number | string
  secret?: string
  accessKey?: string
  /** Text before the path in the string to sign. */
  hosted?: string
}

/** The query of a URL as boto3 presigns it. */
function linkQuery({ method = 'GET', path = '/v2/key', sub, headers = {}, hosted = '', ...link }: Link = {}): string {
  const { expires = soon(), secret = ROOT_CREDENTIALS.secretKey, accessKey = ROOT_CREDENTIALS.accessKey } = link
  const amz = Object.keys(headers).filter((name) => name.startsWith('x-amz-'))
  const text = [
    method,
    headers['content-md5'] ?? '',
    headers['content-type'] ?? '',
    expires,
    ...amz.sort().map((name) => `${name}:${headers[name]}`),
    `${hosted}${path}${sub ? `?${decodeURIComponent(sub)}` : ''}`,
  ].join('\n')
  const own = new URLSearchParams({
    AWSAccessKeyId: accessKey,
    Expires: String(expires),
    Signature: hmac(secret, text),
  })
  return sub ? `${sub}&${own}` : String(own)
}

async function open(
  query: string,
  more: { method?: string; path?: string; headers?: Record<string, string>; body?: string; at?: HttpTestStore } = {},
) {
  const { method = 'GET', path = '/v2/key', headers = {}, body, at = store } = more
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const length = bytes ? { 'content-length': String(bytes.length) } : {}
  const all = { host: `127.0.0.1:${at.port}`, ...length, ...headers }
  return await sendRawRequest(at.port, method, `${path}?${query}`, all, bytes)
}

const put = (path: string, body: string, headers: Record<string, string> = {}) =>
  store.send({ method: 'PUT', path, body, headers })

test('a link opens until it expires, also with keys that have to be encoded', async () => {
  await put('/v2/key', 'content')
  expect((await open(linkQuery())).text).toBe('content')
  const late = await open(linkQuery({ expires: Math.floor(Date.now() / 1000) }))
  expect([late.status, late.code]).toEqual([403, 'AccessDenied'])
  const key = 'ü +&=?#/a%2Fb.txt'
  await put(`/v2/${key}`, 'odd')
  const path = encodePath(`/v2/${key}`)
  expect((await open(linkQuery({ path }), { path })).text).toBe('odd')
})

test('the bucket in the host name is signed with the path', async () => {
  await put('/v2/key', 'content')
  const headers = { host: 'v2.s3.test' }
  expect((await open(linkQuery({ path: '/key', hosted: '/v2' }), { path: '/key', headers })).text).toBe('content')
  // The same signature, sent to another bucket of the signer.
  await store.engine.createBucket('other')
  await put('/other/key', 'secret')
  const stray = await open(linkQuery({ path: '/key', hosted: '/v2' }), {
    path: '/key',
    headers: { host: 'other.s3.test' },
  })
  expect(stray.code).toBe('SignatureDoesNotMatch')
})

test('an upload is signed with its content type, digest and x-amz- headers', async () => {
  const headers = { 'content-type': 'text/plain', 'x-amz-meta-color': 'blue' }
  const query = linkQuery({ method: 'PUT', path: '/v2/up', headers })
  const send = (more: Record<string, string>) =>
    open(query, { method: 'PUT', path: '/v2/up', headers: more, body: 'x' })
  expect((await send(headers)).status).toBe(200)
  const { headers: stored } = await store.send({ method: 'HEAD', path: '/v2/up' })
  expect(stored).toMatchObject({ 'content-type': 'text/plain', 'x-amz-meta-color': 'blue' })
  for (const other of [
    { ...headers, 'content-type': 'text/html' },
    { ...headers, 'x-amz-meta-color': 'red' },
    { ...headers, 'x-amz-tagging': 'a=b' },
    { ...headers, 'x-amz-copy-source': '/v2/key' },
    { 'content-type': 'text/plain' },
  ]) {
    expect((await send(other)).code).toBe('SignatureDoesNotMatch')
  }
})

test('boto writes metadata into the query as well as into the headers, which are signed', async () => {
  const headers = { 'content-type': 'text/plain', 'x-amz-meta-color': 'blue' }
  const query = `${linkQuery({ method: 'PUT', path: '/v2/meta', headers })}&content-type=text%2Fplain`
  const send = (extra: string, more: Record<string, string> = headers) =>
    open(query + extra, { method: 'PUT', path: '/v2/meta', headers: more, body: 'x' })
  expect((await send('&x-amz-meta-color=blue')).status).toBe(200)
  for (const extra of ['&x-amz-meta-color=red', '&x-amz-meta-other=blue', '&x-amz-acl=public-read'])
    expect((await send(extra)).code).toBe('AccessDenied')
  expect((await send('&x-amz-meta-color=blue', { 'content-type': 'text/plain' })).code).toBe('AccessDenied')
})

test('boto writes content type and token into the query; the token counts, the type is that of the header', async () => {
  await put('/v2/key', 'content')
  expect((await open(`${linkQuery()}&content-type=text%2Fhtml`)).headers['content-type']).not.toBe('text/html')
  const token = await store.send({
    method: 'POST',
    service: 'sts',
    body: 'Action=AssumeRole&Version=2011-06-15',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const of = (name: string) => new RegExp(`<${name}>([^<]*)<`).exec(token.text)?.[1] ?? ''
  const sessionToken = of('SessionToken')
  const headers = { 'x-amz-security-token': sessionToken }
  const query = linkQuery({ headers, accessKey: of('AccessKeyId'), secret: of('SecretAccessKey') })
  expect((await open(`${query}&x-amz-security-token=${encodeURIComponent(sessionToken)}`)).text).toBe('content')
  expect((await open(query)).status).toBe(403)
})

describe('what is not signed', () => {
  const refusal = async (query: string, more: Parameters<typeof open>[1] = {}) => {
    const { status, code } = await open(query, more)
    return [status, code]
  }
  beforeAll(async () => {
    await put('/v2/key', 'content')
  })

  test.each([
    'retention',
    'legal-hold',
    'tagging',
    'acl',
    'uploads',
    'partNumber=1&uploadId=x',
    'versionId=null',
    'restore',
    'delete',
    'encryption',
    'object-lock',
    'response-content-type=text%2Fhtml',
  ])('a sub-resource added to a signed link does not act as its signer: %s', async (added) => {
    for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
      const body = method === 'PUT' || method === 'POST' ? { body: '<x/>' } : {}
      const query = linkQuery({ method })
      expect(await refusal(`${query}&${added}`, { method, ...body })).toEqual([403, 'SignatureDoesNotMatch'])
      expect(await refusal(`${added}&${query}`, { method, ...body })).toEqual([403, 'SignatureDoesNotMatch'])
    }
    expect((await store.send({ path: '/v2/key' })).text).toBe('content')
  })

  test.each([
    'prefix=secret',
    'list-type=2',
    'max-keys=1',
    'metadata=true',
    'attributes',
    'renameObject',
    'force',
    'x-amz-acl=public-read',
    'x-amz-tagging=a%3Db',
    'X-Amz-Copy-Source=%2Fv2%2Fkey',
    'x-amz-bypass-governance-retention=true',
    'x-minio-extract=true',
    'X-Amz-Algorithm=AWS4-HMAC-SHA256',
    'Expires=9999999999',
    'AWSAccessKeyId=other',
    'Signature=x',
    'constructor',
  ])('a parameter that no signature of version 2 covers is refused: %s', async (added) => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const more = { method, ...(method === 'PUT' ? { body: 'changed' } : {}) }
      expect(await refusal(`${linkQuery({ method })}&${added}`, more)).toEqual([403, 'AccessDenied'])
    }
    expect((await store.send({ path: '/v2/key' })).text).toBe('content')
  })

  test.each([
    { 'x-minio-extract': 'true' },
    { 'x-minio-force-delete': 'true' },
    { 'if-match': '"x"' },
    { 'if-none-match': '*' },
  ])('a header that no signature of version 2 covers is refused: %j', async (headers) => {
    const more = { method: 'PUT', headers, body: 'changed' }
    expect(await refusal(linkQuery({ method: 'PUT' }), more)).toEqual([403, 'AccessDenied'])
  })

  test('what browsers add to a read is free', async () => {
    expect((await open(linkQuery(), { headers: { range: 'bytes=0-2', 'if-none-match': '"x"' } })).text).toBe('con')
    expect((await open(`${linkQuery()}&x-id=GetObject`)).text).toBe('content')
  })

  test('another method, key or secret, or an invalid signature', async () => {
    const wrong = [403, 'SignatureDoesNotMatch']
    expect(await refusal(linkQuery(), { method: 'DELETE' })).toEqual(wrong)
    expect(await refusal(linkQuery(), { path: '/v2/other' })).toEqual(wrong)
    expect(await refusal(linkQuery({ secret: 'wrongwrong' }))).toEqual(wrong)
    expect(await refusal(linkQuery().replace(/Signature=.*/, 'Signature='))).toEqual(wrong)
    expect(await refusal(linkQuery().replace(/Signature=.*/, 'Signature=%00%ff'))).toEqual(wrong)
    expect(await refusal(linkQuery({ accessKey: 'nobody' }))).toEqual([403, 'InvalidAccessKeyId'])
    for (const expires of ['', 'never', '-1', '1e9', '99999999999'])
      expect(await refusal(linkQuery({ expires }))).toEqual([403, 'AccessDenied'])
  })

  test('chunks have no signature here, and a body hash that is signed is checked', async () => {
    const chunked = { 'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' }
    const query = linkQuery({ method: 'PUT', headers: chunked })
    expect(await refusal(query, { method: 'PUT', headers: chunked, body: 'x' })).toEqual([403, 'AccessDenied'])
    const hashed = { 'x-amz-content-sha256': 'a'.repeat(64) }
    const answer = await open(linkQuery({ method: 'PUT', headers: hashed }), {
      method: 'PUT',
      headers: hashed,
      body: 'x',
    })
    expect(answer.code).toBe('XAmzContentSHA256Mismatch')
  })

  test('two mechanisms at once', async () => {
    const request = { method: 'GET', path: '/v2/key', query: '', headers: { host: `127.0.0.1:${store.port}` } }
    const signed = signHeaders(request, { credentials: ROOT_CREDENTIALS, region: TEST_REGION })
    expect(await refusal(linkQuery(), { headers: signed.headers })).toEqual([400, 'InvalidRequest'])
    const v4 = presign(request, { credentials: ROOT_CREDENTIALS, region: TEST_REGION, expiresSeconds: 60 })
    expect(await refusal(`${v4}&${linkQuery()}`)).toEqual([403, 'AccessDenied'])
  })
})

test('neither the admin API nor STS takes it, in a query or a header', async () => {
  for (const path of ['/minio/admin/v3/info', '/minio/admin/v3/list-users', '/']) {
    const sts = path === '/' ? { method: 'POST', body: 'Action=AssumeRole&Version=2011-06-15' } : {}
    const headers: Record<string, string> = path === '/' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
    const answer = await open(linkQuery({ path, headers, method: sts.method ?? 'GET' }), { path, headers, ...sts })
    expect([400, 403]).toContain(answer.status)
  }
})

test('policies see AWS as the version of the signature, and the rights are those of the signer', async () => {
  const user: SigningCredentials = { accessKey: 'versions', secretKey: 'versionssecret' }
  const { iam } = store.server
  await setUser(iam, user.accessKey, user.secretKey, 'enabled')
  await setPolicy(
    iam,
    'only-v2',
    JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: ['s3:GetObject'],
          Resource: ['arn:aws:s3:::v2/*'],
          Condition: { StringEquals: { 's3:signatureversion': 'AWS', 's3:authType': 'REST-QUERY-STRING' } },
        },
      ],
    }),
  )
  await setPolicies(iam, { kind: 'user', name: user.accessKey }, ['only-v2'])
  await put('/v2/key', 'content')
  const { accessKey, secretKey: secret } = user
  expect((await open(linkQuery({ accessKey, secret }))).text).toBe('content')
  expect((await store.send({ path: '/v2/key', credentials: user })).code).toBe('AccessDenied')
  const upload = linkQuery({ accessKey, secret, method: 'PUT' })
  expect((await open(upload, { method: 'PUT', body: 'x' })).code).toBe('AccessDenied')
})

describe('forms', () => {
  const encodePolicy = (conditions: unknown[], ms = 600_000) =>
    Buffer.from(JSON.stringify({ expiration: new Date(Date.now() + ms).toISOString(), conditions })).toString('base64')

  async function post(fields: Record<string, string>, path = '/v2') {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', new Blob(['content']), 'name.txt')
    const response = await fetch(`${store.url}${path}`, { method: 'POST', body: form })
    return [response.status, /<Code>([^<]*)/.exec(await response.text())?.[1]]
  }
  const signed = (policy: string, secret = ROOT_CREDENTIALS.secretKey) => ({
    AWSAccessKeyId: ROOT_CREDENTIALS.accessKey,
    policy,
    signature: hmac(secret, policy),
  })
  const conditions = [{ bucket: 'v2' }, ['starts-with', '$key', 'in/']]

  test('a signed form stores what its policy allows, and nothing else', async () => {
    const fields = signed(encodePolicy(conditions))
    expect(await post({ key: 'in/a', ...fields })).toEqual([204, undefined])
    expect((await store.send({ path: '/v2/in/a' })).text).toBe('content')
    expect(await post({ key: 'out/a', ...fields })).toEqual([403, 'AccessDenied'])
    expect(await post({ key: 'in/b', 'x-amz-meta-a': 'b', ...fields })).toEqual([403, 'AccessDenied'])
    await store.engine.createBucket('another')
    expect(await post({ key: 'in/a', ...fields }, '/another')).toEqual([403, 'AccessDenied'])
    expect((await post({ key: 'in/a', ...fields }, '/v2?delete'))[0]).toBe(400)
    expect(await post({ key: 'in/c', ...signed(encodePolicy(conditions, -1000)) })).toEqual([403, 'AccessDenied'])
    expect(await post({ key: 'in/c', ...signed(encodePolicy(conditions), 'wrongwrong') })).toEqual([
      403,
      'SignatureDoesNotMatch',
    ])
    const { signature: _, ...unsigned } = fields
    expect(await post({ key: 'in/c', ...unsigned })).toEqual([400, 'MissingFields'])
    expect((await store.send({ path: '/v2/in/c' })).code).toBe('NoSuchKey')
  })
})

test('STOWAGE_SIGV2=off refuses links and forms, and says what to do', async () => {
  await using off = await startTestStore({ version2: false })
  await off.engine.createBucket('v2')
  const answer = await open(linkQuery(), { at: off })
  expect([answer.status, answer.code]).toEqual([400, 'InvalidRequest'])
  expect(answer.text).toContain('signature_version s3v4')
})
