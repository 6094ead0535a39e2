import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAuthorization } from './authorization.ts'
import { ChunkDecoder } from './chunk-decoder.ts'
import { payloadMode } from './payload.ts'
import { PayloadCheck } from './payload-check.ts'
import { verifyRequest } from './verify.ts'

const secretKey = 'a-secret-of-alice'

/** What was received: bodies as decoded and verified by us, or the error. */
const seen: { path: string; body?: string; trailers?: Record<string, string>; failure?: unknown }[] = []
const server = createServer((request, response) => void handle(request, response))

async function handle(request: IncomingMessage, response: ServerResponse) {
  const path = request.url ?? ''
  try {
    seen.push({ path, ...(await receive(request)) })
    response.end(path.includes('list-type') ? '<ListBucketResult/>' : '')
  } catch (failure) {
    seen.push({ path, failure })
    response.writeHead(403).end()
  }
}

async function receive(request: IncomingMessage) {
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s)
  const signable = { method: request.method ?? '', path, query, headers: request.headers }
  const authorization = readAuthorization(signable)
  if (!authorization) throw new Error('not signed')
  const seed = verifyRequest(signable, authorization, secretKey)
  const mode = payloadMode(authorization.payloadHash ?? 'UNSIGNED-PAYLOAD')
  if (mode.kind === 'unsigned') return { body: (await buffer(request)).toString() }
  if (mode.kind === 'hashed') return { body: (await buffer(request.pipe(new PayloadCheck(mode.sha256)))).toString() }
  const decoder = new ChunkDecoder({
    decodedLength: Number(request.headers['x-amz-decoded-content-length']),
    ...(mode.signed && { seed }),
    ...(mode.trailer && { trailers: String(request.headers['x-amz-trailer']).split(',') }),
  })
  const body = await buffer(request.pipe(decoder))
  return { body: body.toString(), trailers: decoder.trailers }
}

let s3: S3Client
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A server that listens on TCP has one.
  s3 = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'team/alice', secretAccessKey: secretKey, sessionToken: 'token' },
    maxAttempts: 1,
  })
})
afterAll(() => {
  s3.destroy()
  server.close()
})

const keys = [
  'plain',
  'with space',
  'a+b',
  '100%',
  'a//b',
  'a/../b',
  'schön/☃/😀.txt',
  "it's (1)!*",
  'q?x=1&y#z',
  '%2F',
]

test.each(keys)('the SDK puts and gets %j', async (Key) => {
  await s3.send(new PutObjectCommand({ Bucket: 'bucket', Key, Body: 'hello', Metadata: { note: 'a  b' } }))
  expect(seen.at(-1)).toMatchObject({ body: 'hello' })
  await s3.send(new GetObjectCommand({ Bucket: 'bucket', Key, Range: 'bytes=0-3' }))
  expect(seen.at(-1)).not.toHaveProperty('failure')
})

test('the SDK lists with parameters that need encoding', async () => {
  await s3.send(new ListObjectsV2Command({ Bucket: 'bucket', Prefix: 'a b+c/ü&=', Delimiter: '/', StartAfter: '😀' }))
  expect(seen.at(-1)).not.toHaveProperty('failure')
})

test('the SDK sends a stream in chunks with a trailer', async () => {
  const Body = Readable.from([Buffer.alloc(70_000, 'x'), Buffer.alloc(30_000, 'y')])
  await s3.send(new PutObjectCommand({ Bucket: 'bucket', Key: 'k', Body, ContentLength: 100_000 }))
  const last = seen.at(-1)
  expect(last?.body).toHaveLength(100_000)
  expect(Object.keys(last?.trailers ?? {})).toEqual(['x-amz-checksum-crc32'])
})

test.each(keys)('the SDK presigns %j', async (Key) => {
  const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket: 'bucket', Key }), { expiresIn: 60 })
  const { host, port, hostname } = new URL(url)
  // `fetch` would normalize the path, which is not what was signed.
  const { request } = await import('node:http')
  const path = url.slice(url.indexOf(host) + host.length)
  await new Promise((resolve, reject) => request({ hostname, port, path }, resolve).on('error', reject).end())
  expect(seen.at(-1)).toEqual({ path, body: '' })
})
