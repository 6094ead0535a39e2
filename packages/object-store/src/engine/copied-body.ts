import { Readable } from 'node:stream'

/** Makes a body from the content of an object. Copies the chunks: a reader reuses its memory, a stream keeps several. */
export function streamOf(chunks: AsyncGenerator<Buffer, void, void>): Readable {
  return Readable.from(copied(chunks), { objectMode: false })
}

async function* copied(chunks: AsyncGenerator<Buffer, void, void>): AsyncGenerator<Buffer, void, void> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}
