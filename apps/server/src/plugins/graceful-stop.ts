import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { trackUnusedConnections } from '../lib/store-package/index.ts'

/**
 * Makes a stop wait only for running calls: closes connections without a request, and those that become idle during the stop,
 * which Node does not check again.
 */
export function addGracefulStop(app: FastifyInstance): void {
  const unused = trackUnusedConnections(app.server)
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
