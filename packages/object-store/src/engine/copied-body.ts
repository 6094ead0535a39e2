import { Readable } from 'node:stream'

/** A body of an object as that of a write. A reader uses the memory of its chunks again, and a stream may keep several. */
export function streamOf(chunks: AsyncGenerator<Buffer, void, void>): Readable {
  return Readable.from(copied(chunks), { objectMode: false })
}

async function* copied(chunks: AsyncGenerator<Buffer, void, void>): AsyncGenerator<Buffer, void, void> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}
