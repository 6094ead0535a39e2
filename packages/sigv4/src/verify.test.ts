import { describe, expect, test } from 'vitest'
import { readAuthorization } from './authorization.ts'
import { readPostAuthorization } from './post-policy.ts'
import { presign, type SignOptions, signHeaders } from './sign.ts'
import type { SignableRequest } from './types.ts'
import { verifyRequest } from './verify.ts'

const secretKey = 'a-secret-of-alice'
const now = new Date('2026-11-21T12:00:00Z')
const options: SignOptions = { credentials: { accessKey: 'team/alice', secretKey }, region: '', now }
const request: SignableRequest = {
  method: 'PUT',
  path: '/bucket/a%20b',
  query: 'tagging=&x=2&x=1',
  headers: { host: 'localhost:9000', 'x-amz-meta-note': '  two   words ' },
}
const MINUTE = 60_000

/** Reads and verifies as a server does. */
function verify(received: SignableRequest, at: Date = now, secret = secretKey): string {
  const authorization = readAuthorization(received)
  if (!authorization) return 'anonymous'
  verifyRequest(received, authorization, secret, { now: at })
  return authorization.accessKey
}

function signed(): SignableRequest & { headers: Record<string, string> } {
  return { ...request, headers: signHeaders(request, options).headers }
}

function presigned(expiresSeconds = 60, more: Partial<SignableRequest> = {}): SignableRequest {
  const asked = { ...request, headers: { host: 'localhost:9000' }, ...more }
  return { ...asked, query: presign(asked, { ...options, expiresSeconds }) }
}

function after(ms: number): Date {
  return new Date(now.getTime() + ms)
}

test('the access key of a signed request is returned, also one with a slash', () => {
  expect(verify(signed())).toBe('team/alice')
  expect(verify(presigned())).toBe('team/alice')
})

test('a request without a signature is anonymous', () => {
  expect(verify(request)).toBe('anonymous')
})

describe('a changed request is refused', () => {
  const changes: [what: string, change: (r: ReturnType<typeof signed>) => SignableRequest, code: string][] = [
    ['method', (r) => ({ ...r, method: 'DELETE' }), 'SignatureDoesNotMatch'],
    ['path', (r) => ({ ...r, path: '/bucket/a%20c' }), 'SignatureDoesNotMatch'],
    ['query value', (r) => ({ ...r, query: 'tagging=&x=2&x=3' }), 'SignatureDoesNotMatch'],
    ['query parameter more', (r) => ({ ...r, query: `${r.query}&versionId=1` }), 'SignatureDoesNotMatch'],
    ['signed header', (r) => edit(r, { 'x-amz-meta-note': 'other' }), 'SignatureDoesNotMatch'],
    ['signed header gone', (r) => edit(r, { 'x-amz-meta-note': undefined }), 'SignatureDoesNotMatch'],
    ['host', (r) => edit(r, { host: 'elsewhere' }), 'SignatureDoesNotMatch'],
    ['payload hash', (r) => edit(r, { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }), 'SignatureDoesNotMatch'],
    ['unsigned x-amz header more', (r) => edit(r, { 'x-amz-acl': 'public-read' }), 'AccessDenied'],
    ['access key', (r) => authorize(r, (a) => a.replace('alice', 'bob')), 'none'],
    ['signature', (r) => authorize(r, (a) => a.replace(/.{4}$/, '0000')), 'SignatureDoesNotMatch'],
    ['host not signed', (r) => authorize(r, (a) => a.replace('host;', '')), 'AccessDenied'],
  ]
  test.each(changes)('%s', (_what, change, code) => {
    const received = change(signed())
    // Another access key has another secret; that the name itself is not signed is the protocol's.
    if (code === 'none')
      expect(() => verify(received, now, 'bobs-secret')).toThrow(
        expect.objectContaining({ code: 'SignatureDoesNotMatch' }),
      )
    else expect(() => verify(received)).toThrow(expect.objectContaining({ name: 'SignatureError', code }))
  })
})

function edit(r: SignableRequest, headers: Record<string, string | undefined>): SignableRequest {
  return { ...r, headers: { ...r.headers, ...headers } }
}

function authorize(r: ReturnType<typeof signed>, change: (authorization: string) => string): SignableRequest {
  return edit(r, { authorization: change(r.headers.authorization ?? '') })
}

