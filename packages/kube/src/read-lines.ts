/**
 * Splits bytes at line feeds. Also yields a last line without one.
 * @throws RangeError if a line is longer than `longest` bytes
 */
export async function* readLines(chunks: AsyncIterable<Buffer>, longest: number): AsyncGenerator<string> {
  let held: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      held.push(chunk.subarray(from, end))
      yield Buffer.concat(held).toString('utf8')
      held = []
      size = 0
      from = end + 1
    }
    if (from === chunk.length) continue
    held.push(chunk.subarray(from))
    size += chunk.length - from
    if (size > longest) throw new RangeError(`A line is longer than ${longest} bytes`)
  }
  if (size > 0) yield Buffer.concat(held).toString('utf8')
}
