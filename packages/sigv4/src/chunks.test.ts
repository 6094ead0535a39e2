import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ChunkDecoder, type ChunkDecoderOptions, MAX_SIGNED_CHUNK_BYTES } from './chunk-decoder.ts'
import { ChunkEncoder, type ChunkEncoderOptions, encodedLength } from './chunk-encoder.ts'
import { PayloadCheck } from './payload-check.ts'
import { type SignatureSeed, signHeaders } from './sign.ts'

const { seed } = signHeaders(
  { method: 'PUT', path: '/b/k', query: '', headers: { host: 'h' } },
  { credentials: { accessKey: 'a', secretKey: 's' }, region: 'r' },
)
const trailers = { 'x-amz-checksum-crc32': 'AAAAAA==' }

async function encode(pieces: Uint8Array[], options: ChunkEncoderOptions): Promise<Buffer> {
  const encoder = new ChunkEncoder(options)
  const [wire] = await Promise.all([buffer(encoder), pipeline(Readable.from(pieces), encoder)])
  return wire
}

async function decode(pieces: Uint8Array[], options: ChunkDecoderOptions) {
  const decoder = new ChunkDecoder(options)
  const [body] = await Promise.all([buffer(decoder), pipeline(Readable.from(pieces), decoder)])
  return { body, trailers: decoder.trailers }
}

