import { createHash, createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { CreateBucketCommand, HeadBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { ChunkEncoder, signHeaders } from '@stowage/sigv4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setUser, setUserStatus } from '../../iam/users.ts'
import {
  type HttpTestStore,
  presignedPath,
  type RawAnswer,
  ROOT_CREDENTIALS,
  sendRawRequest,
  startTestStore,
  TEST_REGION,
} from '../testing/test-store.ts'

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore()
  await store.engine.createBucket('signed')
})
afterAll(() => store[Symbol.asyncDispose]())

const put = (more: object) => store.send({ method: 'PUT', path: '/signed/key', body: 'body', ...more })
const minutes = (n: number) => new Date(Date.now() + n * 60_000)

describe('header signatures', () => {
  test.each([
    ['a good one', {}, 200, undefined],
    ['a wrong secret', { credentials: { ...ROOT_CREDENTIALS, secretKey: 'wrongwrong' } }, 403, 'SignatureDoesNotMatch'],
    ['an unknown access key', { credentials: { ...ROOT_CREDENTIALS, accessKey: 'nobody' } }, 403, 'InvalidAccessKeyId'],
    ['a clock 14 minutes behind', { now: minutes(-14) }, 200, undefined],
    ['a clock 16 minutes behind', { now: minutes(-16) }, 403, 'RequestTimeTooSkewed'],
    ['a clock 16 minutes ahead', { now: minutes(16) }, 403, 'RequestTimeTooSkewed'],
    ['another region', { region: 'eu-west-1' }, 400, 'AuthorizationHeaderMalformed'],
    ['no region', { region: '' }, 400, 'AuthorizationHeaderMalformed'],
    ['another service', { service: 'sts' }, 400, 'AuthorizationHeaderMalformed'],
    ['a body other than signed', { payloadHash: 'a'.repeat(64) }, 400, 'XAmzContentSHA256Mismatch'],
    ['an unsigned payload', { payloadHash: 'UNSIGNED-PAYLOAD' }, 200, undefined],
    ['a payload hash that is none', { payloadHash: 'nonsense' }, 400, 'InvalidArgument'],
    ['another mechanism', { tamper: replaceAuthorization('AWS key:signature') }, 400, 'InvalidRequest'],
    [
      'a header that is none',
      { tamper: replaceAuthorization('AWS4-HMAC-SHA256 x') },
      400,
      'AuthorizationHeaderMalformed',
    ],
    ['a token that is none', { credentials: { ...ROOT_CREDENTIALS, sessionToken: 'x' } }, 403, 'InvalidToken'],
  ])('%s answers %j', async (_, more, status, code) => {
    const answer = await put(more)
    expect([answer.status, answer.code]).toEqual([status, code])
  })

  test('a request for another region is answered with the right one', async () => {
    expect((await put({ region: 'eu-west-1' })).text).toContain(`<Region>${TEST_REGION}</Region>`)
  })

  test('an x-amz header that was not signed is refused', async () => {
    const answer = await put({
      tamper: (headers: Record<string, string>) => {
        headers['x-amz-tagging'] = 'a=b'
      },
    })
    expect([answer.status, answer.code]).toEqual([403, 'AccessDenied'])
  })

  test('conditions of a write count only where they are signed; what browsers add to a read is free', async () => {
    await put({})
    const host = { host: `127.0.0.1:${store.port}` }
    const send = (method: string, headers: Record<string, string>) =>
      sendRawRequest(store.port, method, presignedPath(store.port, method, '/signed/key'), { ...host, ...headers })
    for (const name of ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']) {
      const headers = { [name]: '"other"' }
      const tamper = (signed: Record<string, string>) => void Object.assign(signed, headers)
      expect([name, (await put({ tamper })).code]).toEqual([name, 'AccessDenied'])
      expect([name, (await send('PUT', headers)).code]).toEqual([name, 'AccessDenied'])
      expect([name, (await send('DELETE', headers)).code]).toEqual([name, 'AccessDenied'])
    }
    expect((await put({ headers: { 'if-match': '"other"' } })).code).toBe('PreconditionFailed')
    const free = { 'if-range': '"other"', 'if-none-match': '"other"', 'if-modified-since': new Date(0).toUTCString() }
    const read = await send('GET', { range: 'bytes=1-2', ...free })
    expect([200, 206]).toContain(read.status)
  })

  test('a header in UTF-8 counts by its bytes, whatever they look like', async () => {
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
    const host = `127.0.0.1:${store.port}`
    const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
    // Written by hand like a client that sends UTF-8, without our own signer.
    const values = `host:${host}\nx-amz-content-sha256:UNSIGNED-PAYLOAD\nx-amz-date:${time}\nx-amz-meta-u:voilà\n`
    const names = 'host;x-amz-content-sha256;x-amz-date;x-amz-meta-u'
    const canonical = `PUT\n/signed/utf8\n\n${values}\n${names}\nUNSIGNED-PAYLOAD`
    const scope = [time.slice(0, 8), TEST_REGION, 's3', 'aws4_request']
    const key = scope.reduce<string | Buffer>(hmac, `AWS4${ROOT_CREDENTIALS.secretKey}`)
    const signature = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope.join('/')}\n${hash(canonical)}`).toString('hex')
    const answer = await sendRawRequest(store.port, 'PUT', '/signed/utf8', {
      host,
      'content-length': '0',
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      'x-amz-date': time,
      'x-amz-meta-u': Buffer.from('voilà').toString('latin1'),
      authorization: `AWS4-HMAC-SHA256 Credential=${ROOT_CREDENTIALS.accessKey}/${scope.join('/')}, SignedHeaders=${names}, Signature=${signature}`,
    })
    expect([answer.status, answer.code]).toEqual([200, undefined])
    const read = await store.send({ path: '/signed/utf8' })
    expect(read.headers['x-amz-meta-u']).toBe('=?UTF-8?q?voil=C3=A0?=')
  })

  test('a disabled user is refused at once', async () => {
    await setUser(store.server.iam, 'worker', 'workersecret', 'enabled')
    const credentials = { accessKey: 'worker', secretKey: 'workersecret' }
    expect((await put({ credentials })).code).toBe('AccessDenied')
    await setUserStatus(store.server.iam, 'worker', 'disabled')
    expect((await put({ credentials })).code).toBe('InvalidAccessKeyId')
  })

  test('a refused write leaves nothing', async () => {
    await store.send({
      method: 'PUT',
      path: '/signed/refused',
      body: 'body',
      payloadHash: createHash('sha256').update('other').digest('hex'),
    })
    expect((await store.send({ path: '/signed/refused' })).code).toBe('NoSuchKey')
  })
})

describe('a store without a region of its own', () => {
  let anywhere: HttpTestStore
  beforeAll(async () => {
    anywhere = await startTestStore({ region: undefined })
  })
  afterAll(() => anywhere[Symbol.asyncDispose]())

  test.each(['eu-west-1', 'minio', 'us-east-1', ''])('takes signatures of the region %j', async (region) => {
    const configuration = `<LocationConstraint>${region}</LocationConstraint>`
    const body = `<CreateBucketConfiguration>${configuration}</CreateBucketConfiguration>`
    const path = `/of-${region || 'none'}`
    expect((await anywhere.send({ method: 'PUT', path, region, body })).status).toBe(200)
    const headers = { host: `127.0.0.1:${anywhere.port}` }
    const link = presignedPath(anywhere.port, 'GET', path, { region })
    expect((await sendRawRequest(anywhere.port, 'GET', link, headers)).status).toBe(200)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const sts = { method: 'POST', body: 'Action=AssumeRole&Version=2011-06-15', headers: form, service: 'sts', region }
    expect((await anywhere.send(sts)).status).toBe(200)
    expect((await anywhere.send({ path, query: 'location=', region })).text).toContain('></LocationConstraint>')
    const wrong = { ...ROOT_CREDENTIALS, secretKey: 'wrongwrong' }
    expect((await anywhere.send({ path, region, credentials: wrong })).code).toBe('SignatureDoesNotMatch')
  })

  test('the SDK works in a region of its own choice', async () => {
    const s3 = anywhere.s3(ROOT_CREDENTIALS, { region: 'ap-south-2' })
    await s3.send(new CreateBucketCommand({ Bucket: 'south' }))
    await s3.send(new PutObjectCommand({ Bucket: 'south', Key: 'k', Body: 'body' }))
    expect((await s3.send(new HeadBucketCommand({ Bucket: 'south' }))).BucketRegion).toBe(TEST_REGION)
  })
})

describe('signature version 2 is refused in headers, and told what to do', () => {
  const told = (answer: RawAnswer, expected: [number, string] = [400, 'InvalidRequest']) => {
    expect([answer.status, answer.code]).toEqual(expected)
    expect(answer.text).toContain('AWS4-HMAC-SHA256')
    expect(answer.text).toContain('aws configure set default.s3.signature_version s3v4')
  }
  test('in the header, at every gate', async () => {
    const tamper = replaceAuthorization(`AWS ${ROOT_CREDENTIALS.accessKey}:frJIUN8DYpKDtOLCwo//yllqDzg=`)
    told(await put({ tamper }))
    told(await store.send({ path: '/minio/admin/v3/info', tamper }))
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const sts = { method: 'POST', body: 'Action=AssumeRole&Version=2011-06-15', headers: form, tamper }
    told(await store.send(sts), [403, 'AccessDenied'])
  })
})

