/** Maximum size of a record, in bytes; servers send a few KB. */
const MAX_RECORD = 8 << 20

/** Replaces records in a stream that were too long, or not JSON. */
export class LostRecords {
  constructor(readonly count: number) {}
}

/** Records as they arrive. Ends with the answer; leaving the loop aborts the call. */
export type JsonStream = AsyncIterable<unknown>

/**
 * Parses newline-delimited JSON. Ignores spaces between records, which servers send to keep the connection open.
 * @param maxRecord bytes; longer records are skipped
 */
export async function* readJsonStream(
  body: AsyncIterable<Buffer>,
  maxRecord = MAX_RECORD,
): AsyncGenerator<unknown, void, void> {
  let pieces: Buffer[] = []
  let length = 0
  let tooLong = false
  const takeRecord = (): unknown => {
    const text = Buffer.concat(pieces, length).toString('utf8').trim()
    const lost = tooLong
    pieces = []
    length = 0
    tooLong = false
    if (lost) return new LostRecords(1)
    return text === '' ? undefined : parse(text)
  }
  for await (const chunk of body) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end))
      start = end + 1
      const record = takeRecord()
      if (record !== undefined) yield record
    }
    add(chunk.subarray(start))
  }
  const record = takeRecord()
  if (record !== undefined) yield record

  function add(piece: Buffer): void {
    // Spaces that keep the connection open may come before a record, perhaps for hours.
    if (piece.length === 0 || (length === 0 && isBlank(piece))) return
    if (length + piece.length > maxRecord) {
      tooLong = true
      pieces = []
      length = 1
      return
    }
    if (tooLong) return
    // Copied, because the network buffer is larger than the part that is kept.
    pieces.push(Buffer.from(piece))
    length += piece.length
  }
}

function isBlank(piece: Buffer): boolean {
  return piece.every((byte) => byte === 32 || byte === 13 || byte === 9)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return new LostRecords(1)
  }
}
