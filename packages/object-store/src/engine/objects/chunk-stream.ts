import { Readable } from 'node:stream'

/** Makes a body from the content of an object. Copies the chunks: a reader reuses its memory, a stream keeps several. */
export function chunksToStream(chunks: AsyncGenerator<Buffer, void, void>): Readable {
  return Readable.from(copyChunks(chunks), { objectMode: false })
}

async function* copyChunks(chunks: AsyncGenerator<Buffer, void, void>): AsyncGenerator<Buffer, void, void> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}
