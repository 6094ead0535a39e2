import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Returns a new port that leads to a port of this machine. A real cluster gives a node port to one service alone, so services
 * that lead to the same server each need one. Closed after the test.
 */
export async function newNodePort(port: number): Promise<number> {
  const relay: Server = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      // `close` follows.
      socket.on('error', () => {})
      socket.on('close', () => other.destroy())
    }
    client.pipe(server).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  onTestFinished(() => void relay.close())
  return (relay.address() as AddressInfo).port
}