function replaceAuthorization(value: string) {
  return (headers: Record<string, string>) => {
    headers.authorization = value
  }
}

describe('presigned requests', () => {
  const get = (url: string, headers: Record<string, string> = {}) =>
    sendRawRequest(store.port, 'GET', url, { host: `127.0.0.1:${store.port}`, ...headers })
  beforeAll(async () => void (await put({ path: '/signed/gift' })))

  test('a link opens until it expires', async () => {
    expect((await get(presignedPath(store.port, 'GET', '/signed/gift'))).text).toBe('body')
    const old = presignedPath(store.port, 'GET', '/signed/gift', { now: minutes(-2) })
    expect((await get(old)).code).toBe('AccessDenied')
    const early = presignedPath(store.port, 'GET', '/signed/gift', { now: minutes(20) })
    expect((await get(early)).code).toBe('AccessDenied')
  })

  test.each([
    [0, 403, 'AccessDenied'],
    [-1, 400, 'AuthorizationQueryParametersError'],
    [604_801, 400, 'AuthorizationQueryParametersError'],
  ])('%i seconds are refused', async (expiresSeconds, status, code) => {
    const answer = await get(presignedPath(store.port, 'GET', '/signed/gift', { expiresSeconds }))
    expect([answer.status, answer.code]).toEqual([status, code])
  })

  test('a link for one thing opens no other', async () => {
    const url = presignedPath(store.port, 'GET', '/signed/gift').replace('gift', 'key')
    expect((await get(url)).code).toBe('SignatureDoesNotMatch')
    const other = await sendRawRequest(store.port, 'DELETE', presignedPath(store.port, 'GET', '/signed/gift'), {
      host: `127.0.0.1:${store.port}`,
    })
    expect(other.code).toBe('SignatureDoesNotMatch')
    const more = `${presignedPath(store.port, 'GET', '/signed/gift')}&response-content-type=text/html`
    expect((await get(more)).code).toBe('SignatureDoesNotMatch')
  })

  test('a header that the link does not name cannot change it', async () => {
    const answer = await get(presignedPath(store.port, 'GET', '/signed/gift'), { 'x-amz-checksum-mode': 'ENABLED' })
    expect(answer.code).toBe('AccessDenied')
  })

  test('a link takes an upload', async () => {
    const url = presignedPath(store.port, 'PUT', '/signed/uploaded')
    const headers = { host: `127.0.0.1:${store.port}`, 'content-length': '2' }
    expect((await sendRawRequest(store.port, 'PUT', url, headers, Buffer.from('up'))).status).toBe(200)
  })
})

