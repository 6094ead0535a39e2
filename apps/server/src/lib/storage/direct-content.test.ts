import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createEgress } from '@stowage/egress'
import { testCertificate } from '@stowage/egress/testing'
import { expect, test } from 'vitest'
import { useLocalServers } from '../../testing/local-servers.ts'
import { findConnectionFailure } from '../errors/storage-errors.ts'
import { requestContent } from './direct-content.ts'

const MiB = 2 ** 20
const { serve, servers } = useLocalServers()
const egress = createEgress({ networks: 'private', allow: [{ name: 'localhost' }], ca: [testCertificate.cert] })

/** Starts a server that forwards the answers of another one, and reports how the last answer ended. */
async function handOn(origin: URL, method = 'GET') {
  const outcomes: unknown[] = []
  const url = await serve((request, response) => {
    requestContent(
      origin,
      { method, path: request.url ?? '/', headers: { host: origin.host } },
      undefined,
      opener(origin),
    )
      .then(async (content) => {
        response.writeHead(content.statusCode, { 'content-length': content.headers['content-length'] ?? 0 })
        await content.sendTo(response)
        outcomes.push('sent')
      })
      .catch((error: unknown) => {
        outcomes.push(error)
        response.destroy()
      })
  })
  return { url, outcomes }
}

/** Without checks over plain HTTP, as for the storage server of the settings. */
const opener = ({ protocol }: URL) => (protocol === 'https:' ? egress.openSocket : undefined)
const schemes = ['http', 'https'] as const

const requestAnswer = async (url: URL, method = 'GET') => {
  const request = get(url, { method, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}
const sha = (data: Buffer) => createHash('sha256').update(data).digest('hex')

const sizes = [0, 1, 100_000, MiB - 1, MiB, MiB + 1, 5 * MiB, 40 * MiB]
test.each(schemes.flatMap((scheme) => sizes.map((size) => [size, scheme] as const)))(
  '%i bytes are forwarded unchanged over %s',
  async (size, scheme) => {
    const data = randomBytes(size)
    const answer: RequestListener = (_, response) => response.writeHead(200, { 'content-length': size }).end(data)
    const origin = await serve(answer, scheme)
    const { url } = await handOn(origin)
    expect(sha(await buffer(await requestAnswer(url)))).toBe(sha(data))
  },
)

test.each(schemes)('many parallel slow readers each get their own content over %s', async (scheme) => {
  const contents = Array.from({ length: 8 }, () => randomBytes(6 * MiB))
  const origin = await serve((request, response) => {
    const data = contents[Number(request.url?.slice(1))] ?? Buffer.alloc(0)
    response.writeHead(200, { 'content-length': data.length }).end(data)
  }, scheme)
  const { url } = await handOn(origin)
  const answers = await Promise.all(contents.map((_, i) => requestAnswer(new URL(`/${i}`, url))))
  const got = await Promise.all(answers.map(async (answer) => sha(await buffer(answer))))
  expect(got).toEqual(contents.map(sha))
})

test('a HEAD has the length and no body', async () => {
  const origin = await serve((_request, response) => response.writeHead(200, { 'content-length': 9 * MiB }).end())
  const { url } = await handOn(origin, 'HEAD')
  const answer = await requestAnswer(url, 'HEAD')
  expect(answer.headers['content-length']).toBe(String(9 * MiB))
  expect((await buffer(answer)).length).toBe(0)
})

test.each([
  [200_000, 'http'],
  [8 * MiB, 'http'],
  [8 * MiB, 'https'],
] as const)(
  'if an answer of %i bytes breaks off, the connection to the caller is closed, over %s',
  async (sent, scheme) => {
    const origin = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 2 * sent })
      response.write(Buffer.alloc(sent), () => response.destroy())
    }, scheme)
    const { url, outcomes } = await handOn(origin)
    await expect(buffer(await requestAnswer(url))).rejects.toThrow('aborted')
    await expect.poll(() => outcomes.length).toBe(1)
    expect(findConnectionFailure(outcomes[0])?.reason).toBe('broken')
  },
)

test.each([
  [200_000, 'http'],
  [64 * MiB, 'http'],
  [64 * MiB, 'https'],
] as const)(
  'a caller who disconnects in the middle of %i bytes ends the source request too, over %s',
  async (size, scheme) => {
    const closed: string[] = []
    const origin = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': size })
      // Never send all bytes, so that the caller disconnects in the middle.
      response.write(Buffer.alloc(size - 1))
      response.once('close', () => closed.push('closed'))
    }, scheme)
    const { url, outcomes } = await handOn(origin)
    const answer = await requestAnswer(url)
    await once(answer, 'readable')
    answer.destroy()
    await expect.poll(() => closed).toEqual(['closed'])
    await expect.poll(() => outcomes).toEqual(['sent'])
  },
)

test.each(schemes)('a caller who does not read does not fill the memory over %s', async (scheme) => {
  let flowed = 0
  const origin = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': 1024 * MiB })
    const chunk = Buffer.alloc(MiB)
    const send = () => {
      flowed += MiB
      if (!response.destroyed) response.write(chunk, send)
    }
    send()
  }, scheme)
  const { url } = await handOn(origin)
  const answer = await requestAnswer(url)
  // It stops when the buffers of the sockets and those between them are full.
  let before = -1
  await expect
    .poll(() => {
      const same = flowed === before
      before = flowed
      return same
    })
    .toBe(true)
  expect(flowed).toBeLessThan(64 * MiB)
  answer.destroy()
})

test('a caller who disconnects before the body starts is not waited for', async () => {
  const origin = await serve((_request, response) =>
    response.writeHead(200, { 'content-length': 9 * MiB }).flushHeaders(),
  )
  const content = await requestContent(origin, { method: 'GET', path: '/', headers: { host: origin.host } })
  const done: unknown[] = []
  const url = await serve((_request, response) => {
    response.writeHead(200)
    response.destroy()
    response.once('close', () => void content.sendTo(response).then(() => done.push('sent')))
  })
  get(url, { agent: false }).on('error', () => {})
  await expect.poll(() => done).toEqual(['sent'])
})

test('no server, and a server that does not speak HTTP', async () => {
  const nowhere = await serve(() => {})
  const server = servers.pop()
  server?.close()
  await once(server as Server, 'close')
  const failure = await requestContent(nowhere, { method: 'GET', path: '/', headers: {} }).catch(
    (error: unknown) => error,
  )
  expect(findConnectionFailure(failure)?.reason).toBe('refused')
  const odd = await serve((request) => request.socket.end('hello\r\n\r\n'))
  const other = await requestContent(odd, { method: 'GET', path: '/', headers: {} }).catch((error: unknown) => error)
  expect(findConnectionFailure(other)?.reason).toBe('broken')
})
