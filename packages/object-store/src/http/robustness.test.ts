import { connect } from 'node:net'
import { signHeaders } from '@stowage/sigv4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setSettingDocument } from '../bucket-settings/testing.ts'
import { parseRange } from './s3/headers/byte-range.ts'
import { unquoteEtag } from './s3/headers/preconditions.ts'
import {
  type HttpTestStore,
  presignedPath,
  ROOT_CREDENTIALS,
  sendRawRequest,
  startTestStore,
  TEST_REGION,
} from './testing/test-store.ts'

let store: HttpTestStore
beforeAll(async () => {
  store = await startTestStore({ domains: ['s3.test'] })
  await store.engine.createBucket('robust')
})
afterAll(() => store[Symbol.asyncDispose]())

/** Writes bytes to the port and returns all received bytes until the connection ends. */
function raw(text: string, options: { hangUpAfter?: number } = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(store.port, '127.0.0.1', () => {
      socket.write(text)
      if (options.hangUpAfter !== undefined) socket.destroy()
    })
    socket.setEncoding('utf8')
    let answer = ''
    socket.on('data', (chunk: string) => {
      answer += chunk
    })
    // A reset connection counts as a normal end here.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })
}

function signedHead(method: string, path: string, headers: Record<string, string>): string {
  const signed = signHeaders(
    { method, path, query: '', headers: { host: `127.0.0.1:${store.port}`, ...headers } },
    { credentials: ROOT_CREDENTIALS, region: TEST_REGION, payloadHash: 'UNSIGNED-PAYLOAD' },
  ).headers
  const lines = Object.entries(signed).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

describe('what is no request', () => {
  test.each([
    ['rubbish', 'rubbish\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['a header of 40 KB', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`],
    ['two lengths', 'PUT /robust/k HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'length and chunks',
      'PUT /robust/k HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
  ])('%s is refused', async (_, text) => {
    expect(await raw(text)).toMatch(/^HTTP\/1\.1 400 /)
  })

  test.each([
    ['a HEAD', 'HEAD', 'broken header', ''],
    ['a HEAD that is too long', 'HEAD', `X-Long: ${'x'.repeat(40_000)}`, ''],
    ['a GET', 'GET', 'broken header', '<Code>BadRequest</Code>'],
  ])('%s is refused with a body only if its method allows one', async (_, method, header, code) => {
    const [head, body] = (await raw(`${method} / HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 /)
    expect(head).toContain(`Content-Length: ${body?.length}`)
    expect(code === '' ? body : body?.includes(code)).toBe(code === '' ? '' : true)
  })

  test('a path that is no UTF-8 is refused', async () => {
    const answer = await store.send({ rawPath: '/robust/%ff' })
    expect([answer.status, answer.code]).toEqual([400, 'XMinioInvalidObjectName'])
  })

  test('a method that nothing has is refused', async () => {
    expect((await store.send({ method: 'PATCH', path: '/robust/k' })).code).toBe('MethodNotAllowed')
  })
})

test('headers with many blanks are read as fast as others', () => {
  const blanks = ' '.repeat(200_000)
  const startedAt = performance.now()
  expect(parseRange(`bytes=${blanks}x`, 7)).toBeUndefined()
  expect(unquoteEtag(`"a${blanks}b"`)).toBe(`a${blanks}b`)
  expect(performance.now() - startedAt).toBeLessThan(1000)
})

test.each([
  ['bytes=1-2', { start: 1, end: 2 }],
  ['bytes = 1 - 2 ', { start: 1, end: 2 }],
  ['bytes=-2', { start: 5, end: 6 }],
  ['bytes= 5 -', { start: 5, end: 6 }],
  ['bytes=1 2-3', undefined],
  ['bytes=-', undefined],
])('the range %j of seven bytes is %j', (header, range) => {
  expect(parseRange(header, 7)).toEqual(range)
})

describe('XML', () => {
  const post = (body: string) => store.send({ method: 'POST', path: '/robust', query: 'delete=', body })
  const key = '<Object><Key>k</Key></Object>'

  test.each([
    ['that is none', 'nonsense'],
    ['that is not closed', `<Delete>${key}`],
    ['of another kind', `<Other>${key}</Other>`],
    ['with a document type', `<!DOCTYPE x [<!ENTITY a "b">]><Delete>${key}</Delete>`],
    [
      'that multiplies itself',
      `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><Delete>&b;${key}</Delete>`,
    ],
    ['that reads files', `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><Delete>&f;${key}</Delete>`],
    ['nested a thousand deep', `<Delete>${'<a>'.repeat(1000)}${'</a>'.repeat(1000)}</Delete>`],
    ['that is empty', ''],
  ])('%s is refused', async (_, body) => {
    const answer = await post(body)
    expect([answer.status, answer.code]).toEqual([400, 'MalformedXML'])
  })

  test('that is hostile is refused in the time of one that is not', async () => {
    for (const piece of ['<!--', '<![CDATA[', '<?', '<a>', '<a b="', '&#', '&amp;', ' ']) {
      const startedAt = performance.now()
      const answer = await post(`<Delete>${piece.repeat(2_000_000 / piece.length)}`)
      expect([piece, answer.status, answer.code]).toEqual([piece, 400, 'MalformedXML'])
      expect(performance.now() - startedAt).toBeLessThan(1000)
    }
  })

  test('is not read from an anonymous caller without the right to delete, nor for a missing bucket', async () => {
    const waiting = 'Content-Length: 1000000\r\nExpect: 100-continue\r\n'
    const head = (path: string) => `POST ${path}?delete HTTP/1.1\r\nHost: x\r\n${waiting}\r\n`
    expect(await raw(head('/robust'))).toMatch(/^HTTP\/1\.1 403 /)
    expect(await raw(head('/absent'))).toMatch(/^HTTP\/1\.1 403 /)
    const absent = await store.send({ method: 'POST', path: '/absent', query: 'delete=', body: '<' })
    expect(absent.code).toBe('NoSuchBucket')
    const Statement = [
      { Effect: 'Allow', Principal: '*', Action: 's3:DeleteObject', Resource: 'arn:aws:s3:::robust/a*' },
    ]
    await setSettingDocument(store.engine, 'robust', 'policy', JSON.stringify({ Version: '2012-10-17', Statement }))
    const answer = await store.send({
      method: 'POST',
      path: '/robust',
      query: 'delete=',
      credentials: 'anonymous',
      body: `<Delete><Object><Key>a</Key></Object>${key}</Delete>`,
    })
    expect(answer.text).toMatch(/<Deleted><Key>a<\/Key><\/Deleted><Error><Code>AccessDenied</)
    await setSettingDocument(store.engine, 'robust', 'policy', undefined)
  })

  test('a body longer than any good one is refused', async () => {
    expect((await post('x'.repeat(9 * 1024 * 1024))).code).toBe('EntityTooLarge')
  })

  test('names the key it names, and no other', async () => {
    for (const path of ['/robust/ab', '/robust/a\u0001b', '/robust/©', '/robust/&copy;', '/robust/\ufffd']) {
      await store.send({ method: 'PUT', path, body: 'x' })
    }
    const listed = await store.send({ path: '/robust', query: 'prefix=a' })
    expect(listed.text).toContain('<Key>a\ufffdb</Key>')
    const answer = await post('<Delete><Object><Key>a&#x1;b</Key></Object></Delete>')
    expect(answer.text).toContain('<Deleted><Key>a\ufffdb</Key></Deleted>')
    expect((await store.send({ path: '/robust/a\u0001b' })).code).toBe('NoSuchKey')
    for (const wrong of ['&copy;', '\xe0']) {
      const body = Buffer.from(`<Delete><Object><Key>${wrong}</Key></Object></Delete>`, 'latin1')
      const refused = await store.send({ method: 'POST', path: '/robust', query: 'delete=', body })
      expect([refused.status, refused.code]).toEqual([400, 'MalformedXML'])
    }
    for (const path of ['/robust/ab', '/robust/©', '/robust/&copy;', '/robust/\ufffd']) {
      expect((await store.send({ path })).status).toBe(200)
    }
  })

  test('namespaces, comments and CDATA are read', async () => {
    const body =
      '<?xml version="1.0"?><!-- a <!DOCTYPE> --><s:Delete xmlns:s="http://s3.amazonaws.com/doc/2006-03-01/">' +
      '<s:Object><s:Key><![CDATA[<k>]]></s:Key></s:Object></s:Delete>'
    expect((await post(body)).text).toContain('<Deleted><Key>&lt;k&gt;</Key>')
  })
})

describe('uploads that break off', () => {
  test('leave nothing, large or small', async () => {
    for (const length of [100, 1_000_000]) {
      const head = signedHead('PUT', '/robust/half', { 'content-length': String(length) })
      await raw(head + 'x'.repeat(length / 2), { hangUpAfter: 0 })
    }
    await expect.poll(() => store.server.recorder.running).toBe(0)
    await expect.poll(() => store.listUnfinishedBodies()).toEqual([])
    expect((await store.send({ path: '/robust/half' })).code).toBe('NoSuchKey')
  })

  test('a client that goes away while it reads does no harm', async () => {
    await store.send({ method: 'PUT', path: '/robust/large', body: Buffer.alloc(20_000_000) })
    await raw(signedHead('GET', '/robust/large', {}), { hangUpAfter: 0 })
    await expect.poll(() => store.server.recorder.running).toBe(0)
    expect((await store.send({ path: '/robust/large' })).body).toHaveLength(20_000_000)
  })

  test('a large body that is refused gets its answer', async () => {
    const answer = await store.send({ method: 'PUT', path: '/absent/k', body: Buffer.alloc(30_000_000) })
    expect([answer.status, answer.code]).toEqual([404, 'NoSuchBucket'])
  })

  test('a body without length is refused', async () => {
    const headers = { 'transfer-encoding': 'chunked' }
    const answer = await store.send({ method: 'PUT', path: '/robust/k', body: 'x', headers })
    expect([answer.status, answer.code]).toEqual([411, 'MissingContentLength'])
  })
})

describe('virtual hosts', () => {
  test('have the bucket in the host name, and the key is the whole path', async () => {
    const host = `robust.s3.test:${store.port}`
    await store.send({ method: 'PUT', path: '/in/host', body: 'hosted', headers: { host } })
    expect((await store.send({ path: '/robust/in/host' })).text).toBe('hosted')
    const list = await store.send({ query: 'list-type=2&prefix=in', headers: { host } })
    expect(list.text).toContain('<Key>in/host</Key>')
  })
})

describe('other origins', () => {
  test('may ask, and read the answers', async () => {
    const origin = 'https://app.test'
    const preflight = await store.send({
      method: 'OPTIONS',
      path: '/robust/k',
      credentials: 'anonymous',
      headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization',
    })
    const refused = await store.send({ path: '/robust/k', credentials: 'anonymous', headers: { origin } })
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([403, '*'])
    expect((await store.send({ path: '/robust/k' })).headers).not.toHaveProperty('access-control-allow-origin')
  })
})

describe('the recorder', () => {
  test('sees each request with operation, caller, status and bytes', async () => {
    const seen: unknown[] = []
    const stop = store.server.recorder.subscribe((record) => seen.push(record))
    await store.send({ method: 'PUT', path: '/robust/seen', body: 'twelve bytes' })
    await store.send({ path: '/robust/unseen' })
    await sendRawRequest(store.port, 'GET', '/?X-Amz-Meta=1&x-id=ListBuckets', { host: 'x' })
    await sendRawRequest(store.port, 'GET', presignedPath(store.port, 'GET', '/robust/seen'), {
      host: `127.0.0.1:${store.port}`,
    })
    await expect.poll(() => seen.length).toBe(4)
    stop()
    expect(seen).toMatchObject([
      {
        operation: 'PutObject',
        bucket: 'robust',
        key: 'seen',
        user: ROOT_CREDENTIALS.accessKey,
        status: 200,
        bytesIn: 12,
      },
      { operation: 'GetObject', status: 404, errorCode: 'NoSuchKey', bytesOut: expect.any(Number) },
      { operation: 'ListBuckets', accessKey: '', status: 403, errorCode: 'AccessDenied' },
      { operation: 'GetObject', status: 200, url: expect.stringMatching(/X-Amz-Signature=\.\.\.$/) },
    ])
  })
})

test('a store that closes lets a running request end', async () => {
  const closing = await startTestStore()
  await closing.engine.createBucket('closing')
  const head = signHeaders(
    {
      method: 'PUT',
      path: '/closing/k',
      query: '',
      headers: { host: `127.0.0.1:${closing.port}`, 'content-length': '4' },
    },
    { credentials: ROOT_CREDENTIALS, region: TEST_REGION, payloadHash: 'UNSIGNED-PAYLOAD' },
  ).headers
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(closing.port, '127.0.0.1')
  socket.write(`PUT /closing/k HTTP/1.1\r\n${lines.join('')}\r\nha`)
  await expect.poll(() => closing.server.recorder.running).toBe(1)
  expect(closing.server.recorder.isBusy).toBe(true)
  const closed = closing.server.close()
  socket.write('lf')
  const answer = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())))
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  await closed
  expect(closing.engine.getObject('closing', 'k').info.size).toBe(4)
  await closing.engine.close()
})