describe('signed chunks', () => {
  const data = Buffer.alloc(150_000, 'chunk')
  const PAYLOAD = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD'

  async function upload(options: { forge?: (body: Buffer) => Buffer; decoded?: number; trailer?: string } = {}) {
    const path = '/signed/chunked'
    const signedTrailer = options.trailer !== undefined
    const payloadHash = signedTrailer ? `${PAYLOAD}-TRAILER` : PAYLOAD
    const { headers, seed } = signHeaders(
      {
        method: 'PUT',
        path,
        query: '',
        headers: {
          host: `127.0.0.1:${store.port}`,
          'x-amz-decoded-content-length': String(options.decoded ?? data.length),
          ...(signedTrailer ? { 'x-amz-trailer': 'x-amz-checksum-sha256' } : {}),
        },
      },
      { credentials: ROOT_CREDENTIALS, region: TEST_REGION, payloadHash },
    )
    const { trailer } = options
    const encoder = new ChunkEncoder({
      seed,
      ...(trailer === undefined ? {} : { trailers: () => ({ 'x-amz-checksum-sha256': trailer }) }),
    })
    encoder.end(data)
    const framed = Buffer.concat(await encoder.toArray())
    const body = options.forge ? options.forge(framed) : framed
    headers['content-length'] = String(body.length)
    return sendRawRequest(store.port, 'PUT', path, headers, body)
  }

  test('come through, with and without a trailer', async () => {
    expect((await upload()).status).toBe(200)
    expect((await store.send({ path: '/signed/chunked' })).body.equals(data)).toBe(true)
    const sum = createHash('sha256').update(data).digest('base64')
    expect((await upload({ trailer: sum })).headers['x-amz-checksum-sha256']).toBe(sum)
  })

  test('a wrong checksum in the trailer is refused', async () => {
    const sum = createHash('sha256').update('other').digest('base64')
    expect((await upload({ trailer: sum })).code).toBe('XAmzContentChecksumMismatch')
  })

  test('a forged chunk is refused, and the old object stays', async () => {
    const forge = (body: Buffer) => {
      body[100_000] = (body[100_000] ?? 0) ^ 1
      return body
    }
    expect((await upload({ forge })).code).toBe('SignatureDoesNotMatch')
    expect((await store.send({ path: '/signed/chunked' })).body.equals(data)).toBe(true)
  })

  test('a body that is shorter or longer than declared is refused', async () => {
    expect((await upload({ forge: (body) => body.subarray(0, 100_000) })).code).toBe('IncompleteBody')
    expect((await upload({ decoded: data.length - 1 })).code).toBe('IncompleteBody')
    expect((await upload({ decoded: data.length + 1 })).code).toBe('IncompleteBody')
  })
})

