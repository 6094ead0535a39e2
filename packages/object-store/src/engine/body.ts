import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { addBlob } from './blob-references.ts'
import type { Core } from './core.ts'
import { incompleteBody } from './failures.ts'
import type { Segment } from './records.ts'
import type { Transaction } from './transaction.ts'

/** Bodies up to this many bytes stand in the index. */
export const INLINE_BYTES = 16 * 1024

/** A body that was read to its end, synced where it is not part of the commit. */
export interface Received {
  size: number
  /** Hexadecimal. */
  md5: string
  /** The bytes, when they stay in memory. */
  data: Buffer | undefined
  /** Enters the blob, if there is one, and names it. Inside the commit, because a drive may have gone meanwhile. */
  enter(tx: Transaction): Segment[]
  /** After the commit. */
  settle(): void
  /** Removes what was written; to be called when no commit took it. */
  discard(): Promise<void>
}

/**
 * Reads a body: a small one into memory, a larger one to a fresh blob.
 * @param options.size bytes announced, checked against what came
 * @param options.inline whether a small body may stay in memory
 * @throws S3Error IncompleteBody, XMinioStorageFull, and what the stream throws
 */
export async function receive(
  core: Core,
  body: Readable,
  options: { size: number | undefined; inline: boolean },
): Promise<Received> {
  const limit = options.inline ? INLINE_BYTES : 0
  const head = await readHead(body, limit)
  const received = head.ended ? inMemory(head.bytes) : await toBlob(core, head.bytes, body, options.size ?? 0)
  if (options.size !== undefined && options.size !== received.size) {
    await received.discard()
    throw incompleteBody()
  }
  return received
}

function inMemory(data: Buffer): Received {
  return {
    size: data.length,
    md5: hash('md5', data, 'hex'),
    data,
    enter: () => [],
    settle: () => undefined,
    discard: () => Promise.resolve(),
  }
}

async function toBlob(core: Core, head: Buffer, rest: Readable, announced: number): Promise<Received> {
  const { blobs } = core
  const writer = await blobs.create(announced)
  try {
    await writer.write(head)
    for await (const chunk of rest) await writer.write(chunk as Uint8Array)
    const { blob, size, copies, md5 } = await writer.finish()
    let slots = copies.map(({ slot }) => slot)
    return {
      size,
      md5,
      data: undefined,
      enter(tx) {
        slots = blobs.present(copies)
        addBlob(tx, { blob, size, slots, incomplete: slots.length < blobs.wanted })
        return [{ blob, offset: 0, length: size }]
      },
      settle: () => void blobs.settle(blob, slots),
      discard: async () => void (await blobs.discard(blob, slots)),
    }
  } catch (error) {
    await writer.abort()
    rest.destroy()
    throw isCut(error) ? incompleteBody(error) : error
  }
}

/** Reads until the end or until more than `limit` bytes have come; then the stream is paused and goes on behind them. */
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
      done(false)
    }
    const onEnd = () => done(true)
    const onError = (error: Error) => reject(isCut(error) ? incompleteBody(error) : error)
    const onClose = () => reject(incompleteBody())
    if (body.errored) return onError(body.errored)
    if (body.readableEnded) return done(true)
    if (body.destroyed) return onClose()
    body.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose)
  })
}

function isCut(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
  )
}
