import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A port of this machine that something listens on, until the end of the block. */
export async function takenPort(): Promise<{ port: string } & AsyncDisposable> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = String((server.address() as AddressInfo).port)
  return { port, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** A port that was free a moment ago, for a program that must be told one. */
export async function freePort(): Promise<string> {
  await using taken = await takenPort()
  return taken.port
}