describe('malformed authorization', () => {
  const scope = '20261121//s3/aws4_request'
  const signature = '0'.repeat(64)
  const cases: [authorization: string, code: string][] = [
    ['AWS alice:abc', 'InvalidRequest'],
    ['Bearer abc', 'InvalidRequest'],
    ['AWS4-HMAC-SHA256 ', 'AuthorizationHeaderMalformed'],
    [
      `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=${signature}`,
      'AuthorizationHeaderMalformed',
    ],
    [`AWS4-HMAC-SHA256 Credential=a/${scope}, SignedHeaders=, Signature=${signature}`, 'AuthorizationHeaderMalformed'],
    [
      `AWS4-HMAC-SHA256 Credential=a/${scope}, SignedHeaders=host;host, Signature=${signature}`,
      'AuthorizationHeaderMalformed',
    ],
    [`AWS4-HMAC-SHA256 Credential=a/${scope}, SignedHeaders=host, Signature=abc`, 'AuthorizationHeaderMalformed'],
    [
      `AWS4-HMAC-SHA256 Credential=a/${scope}, Credential=b/${scope}, SignedHeaders=host, Signature=${signature}`,
      'AuthorizationHeaderMalformed',
    ],
    [
      `AWS4-HMAC-SHA256 Credential=a/20261120//s3/aws4_request, SignedHeaders=host, Signature=${signature}`,
      'AuthorizationHeaderMalformed',
    ],
    [
      `AWS4-HMAC-SHA256 Credential=a/20261121//s3/aws3_request, SignedHeaders=host, Signature=${signature}`,
      'AuthorizationHeaderMalformed',
    ],
  ]
  test.each(cases)('%s', (authorization, code) => {
    const headers = { host: 'h', 'x-amz-date': '20261121T120000Z', authorization }
    expect(() => readAuthorization({ ...request, headers })).toThrow(expect.objectContaining({ code }))
  })

  test('without any date', () => {
    const { 'x-amz-date': _, ...headers } = signed().headers
    expect(() => readAuthorization({ ...request, headers })).toThrow(expect.objectContaining({ code: 'AccessDenied' }))
  })

  test('without x-amz-content-sha256, unless the caller hashed the body', () => {
    const { 'x-amz-content-sha256': _, ...headers } = signed().headers
    expect(() => verify({ ...request, headers })).toThrow(expect.objectContaining({ code: 'SignatureDoesNotMatch' }))
    const plain = {
      ...request,
      headers: { ...headers, authorization: (headers.authorization ?? '').replace('x-amz-content-sha256;', '') },
    }
    expect(() => verify(plain)).toThrow(expect.objectContaining({ code: 'InvalidRequest' }))
  })

  test('header and query at once', () => {
    expect(() => readAuthorization({ ...presigned(), headers: signed().headers })).toThrow(
      expect.objectContaining({ code: 'InvalidRequest' }),
    )
  })
})

describe('signature version 2 is refused by what it looks like', () => {
  const refused = expect.objectContaining({
    code: 'InvalidRequest',
    status: 400,
    message: expect.stringMatching(/Version 2.*AWS4-HMAC-SHA256.*signature_version s3v4/),
  })
  test('as a header', () => {
    const headers = { host: 'h', date: 'Tue, 27 Mar 2007 19:36:42 +0000', authorization: 'AWS AKIA:bWq2s1WEIj+Ydj0=' }
    expect(() => readAuthorization({ ...request, headers })).toThrow(refused)
  })
  test.each(['AWSAccessKeyId=a&Expires=1&Signature=b', 'x=1&Signature=b&Expires=1&AWSAccessKeyId=a'])(
    'as the query %s',
    (query) => {
      expect(() => readAuthorization({ ...request, headers: { host: 'h' }, query })).toThrow(refused)
    },
  )
  test.each([{ awsaccesskeyid: 'a', signature: 'b' }, { signature: 'b' }])('as the form %j', (fields) => {
    expect(() => readPostAuthorization({ policy: 'e30=', ...fields })).toThrow(refused)
  })
  test('what only resembles it is anonymous', () => {
    const asked = { ...request, headers: { host: 'h' } }
    for (const query of ['prefix=AWSAccessKeyId', 'prefix=AWSAccessKeyId%3Da', 'XAWSAccessKeyId=a', 'Signature=b']) {
      expect(readAuthorization({ ...asked, query })).toBeUndefined()
    }
    expect(readPostAuthorization({ signature: 'b' })).toBeUndefined()
  })
  test('another mechanism is refused, and the message names the right one', () => {
    expect(() => readAuthorization({ ...request, headers: { host: 'h', authorization: 'Bearer x' } })).toThrow(
      expect.objectContaining({ code: 'InvalidRequest', message: expect.stringContaining('AWS4-HMAC-SHA256') }),
    )
  })
})

