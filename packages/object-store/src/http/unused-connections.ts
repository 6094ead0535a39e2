import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'

/**
 * Tracks the connections of a server that have not sent a request yet. Browsers open such connections in advance. Node treats
 * them as busy, so they would delay closing the server until they time out.
 * @param asked events of the server for a new request
 */
export function trackUnusedConnections(
  server: HttpServer | HttpsServer,
  asked: readonly string[] = ['request'],
): ReadonlySet<Socket> {
  const unused = new Set<Socket>()
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  for (const event of asked) server.on(event, ({ socket }: IncomingMessage) => unused.delete(socket))
  return unused
}
