import { createHash, hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { BlobWriter } from '../../blobs/blob-writer.ts'
import { Compressor } from '../../blobs/compressed-body.ts'
import { BodyEncryptor, deriveBodyKey, encryptBody, encryptedSize } from '../../key-ring/encrypted-body.ts'
import type { Transaction } from '../commit/transaction.ts'
import type { EngineCore } from '../core/engine-core.ts'
import { deriveInlineKey, type ObjectEncryptionKey } from '../encryption/object-encryption.ts'
import { addBlob } from '../records/blob-references.ts'
import { incompleteBody } from '../records/engine-errors.ts'
import type { BlobSegment } from '../records/index-records.ts'

/** Bodies up to this many bytes are stored in the index. */
export const MAX_INLINE_BYTES = 16 * 1024

/** A body that was read to its end. It is already synced, unless the commit stores it. */
export interface ReceivedObjectBody {
  /** Received bytes. */
  size: number
  /** MD5 of the received bytes, hexadecimal. */
  md5: string
  /** The bytes to store, when they stay in memory; encrypted if there is a key. */
  data: Buffer | undefined
  /** Enters the blob, if any, and returns its segments. Called inside the commit, because a drive may have failed meanwhile. */
  enter(tx: Transaction): BlobSegment[]
  /** Called after the commit: moves the blob to its final name. */
  settle(): void
  /** Removes the written blob. Called if no commit used it. */
  discard(): Promise<void>
}

/**
 * Reads a body: a small one into memory, a larger one to a fresh blob.
 * @param options.size announced bytes, compared with the received ones
 * @param options.inline whether a small body may stay in memory
 * @param options.key encrypts the body
 * @param options.object the object of the body: its name and type decide whether a blob is compressed
 * @throws S3Error IncompleteBody, XMinioStorageFull, and what the stream throws
 */
export async function receiveBody(
  core: EngineCore,
  body: Readable,
  options: {
    size: number | undefined
    inline: boolean
    key: ObjectEncryptionKey | undefined
    object: { key: string; headers?: Readonly<Record<string, string>> | undefined }
  },
): Promise<ReceivedObjectBody> {
  const { key, object } = options
  const compress = core.compression.isWanted({
    key: object.key,
    contentType: object.headers?.['content-type'] ?? '',
    isEncrypted: key !== undefined,
  })
  const limit = options.inline ? MAX_INLINE_BYTES : 0
  const head = await readHead(body, limit)
  const received = head.ended
    ? inMemoryBody(head.bytes, key)
    : await writeToBlob(core, { head: head.bytes, rest: body, announced: options.size ?? 0, key, compress })
  if (options.size !== undefined && options.size !== received.size) {
    await received.discard()
    throw incompleteBody()
  }
  return received
}

function inMemoryBody(body: Buffer, key: ObjectEncryptionKey | undefined): ReceivedObjectBody {
  return {
    size: body.length,
    md5: hash('md5', body, 'hex'),
    data: key ? encryptBody(deriveInlineKey(key), body) : body,
    enter: () => [],
    settle: () => undefined,
    discard: () => Promise.resolve(),
  }
}

interface BlobBodySource {
  head: Buffer
  rest: Readable
  /** Bytes. */
  announced: number
  key: ObjectEncryptionKey | undefined
  compress: boolean
}

async function writeToBlob(
  core: EngineCore,
  { head, rest, announced, key, compress }: BlobBodySource,
): Promise<ReceivedObjectBody> {
  const { blobs } = core
  const writer = await blobs.create(key ? encryptedSize(announced) : announced)
  const sealed = key && new EncryptedSink(writer, key)
  const compressor = compress ? new Compressor(sealed ?? writer) : undefined
  const sink = compressor ?? sealed ?? writer
  try {
    await sink.write(head)
    for await (const chunk of rest) await sink.write(chunk as Uint8Array)
    const came = await compressor?.end()
    const encrypted = await sealed?.end()
    const { blob, size, copies, md5 } = await writer.finish()
    const { size: plain, md5: plainMd5 } = came ?? encrypted ?? { size, md5 }
    const segment: BlobSegment = {
      blob,
      offset: 0,
      length: sealed ? size : plain,
      ...(came?.compressed && { plain }),
    }
    let slots = copies.map(({ slot }) => slot)
    return {
      size: plain,
      md5: plainMd5,
      data: undefined,
      enter(tx) {
        slots = blobs.presentSlots(copies)
        addBlob(tx, { blob, size, slots, incomplete: slots.length < blobs.wantedCopies })
        return [segment]
      },
      settle: () => void blobs.settle(blob, slots),
      discard: async () => void (await blobs.discard(blob, slots)),
    }
  } catch (error) {
    await compressor?.abort()
    await writer.abort()
    rest.destroy()
    throw isConnectionCut(error) ? incompleteBody(error) : error
  }
}

/** Encrypts a body that is written to a blob. Hashes the received bytes; the writer hashes the stored ones. */
class EncryptedSink {
  readonly #sealer: BodyEncryptor
  readonly #md5 = createHash('md5')
  #size = 0

  constructor(
    private readonly writer: BlobWriter,
    key: ObjectEncryptionKey,
  ) {
    this.#sealer = new BodyEncryptor(deriveBodyKey(key.key, writer.blob))
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#md5.update(bytes)
    this.#size += bytes.length
    for (const block of this.#sealer.update(bytes)) await this.writer.write(block)
  }

  async end(): Promise<{ size: number; md5: string }> {
    await this.writer.write(this.#sealer.final())
    return { size: this.#size, md5: this.#md5.digest('hex') }
  }
}

/** Reads until the end or until more than `limit` bytes have arrived; the stream is then paused and can be continued. */
function readHead(body: Readable, limit: number): Promise<{ bytes: Buffer; ended: boolean }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const done = (ended: boolean) => {
      body.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose)
      const [only] = chunks
      resolve({ bytes: chunks.length === 1 && only ? only : Buffer.concat(chunks), ended })
    }
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= limit) return
      body.pause()
      // The stream may fail while it is paused. The next read throws the error; without a listener the process would end.
      body.on('error', () => undefined)
      done(false)
    }
    const onEnd = () => done(true)
    const onError = (error: Error) => reject(isConnectionCut(error) ? incompleteBody(error) : error)
    const onClose = () => reject(incompleteBody())
    if (body.errored) return onError(body.errored)
    if (body.readableEnded) return done(true)
    if (body.destroyed) return onClose()
    body.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
  })
}

function isConnectionCut(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
  )
}
