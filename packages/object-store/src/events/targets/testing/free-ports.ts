import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below Linux' ephemeral ports (32768 to 60999), so that no outgoing connection takes a port before the server starts. */
const FIRST = 10_000
const LAST = 29_999

/** Returns the first of `count` consecutive free ports of 127.0.0.1, all from `first` to `last`. */
export async function freePorts(count = 1, first = FIRST, last = LAST): Promise<number> {
  for (;;) {
    const start = randomInt(first, last - count)
    const ports = Array.from({ length: count }, (_, index) => start + index)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return start
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
