import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import type { FastifyInstance } from 'fastify'

/**
 * A stop waits for running calls and for nothing else. To Node a connection on which nothing was asked yet is a busy one,
 * and browsers open such ahead of need: a stop would wait for them until they time out. Neither does Node look again at
 * connections that become idle while it stops.
 */
export function addStop(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  let stopping = false
  const onConnection = (socket: Socket) => {
    if (stopping) return socket.destroy()
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  }
  app.server.on(app.server instanceof TlsServer ? 'secureConnection' : 'connection', onConnection)
  app.server.on('request', ({ socket }) => unused.delete(socket))

  app.addHook('preClose', async () => {
    stopping = true
    for (const socket of unused) socket.destroy()
  })
  app.addHook('onRequest', async (_request, reply) => {
    reply.raw.once('close', () => {
      if (stopping) setImmediate(() => app.server.closeIdleConnections())
    })
  })
}
