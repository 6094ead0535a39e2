import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib'
import { BufferCollector } from './buffer-collector.ts'
import { centralRecord, dataDescriptor, endRecords, localHeader, type ZipEntryRecord } from './zip-records.ts'

/** A file or folder of a zip. */
export interface ZipFile {
  /** Relative; that of a folder ends with a slash. At most 65,535 bytes in UTF-8. */
  path: string
  mtime: Date
  /** Small contents are cheaper as bytes; absent for a folder. */
  content?: Uint8Array | Readable
  /** Number of bytes of a stream, if it is known; another number of them is an error. */
  size?: number | undefined
  compress: boolean
}

/** Bytes that are sent at once. */
const BUFFER_BYTES = 64 * 1024
/** Streams of at least this size have sizes of 64 bits; deflate may make a stream a little longer. */
const WIDE_BYTES = 0xff000000

const deflated = promisify(deflateRaw)

/**
 * Yields the bytes of a zip. One file is open at a time, and only a line of the directory is kept of each. Small files leave
 * together: a write for each would cost more than all the rest.
 * @throws Error if a stream fails or does not have its size; the zip then lacks its end
 */
export async function* zipBytes(files: AsyncIterable<ZipFile> | Iterable<ZipFile>): AsyncGenerator<Buffer> {
  const out = new BufferCollector(BUFFER_BYTES)
  const directory = new BufferCollector(BUFFER_BYTES)
  let entries = 0
  /** Bytes of streams, which do not pass through `out`. */
  let streamed = 0
  for await (const file of files) {
    const { content } = file
    const entry = createEntryRecord(file, out.size + streamed)
    if (!content || content instanceof Uint8Array) {
      const packed = await packBytes(content ?? Buffer.alloc(0), entry, file.compress)
      out.add(localHeader(entry))
      out.add(packed)
      // At the first file, the caller sees at once that the zip has begun.
      yield* entries === 0 ? out.all() : out.full()
    } else {
      out.add(localHeader(entry))
      yield* out.all()
      for await (const chunk of packStream(content, entry, file)) {
        entry.packed += chunk.length
        yield chunk
      }
      streamed += entry.packed
      if (file.size !== undefined && entry.size !== file.size)
        throw new Error(`A file of a zip has ${entry.size} bytes instead of ${file.size}`)
      out.add(dataDescriptor(entry))
    }
    directory.add(centralRecord(entry))
    entries++
  }
  const offset = out.size + streamed
  yield* out.all()
  const { size } = directory
  yield* directory.all()
  yield endRecords({ entries, size, offset })
}

function createEntryRecord({ path, mtime, content, size, compress }: ZipFile, offset: number): ZipEntryRecord {
  const isStream = content !== undefined && !(content instanceof Uint8Array)
  return {
    name: Buffer.from(path),
    mtime,
    method: isStream && compress ? 8 : 0,
    crc: 0,
    packed: 0,
    size: 0,
    offset,
    described: isStream,
    wide: isStream && !(size !== undefined && size < WIDE_BYTES),
  }
}

/** Returns the bytes as they will be in the zip, and notes in the entry what it tells about them. */
async function packBytes(content: Uint8Array, entry: ZipEntryRecord, compress: boolean): Promise<Uint8Array> {
  entry.crc = crc32(content)
  entry.size = content.length
  const smaller = compress && content.length > 0 ? await deflated(content) : undefined
  const packed = smaller && smaller.length < content.length ? smaller : content
  if (packed === smaller) entry.method = 8
  entry.packed = packed.length
  return packed
}

/** Yields a stream as it will be in the zip, and notes checksum and size of its content. */
function packStream(content: Readable, entry: ZipEntryRecord, { compress }: ZipFile): AsyncIterable<Buffer> {
  const source = sumStream(content, entry)
  // A failure of the source is also a failure of the compressed stream, whose reader gets it.
  return compress ? pipeline(source, createDeflateRaw(), () => {}) : source
}

async function* sumStream(content: Readable, entry: ZipEntryRecord): AsyncGenerator<Buffer> {
  for await (const chunk of content as AsyncIterable<Buffer>) {
    entry.crc = crc32(chunk, entry.crc)
    entry.size += chunk.length
    yield chunk
  }
}
