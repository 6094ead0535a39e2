/** Bytes of the longest record that is read; servers send a few KB. */
const MAX_RECORD = 8 << 20

/** Stands in a stream for records that were too long, or no JSON. */
export class LostRecords {
  constructor(readonly count: number) {}
}

/** Records as they arrive. It ends with the answer; leaving the loop ends the call. */
export type JsonStream = AsyncIterable<unknown>

/**
 * Reads JSON values that are each ended by a newline, with blanks between them, as servers send to keep a connection open.
 * @param maxRecord bytes; a longer record is passed over
 */
export async function* readJsonStream(
  body: AsyncIterable<Buffer>,
  maxRecord = MAX_RECORD,
): AsyncGenerator<unknown, void, void> {
  let pieces: Buffer[] = []
  let length = 0
  let tooLong = false
  const take = (): unknown => {
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
      const record = take()
      if (record !== undefined) yield record
    }
    add(chunk.subarray(start))
  }
  const record = take()
  if (record !== undefined) yield record

  function add(piece: Buffer): void {
    // Blanks that keep the connection open come before a record, for hours perhaps.
    if (piece.length === 0 || (length === 0 && isBlank(piece))) return
    if (length + piece.length > maxRecord) {
      tooLong = true
      pieces = []
      length = 1
      return
    }
    if (tooLong) return
    // Copied: the network's buffer is larger than what is left of it here.
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
