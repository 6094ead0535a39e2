import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ports that Linux gives to outgoing connections (32768 to 60999): no client can take one before the server starts. */
const FIRST = 10_000
const LAST = 29_999

/** Returns the first of `count` consecutive ports that are free at 127.0.0.1, all of them between two others. */
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