/** Cuts bytes at the given positions, as a network does. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1))), bytes.length].sort((a, b) => a - b)
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end)).filter((piece) => piece.length > 0)
}

const forms: [string, { seed?: SignatureSeed; trailers?: typeof trailers }][] = [
  ['signed', { seed }],
  ['signed with trailers', { seed, trailers }],
  ['unsigned with trailers', { trailers }],
]

describe.each(forms)('%s', (_name, { seed, trailers }) => {
  const sending = { ...(seed && { seed }), ...(trailers && { trailers: () => trailers }) }
  const reading = { ...(seed && { seed }), ...(trailers && { trailers: Object.keys(trailers) }) }

  test('a body is decoded for any sizes of chunks and network packets', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        async (bytes, chunkSize, places) => {
          const body = Buffer.from(bytes)
          const wire = await encode(cut(body, places), { ...sending, chunkSize })
          const lengths = trailers && Object.fromEntries(Object.entries(trailers).map(([n, v]) => [n, v.length]))
          const options = { signed: seed !== undefined, chunkSize, ...(lengths && { trailers: lengths }) }
          expect(wire.length).toBe(encodedLength(body.length, options))
          const decoded = await decode(cut(wire, places), { ...reading, decodedLength: body.length })
          expect(decoded.body.equals(body)).toBe(true)
          expect(decoded.trailers).toEqual(trailers ?? {})
        },
      ),
      { numRuns: 40 },
    )
  })

  test('a body of another length than announced is refused', async () => {
    const wire = await encode([Buffer.from('hello')], sending)
    for (const decodedLength of [4, 6]) {
      await expect(decode([wire], { ...reading, decodedLength })).rejects.toMatchObject({ code: 'IncompleteBody' })
    }
  })

  test('a body that ends early is refused', async () => {
    const wire = await encode([Buffer.from('hello')], sending)
    const last = wire.indexOf('\r\n0')
    for (const end of [0, 1, 3, last, last + 2]) {
      await expect(decode([wire.subarray(0, end)], { ...reading, decodedLength: 5 })).rejects.toMatchObject({
        code: 'IncompleteBody',
      })
    }
  })
})

describe('signatures', () => {
  test('no byte of a changed chunk is passed on', async () => {
    const wire = await encode([Buffer.alloc(20, 'a'), Buffer.alloc(20, 'b')], { seed, chunkSize: 20 })
    wire[wire.indexOf('bbbb')] = 0x63
    const decoder = new ChunkDecoder({ seed, decodedLength: 40 })
    const passed: Buffer[] = []
    decoder.on('data', (piece: Buffer) => passed.push(piece))
    await expect(pipeline(Readable.from([wire]), decoder)).rejects.toMatchObject({ code: 'SignatureDoesNotMatch' })
    expect(Buffer.concat(passed).toString()).not.toContain('b')
  })

  test('chunks cannot be reordered', async () => {
    const wire = await encode([Buffer.alloc(20, 'a'), Buffer.alloc(20, 'b')], { seed, chunkSize: 20 })
    const size = wire.indexOf('\r\n14;') + 2
    const swapped = Buffer.concat([wire.subarray(size, 2 * size), wire.subarray(0, size), wire.subarray(2 * size)])
    await expect(decode([swapped], { seed, decodedLength: 40 })).rejects.toMatchObject({
      code: 'SignatureDoesNotMatch',
    })
  })

  test('a changed trailer is refused', async () => {
    const wire = await encode([Buffer.from('hello')], { seed, trailers: () => trailers })
    const changed = Buffer.from(wire.toString('latin1').replace('AAAAAA==', 'BAAAAA=='), 'latin1')
    await expect(decode([changed], { seed, decodedLength: 5, trailers: Object.keys(trailers) })).rejects.toMatchObject({
      code: 'SignatureDoesNotMatch',
    })
  })

  test('a chunk that is too large is refused before it arrives', async () => {
    const line = Buffer.from(`${(MAX_SIGNED_CHUNK_BYTES + 1).toString(16)};chunk-signature=${'0'.repeat(64)}\r\n`)
    await expect(decode([line], { seed, decodedLength: 2 ** 40 })).rejects.toMatchObject({ code: 'InvalidRequest' })
  })
})

describe('framing', () => {
  const broken: [what: string, wire: string, code: string][] = [
    ['no size', 'hello\r\n', 'InvalidRequest'],
    ['a negative size', '-5\r\nhello\r\n0\r\n\r\n', 'InvalidRequest'],
    ['a size beyond 2^52', 'fffffffffffffff\r\n', 'InvalidRequest'],
    ['a chunk longer than its size', '3\r\nhello\r\n0\r\n\r\n', 'InvalidRequest'],
    ['LF alone after the size', '5\nhello\r\n0\r\n\r\n', 'InvalidRequest'],
    ['an endless chunk header', `5;${'x'.repeat(5000)}`, 'InvalidRequest'],
    ['endless trailers', `0\r\n${'x'.repeat(20_000)}`, 'MalformedTrailerError'],
    ['a trailer without a name', '5\r\nhello\r\n0\r\n:x\r\n\r\n', 'MalformedTrailerError'],
    ['a trailer not announced', '5\r\nhello\r\n0\r\nx-amz-checksum-sha1:x\r\n\r\n', 'MalformedTrailerError'],
    ['an announced trailer missing', '5\r\nhello\r\n0\r\n\r\n', 'MalformedTrailerError'],
  ]
  test.each(broken)('%s is refused', async (_what, wire, code) => {
    const options = { decodedLength: 5, trailers: ['x-amz-checksum-crc32'] }
    await expect(decode([Buffer.from(wire)], options)).rejects.toMatchObject({ name: 'SignatureError', code })
  })

  test('data after the last chunk is refused if no trailers were announced', async () => {
    const wire = await encode([Buffer.from('hello')], { seed })
    const more = Buffer.concat([wire, Buffer.from('GET / HTTP/1.1')])
    await expect(decode([more], { seed, decodedLength: 5 })).rejects.toMatchObject({ code: 'InvalidRequest' })
  })

  test('a slow reader pauses the writer', async () => {
    const decoder = new ChunkDecoder({ decodedLength: 2 ** 30, trailers: [] })
    decoder.write(Buffer.concat([Buffer.from('40000000\r\n'), Buffer.alloc(1024)]))
    let taken = 1
    while (decoder.write(Buffer.alloc(16 * 1024))) taken++
    expect(taken).toBeLessThan(20)
    decoder.destroy()
  })
})

describe('the hash of a body', () => {
  const sha256 = createHash('sha256').update('hello').digest('hex')
  test('forwards the body and ends without an error if it matches', async () => {
    const check = new PayloadCheck(sha256)
    const [body] = await Promise.all([buffer(check), pipeline(Readable.from([Buffer.from('hello')]), check)])
    expect(body.toString()).toBe('hello')
  })
  test('fails at the end if it does not match', async () => {
    const run = pipeline(Readable.from([Buffer.from('hallo')]), new PayloadCheck(sha256), async (body) => {
      for await (const _ of body);
    })
    await expect(run).rejects.toMatchObject({ code: 'XAmzContentSHA256Mismatch' })
  })
})
