import { expect, test } from 'vitest'
import { MAX_LIVE_ROWS } from '../../lib/api/live-stream.ts'
import { openTraceFile } from './open-trace-file.ts'

const GiB = 2 ** 30

/** A file of a GiB that consists of one piece, again and again. */
function craftedFile(piece: string) {
  const bytes = new TextEncoder().encode(piece)
  const read = { bytes: 0 }
  const stream = () =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (read.bytes >= GiB) return controller.close()
        read.bytes += bytes.length
        controller.enqueue(bytes)
      },
    })
  return { file: { stream } as Blob, read }
}

test.each([
  ['one line without an end', 'x'.repeat(1 << 20)],
  ['lines that are no records', '{"api":7}\n[]\nnull\n"text"\n'.repeat(1000)],
])('a crafted file of 1 GiB is refused early: %s', async (_, piece) => {
  const { file, read } = craftedFile(piece)
  await expect(openTraceFile(file)).rejects.toThrow('not a saved trace')
  expect(read.bytes).toBeLessThan(16 << 20)
})

test('of a long trace the last rows are kept', async () => {
  const lines = Array.from({ length: MAX_LIVE_ROWS + 5 }, (_, n) => `{"api":"s3.GetObject","path":"/${n}"}\n`)
  const rows = await openTraceFile(new Blob(lines))
  expect(rows).toHaveLength(MAX_LIVE_ROWS)
  expect(rows.at(-1)?.message?.path).toBe(`/${MAX_LIVE_ROWS + 4}`)
})

test('members of the wrong type, and names such as __proto__, do no harm', async () => {
  const line =
    '{"api":"s3.X","callStats":[],"durationNs":"1","kind":{},"__proto__":{"path":"x"},"requestHeaders":{"a":7,"b":["c",1]}}'
  const [row] = await openTraceFile(new Blob([line]))
  expect(row?.message).toMatchObject({ path: '', durationNs: 0, kind: 's3', requestHeaders: { a: [], b: ['c'] } })
})
