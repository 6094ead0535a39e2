import { once } from 'node:events'
import { get, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { SigningKeys } from '@stowage/sigv4'
import { describe, expect, test } from 'vitest'
import { useLocalServers } from '../../testing/local-servers.ts'
import { findConnectionFailure } from '../errors/storage-errors.ts'
import { pipeBody } from './direct-content.ts'
import { S3ApiFactory } from './s3-api.ts'
import { S3Stream } from './s3-stream.ts'
import { openUpstream } from './upstream.ts'

/* A storage server that stops sending, or never ends, at any point of an answer. */

const MiB = 2 ** 20
const TIMEOUT_MS = 200
const { serve } = useLocalServers()

/** Creates clients of a server with this `listener`, with timeouts of `ms`. */
async function createClients(listener: RequestListener, ms = TIMEOUT_MS) {
  const timeouts = { headMs: ms, wholeMs: ms, streamMs: 3 * ms }
  const upstream = openUpstream(await serve(listener), undefined, {}, timeouts)
  const signer = { accessKey: 'alice', secretKey: 'secret', sessionToken: '', region: 'us-east-1' }
  const s3 = new S3ApiFactory(upstream).forSigner(signer, {}, {})
  const s3Stream = new S3Stream(upstream, signer, new SigningKeys())
  return {
    list: () => s3Stream.text({ method: 'GET', bucket: 'b' }),
    download: () => s3Stream.content({ method: 'GET', bucket: 'b', key: 'k' }),
    request: () => s3Stream.request({ method: 'GET', bucket: 'b', key: 'k' }),
    versioning: () => s3.getBucketVersioning({ Bucket: 'b' }),
    create: () => s3.createBucket({ Bucket: 'b' }),
  }
}

const catchFailure = async (call: Promise<unknown>) =>
  await call.then(
    () => 'no failure',
    (error: unknown) => findConnectionFailure(error) ?? error,
  )
const broken = (message: RegExp) => ({ reason: 'broken', message: expect.stringMatching(message) })

const calls = ['list', 'versioning', 'create'] as const

describe('a storage server stops sending', () => {
  test.each([...calls, 'download'] as const)('before the headers of its answer: %s ends', async (call) => {
    const clients = await createClients(() => {})
    expect(await catchFailure(clients[call]())).toEqual(broken(/Timeout|in time/))
  })

  test.each(calls)('in its answer: %s ends', async (call) => {
    const clients = await createClients((_request, response) =>
      response.writeHead(200, { 'content-length': 99 }).write('<a>'),
    )
    expect(await catchFailure(clients[call]())).toEqual(broken(/sent nothing more/))
  })

  test.each([...calls, 'download'] as const)('in the text of a failure: %s ends', async (call) => {
    const clients = await createClients((_request, response) =>
      response.writeHead(500, { 'content-length': 99 }).write('<a>'),
    )
    expect(await catchFailure(clients[call]())).toEqual(broken(/sent nothing more/))
  })

  test.each([
    ['a short download', 'download', { 'content-length': 99 }],
    ['a long download', 'download', { 'content-length': 8 * MiB }],
    ['a download of unknown length', 'download', {}],
    ['a download that goes through TLS', 'request', { 'content-length': 8 * MiB }],
  ] as const)('in the content: the connection of %s is closed', async (_, call, headers) => {
    const clients = await createClients((_request, response) => response.writeHead(200, headers).write('x'.repeat(90)))
    const { url, outcomes } = await handOn(() => clients[call]())
    const answer = await requestAnswer(url)
    await expect(countBytes(answer)).rejects.toThrow('aborted')
    await expect.poll(() => outcomes).toEqual([expect.objectContaining({ reason: 'broken' })])
  })
})

test.each([
  ['a download', 'download', { 'content-length': 40 * MiB }],
  ['a download of unknown length', 'download', {}],
  ['a download that goes through TLS', 'request', { 'content-length': 40 * MiB }],
] as const)('%s waits for a slow caller longer than for the storage server', async (_, call, headers) => {
  const clients = await createClients((_request, response) =>
    response.writeHead(200, headers).end(Buffer.alloc(40 * MiB)),
  )
  const { url, outcomes } = await handOn(() => clients[call]())
  const answer = await requestAnswer(url)
  // The test needs a period without data; undici's timers are up to a second late.
  await sleep(10 * TIMEOUT_MS)
  expect(await countBytes(answer)).toBe(40 * MiB)
  await expect.poll(() => outcomes).toEqual(['sent'])
})

test.each([
  ['list', 200],
  ['versioning', 200],
  ['create', 200],
  ['list', 500],
  ['versioning', 500],
  ['download', 500],
] as const)('an endless answer is not kept in memory: %s with status %i', async (call, status) => {
  let sent = 0
  const clients = await createClients((_request, response) => {
    const piece = Buffer.alloc(MiB, 'x')
    const source = Readable.from(
      (function* () {
        for (; ; sent += piece.length) yield piece
      })(),
    )
    response.writeHead(status).on('close', () => source.destroy())
    source.pipe(response)
    // A busy machine may pause for longer than the timeout of the other tests.
  }, 30_000)
  expect(await catchFailure(clients[call]())).toEqual(broken(/longer than/))
  // Bytes in transit count as sent.
  expect(sent).toBeLessThan((status === 200 ? 64 : 1) * MiB + 32 * MiB)
})

type Sent = Awaited<ReturnType<Awaited<ReturnType<typeof createClients>>['download' | 'request']>>

/** Starts a server that forwards the result of a call, and reports how it ended. */
async function handOn(call: () => Promise<Sent>) {
  const outcomes: unknown[] = []
  const send = async (response: ServerResponse) => {
    const content = await call()
    response.writeHead(content.statusCode)
    if ('sendTo' in content) await content.sendTo(response)
    else await pipeBody(content.body, response)
  }
  const url = await serve((_request, response) => {
    send(response).then(
      () => outcomes.push('sent'),
      (error: unknown) => {
        outcomes.push(findConnectionFailure(error) ?? error)
        response.destroy()
      },
    )
  })
  return { url, outcomes }
}

async function requestAnswer(url: URL): Promise<IncomingMessage> {
  const [answer] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage]
  return answer
}

async function countBytes(answer: IncomingMessage): Promise<number> {
  let length = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) length += chunk.length
  return length
}
