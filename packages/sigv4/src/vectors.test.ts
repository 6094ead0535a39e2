// AWS's published examples: "Signature Calculations for the Authorization Header" (single chunk, multiple chunks,
// trailing headers), "Query parameters", "Browser-based uploads" and the test suite's get-vanilla.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { parseAmzDate } from './amz-date.ts'
import { readAuthorization } from './authorization.ts'
import { ChunkDecoder } from './chunk-decoder.ts'
import { ChunkEncoder } from './chunk-encoder.ts'
import { EMPTY_SHA256 } from './payload.ts'
import { readPostAuthorization, verifyPostPolicy } from './post-policy.ts'
import { presign, signHeaders } from './sign.ts'
import type { SignableRequest } from './types.ts'
import { verifyRequest } from './verify.ts'

const secretKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const credentials = { accessKey: 'AKIAIOSFODNN7EXAMPLE', secretKey }
const now = new Date('2013-05-24T00:00:00Z')
const host = 'examplebucket.s3.amazonaws.com'
const scope = `${credentials.accessKey}/20130524/us-east-1/s3/aws4_request`

const examples: { name: string; request: SignableRequest; payloadHash?: string; signature: string }[] = [
  {
    name: 'GET Object with a range',
    request: { method: 'GET', path: '/test.txt', query: '', headers: { host, range: 'bytes=0-9' } },
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    name: 'PUT Object',
    request: {
      method: 'PUT',
      path: '/test%24file.text',
      query: '',
      headers: { host, date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    },
    payloadHash: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    name: 'GET Bucket lifecycle',
    request: { method: 'GET', path: '/', query: 'lifecycle', headers: { host } },
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    name: 'list objects',
    request: { method: 'GET', path: '/', query: 'max-keys=2&prefix=J', headers: { host } },
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
]

test.each(examples)('$name is signed and verified as published', ({ request, payloadHash, signature }) => {
  const signed = signHeaders(request, { credentials, region: 'us-east-1', now, ...(payloadHash && { payloadHash }) })
  expect(signed.seed.signature).toBe(signature)

  const received = { ...request, headers: signed.headers }
  const authorization = readAuthorization(received)
  expect(authorization).toMatchObject({ kind: 'header', accessKey: credentials.accessKey, signature })
  if (authorization) verifyRequest(received, authorization, secretKey, { now })
})

// Computed with Python's hashlib and hmac: the canonical request contains the values as UTF-8; only blanks are folded.
test.each([
  ['voilà', '935a5aa6fdf9dfe6fb1602b8a6ec84c7de1e61a1903101f026641e24b60de9b7'],
  ['Škoda', 'd01a49c9e674b8bfdd73202542780411070a78b51672070e4fd1a963b6459347'],
  [' à la \t carte à\t', '55d5e816f80e96cce08f148d96d0772db4890520352cb5c3ae31f61369c4ad6c'],
])('a header of %j is signed and verified by its bytes', (value, signature) => {
  const headers = { host, 'x-amz-meta-u': Buffer.from(value).toString('latin1') }
  const request = { method: 'PUT', path: '/test.txt', query: '', headers }
  const signed = signHeaders(request, { credentials, region: 'us-east-1', now })
  expect(signed.seed.signature).toBe(signature)
  const received = { ...request, headers: signed.headers }
  const authorization = readAuthorization(received)
  expect(authorization?.signature).toBe(signature)
  if (authorization) verifyRequest(received, authorization, secretKey, { now })
})

test('get-vanilla of the test suite is verified', () => {
  const request = {
    method: 'GET',
    path: '/',
    query: '',
    headers: {
      host: 'example.amazonaws.com',
      'x-amz-date': '20150830T123600Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
        'SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    },
  }
  const authorization = readAuthorization(request)
  const options = { now: new Date('2015-08-30T12:36:00Z'), payloadHash: EMPTY_SHA256 }
  expect(authorization?.scope).toEqual({ date: '20150830', region: 'us-east-1', service: 'service' })
  if (authorization) verifyRequest(request, authorization, 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', options)
})

test('a presigned GET is signed and verified as published', () => {
  const request = { method: 'GET', path: '/test.txt', query: '', headers: { host } }
  const query = presign(request, { credentials, region: 'us-east-1', now, expiresSeconds: 86400 })
  expect(query).toMatch(/&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404$/)

  const received = { ...request, query }
  const authorization = readAuthorization(received)
  expect(authorization).toMatchObject({ kind: 'query', expiresSeconds: 86400 })
  if (authorization) verifyRequest(received, authorization, secretKey, { now: new Date('2013-05-24T23:59:59Z') })
})

test('a POST policy is verified as published', () => {
  const lines = [
    '{ "expiration": "2015-12-30T12:00:00.000Z",',
    '  "conditions": [',
    '    {"bucket": "sigv4examplebucket"},',
    '    ["starts-with", "$key", "user/user1/"],',
    '    {"acl": "public-read"},',
    '    {"success_action_redirect": "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"},',
    '    ["starts-with", "$Content-Type", "image/"],',
    '    {"x-amz-meta-uuid": "14365123651274"},',
    '    {"x-amz-server-side-encryption": "AES256"},',
    '    ["starts-with", "$x-amz-meta-tag", ""],',
    '',
    '    {"x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"},',
    '    {"x-amz-algorithm": "AWS4-HMAC-SHA256"},',
    '    {"x-amz-date": "20151229T000000Z" }',
    '  ]',
    '}',
  ]
  const authorization = readPostAuthorization({
    policy: Buffer.from(lines.join('\r\n')).toString('base64'),
    'x-amz-credential': 'AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request',
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-date': '20151229T000000Z',
    'x-amz-signature': '8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e',
  })
  expect(authorization?.time).toEqual(parseAmzDate('20151229T000000Z'))
  if (authorization) verifyPostPolicy(authorization, secretKey)
})

describe('65 KiB of "a" in chunks of 64 KiB', () => {
  const body = Buffer.alloc(65 * 1024, 'a')
  const common = {
    host: 's3.amazonaws.com',
    'x-amz-date': '20130524T000000Z',
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    'content-encoding': 'aws-chunked',
    'x-amz-decoded-content-length': '66560',
  }
  const plain = {
    headers: {
      ...common,
      'content-length': '66824',
      'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
      authorization:
        `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=content-encoding;content-length;host;` +
        'x-amz-content-sha256;x-amz-date;x-amz-decoded-content-length;x-amz-storage-class,' +
        'Signature=4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
    },
    signatures: [
      'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
      '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497',
      'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9',
    ],
    end: '\r\n',
  }
  const trailer = {
    headers: {
      ...common,
      'x-amz-trailer': 'x-amz-checksum-crc32c',
      'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
      authorization:
        `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=content-encoding;host;x-amz-content-sha256;x-amz-date;` +
        'x-amz-decoded-content-length;x-amz-storage-class;x-amz-trailer,' +
        'Signature=106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e',
    },
    signatures: [
      'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2',
      '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7',
      '2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992',
    ],
    end:
      'x-amz-checksum-crc32c:sOO8/Q==\r\n' +
      'x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n',
  }

  test.each([
    ['signed', plain, undefined],
    ['signed with a trailer', trailer, { 'x-amz-checksum-crc32c': 'sOO8/Q==' }],
  ])('%s: seed, chunks and trailer as published', async (_name, { headers, signatures, end }, trailers) => {
    const request = { method: 'PUT', path: '/examplebucket/chunkObject.txt', query: '', headers }
    const authorization = readAuthorization(request)
    if (!authorization) throw new Error('not signed')
    const seed = verifyRequest(request, authorization, secretKey, { now })
    const wire = Buffer.concat([
      Buffer.from(`10000;chunk-signature=${signatures[0]}\r\n`),
      body.subarray(0, 65536),
      Buffer.from(`\r\n400;chunk-signature=${signatures[1]}\r\n`),
      body.subarray(65536),
      Buffer.from(`\r\n0;chunk-signature=${signatures[2]}\r\n${end}`),
    ])

    const encoder = new ChunkEncoder({ seed, ...(trailers && { trailers: () => trailers }) })
    const [encoded] = await Promise.all([buffer(encoder), pipeline(Readable.from([body]), encoder)])
    expect(encoded.equals(wire)).toBe(true)

    const decoder = new ChunkDecoder({
      seed,
      decodedLength: body.length,
      ...(trailers && { trailers: Object.keys(trailers) }),
    })
    const [decoded] = await Promise.all([buffer(decoder), pipeline(Readable.from([wire]), decoder)])
    expect(decoded.equals(body)).toBe(true)
    expect(decoder.trailers).toEqual(trailers ?? {})
  })
})