describe('anonymous requests', () => {
  test('are refused without a policy, whatever they ask', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/signed'],
      ['GET', '/signed/key'],
      ['PUT', '/signed/key'],
      ['DELETE', '/signed'],
      ['GET', '/absent'],
    ] as const) {
      const answer = await store.send({ method, path, credentials: 'anonymous' })
      expect([method, path, answer.status, answer.code]).toEqual([method, path, 403, 'AccessDenied'])
    }
  })

  test('signed chunks need a signature', async () => {
    const headers = { 'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' }
    expect((await put({ headers, credentials: 'anonymous' })).code).toBe('AccessDenied')
  })
})

describe('a client that waits for 100 Continue', () => {
  /** Sends the head of an upload and returns the complete answer. */
  async function wait(path: string, signed: boolean): Promise<string> {
    const waiting = { 'content-length': '1000000000', expect: '100-continue' }
    const host = `127.0.0.1:${store.port}`
    const headers = signed
      ? signHeaders(
          { method: 'PUT', path, query: '', headers: { host, ...waiting } },
          { credentials: ROOT_CREDENTIALS, region: TEST_REGION, payloadHash: 'UNSIGNED-PAYLOAD' },
        ).headers
      : { host, ...waiting }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return new Promise((resolve, reject) => {
      const socket = connect(store.port, '127.0.0.1', () => {
        socket.write(`PUT ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
      })
      socket.setEncoding('utf8')
      let text = ''
      socket.on('data', (chunk: string) => {
        text += chunk
        if (text.startsWith('HTTP/1.1 100')) socket.destroy()
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(text))
    })
  }

  test('is asked for its body', async () => {
    expect(await wait('/signed/waiting', true)).toMatch(/^HTTP\/1\.1 100 Continue/)
  })

  test.each([
    ['nobody', '/signed/key', false, 403],
    ['the absent bucket', '/absent/key', true, 404],
  ])('is refused without its body: %s', async (_, path, signed, status) => {
    expect(await wait(path, signed)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })
})
