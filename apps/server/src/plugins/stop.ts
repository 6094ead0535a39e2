import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { unusedConnections } from '../lib/program/store-parts.ts'

/**
 * A stop waits for running calls and for nothing else: not for connections on which nothing was asked yet, and not for
 * those that become idle while it stops, at which Node would not look again.
 */
export function addStop(app: FastifyInstance): void {
  const unused = unusedConnections(app.server)
  let stopping = false

  app.addHook('preClose', async () => {
    stopping = true
    for (const socket of unused) socket.destroy()
    app.server.on('connection', (socket: Socket) => socket.destroy())
  })
  app.addHook('onRequest', async (_request, reply) => {
    reply.raw.once('close', () => {
      if (stopping) setImmediate(() => app.server.closeIdleConnections())
    })
  })
}