describe('clocks', () => {
  test.each([
    [15 * MINUTE, 'team/alice'],
    [-15 * MINUTE, 'team/alice'],
  ])('a request signed %i ms ago is taken', (ms, accessKey) => {
    expect(verify(signed(), after(ms))).toBe(accessKey)
  })
  test.each([15 * MINUTE + 1000, -15 * MINUTE - 1000])('a request signed %i ms ago is refused', (ms) => {
    expect(() => verify(signed(), after(ms))).toThrow(expect.objectContaining({ code: 'RequestTimeTooSkewed' }))
  })
  test('a presigned URL counts until it expires', () => {
    expect(verify(presigned(60), after(60_000))).toBe('team/alice')
    const expired = expect.objectContaining({ code: 'AccessDenied', message: 'Request has expired' })
    expect(() => verify(presigned(60), after(61_000))).toThrow(expired)
    const early = expect.objectContaining({ code: 'AccessDenied', message: 'Request is not valid yet' })
    expect(() => verify(presigned(60), after(-16 * MINUTE))).toThrow(early)
  })
  test.each([0, 1, 1000, -60_000])('a presigned URL for 0 seconds is never in time, also %i ms later', (ms) => {
    const expired = expect.objectContaining({ code: 'AccessDenied', message: 'Request has expired' })
    expect(() => verify(presigned(0), after(ms))).toThrow(expired)
  })
  test.each([-1, 604_801, 1.5])('a presigned URL for %d seconds is refused', (seconds) => {
    expect(() => verify(presigned(seconds))).toThrow(
      expect.objectContaining({ code: 'AuthorizationQueryParametersError' }),
    )
  })
})

describe('presigned URLs', () => {
  test('an unsigned x-amz header is refused, another one is not', () => {
    const url = presigned()
    expect(verify({ ...url, headers: { ...url.headers, range: 'bytes=0-1' } })).toBe('team/alice')
    expect(() => verify({ ...url, headers: { ...url.headers, 'x-amz-acl': 'private' } })).toThrow(
      expect.objectContaining({ code: 'AccessDenied' }),
    )
  })
  test('a parameter given twice is refused', () => {
    const url = presigned()
    expect(() => verify({ ...url, query: `${url.query}&x-amz-expires=600` })).toThrow(
      expect.objectContaining({ code: 'AuthorizationQueryParametersError' }),
    )
  })
  test('the session token is returned', () => {
    const credentials = { ...options.credentials, sessionToken: 'to/ken+=' }
    const asked = { ...request, headers: { host: 'h' } }
    const query = presign(asked, { ...options, credentials, expiresSeconds: 1 })
    expect(readAuthorization({ ...asked, query })?.sessionToken).toBe('to/ken+=')
  })
})

describe('other spellings of the same request', () => {
  test('a path that the client signed as it sent it', () => {
    const raw = { ...request, path: '/bucket/a(b)%2fc' }
    expect(verify({ ...raw, headers: signHeaders(raw, options).headers })).toBe('team/alice')
  })
  test('lower-case digits and unreserved characters that were encoded', () => {
    const sent = { ...signed(), path: '/buc%6bet/a%20b' }
    expect(verify(sent)).toBe('team/alice')
  })
  test('a plus in the query is a space', () => {
    const asked = { ...request, query: 'prefix=a%20b' }
    const { headers } = signHeaders(asked, options)
    expect(verify({ ...asked, query: 'prefix=a+b', headers })).toBe('team/alice')
  })
  test('header values are bytes, also those of UTF-8 that node:http reads as Latin-1', () => {
    const headers = { host: 'h', 'x-amz-meta-name': Buffer.from('grün').toString('latin1') }
    const asked = { ...request, headers }
    expect(verify({ ...asked, headers: signHeaders(asked, options).headers })).toBe('team/alice')
  })
})

describe('headers that have an effect must be signed', () => {
  const free = ['range', 'if-range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']
  const conditions = free.slice(2)
  const never = ['x-amz-acl', 'x-amz-anything-new', 'x-minio-force-delete', 'x-minio-anything-new']
  const asked = (method: string, mode: 'header' | 'query') => {
    const bare = { ...request, method, headers: { host: 'localhost:9000' } }
    if (mode === 'header') return { ...bare, headers: signHeaders(bare, options).headers }
    return presigned(60, bare)
  }

  describe.each(['header', 'query'] as const)('in a request signed by its %s', (mode) => {
    test.each(['GET', 'HEAD', 'PUT', 'POST', 'DELETE'])('%s', (method) => {
      const reads = method === 'GET' || method === 'HEAD'
      for (const name of [...free, ...never]) {
        const refused = never.includes(name) || (!reads && conditions.includes(name))
        const received = edit(asked(method, mode), { [name]: 'true' })
        if (!refused) expect([name, verify(received)]).toEqual([name, 'team/alice'])
        else expect(() => verify(received), name).toThrow(expect.objectContaining({ code: 'AccessDenied' }))
      }
    })
  })

  test('a name of every object is no header that was sent', () => {
    for (const name of ['constructor', '__proto__', 'tostring', 'hasOwnProperty', 'valueOf']) {
      const received = authorize(signed(), (text) => text.replace('SignedHeaders=', `SignedHeaders=${name};`))
      expect(() => verify(received), name).toThrow(expect.objectContaining({ code: 'SignatureDoesNotMatch' }))
    }
  })
})
