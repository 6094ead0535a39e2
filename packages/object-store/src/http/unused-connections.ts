import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'

/**
 * Connections of a server on which nothing was asked yet. To Node they are busy, and browsers open such ahead of need: they
 * would hold up its end until they time out.
 * @param asked the server's events that announce a request
 */
export function unusedConnections(
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
