import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BROTLI_OPTIONS, COMPRESSED_BYTES } from './compression.ts'

const COMPRESSORS = {
  br: (body: Buffer) => promisify(brotliCompress)(body, BROTLI_OPTIONS),
  gzip: promisify(gzip) as (body: Buffer) => Promise<Buffer>,
} as const
type Encoding = keyof typeof COMPRESSORS

/** A long JSON answer that is sent to several callers: it becomes text once, and is compressed once for each encoding. */
export class PreparedAnswer<T> {
  readonly #body: Buffer
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()

  constructor(value: T) {
    this.#body = Buffer.from(JSON.stringify(value))
  }

  /** What clients read. */
  get value(): unknown {
    return JSON.parse(this.#body.toString())
  }

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.type('application/json; charset=utf-8')
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    if (!encoding || this.#body.length < COMPRESSED_BYTES) return reply.send(this.#body)
    // Fastify's plugin leaves an answer alone that has an encoding already.
    reply.header('content-encoding', encoding).header('vary', 'accept-encoding')
    return reply.send(await this.#compress(encoding))
  }

  #compress(encoding: Encoding): Promise<Buffer> {
    const known = this.#compressed.get(encoding)
    if (known) return known
    const compressed = COMPRESSORS[encoding](this.#body)
    this.#compressed.set(encoding, compressed)
    return compressed
  }
}

/** Returns the best encoding that a client names in `Accept-Encoding`. */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  const accepted = (header ?? '').split(',').flatMap((item) => {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name]
  })
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding))
}
