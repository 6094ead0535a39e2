import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { freePorts } from '../../../packages/object-store/src/events/targets/testing/free-ports.ts'

/** Occupies a port until the end of the block. */
export async function occupiedPort(): Promise<{ port: string } & AsyncDisposable> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = String((server.address() as AddressInfo).port)
  return { port, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** Returns a free port, for a program that needs a fixed one. */
export const freePort = async (): Promise<string> => String(await freePorts())
