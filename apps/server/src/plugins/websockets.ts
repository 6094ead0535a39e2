import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import websocket from '@fastify/websocket'
import { LIVE_CLOSE, LIVE_PROTOCOL } from '@stowage/contract'
import type { FastifyInstance } from 'fastify'

/** Maximum size of a frame from a client (bytes); clients only send signs of life. */
const MAX_FRAME = 32 << 10
/** How long sockets may take to close when the console stops (ms). */
const CLOSE_MS = 1_000

/** Takes the upgrade of a request that another app serves; false leaves it to this one. */
export type UpgradeHandler = (request: IncomingMessage, socket: Socket, head: Buffer) => boolean

/** Lets routes be WebSockets. Register it before them, and behind the hooks that their upgrades must pass. */
export async function addWebSockets(app: FastifyInstance, passOn: UpgradeHandler = () => false): Promise<void> {
  const upgrades = new EventEmitter()
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!isWebSocket(request)) answerWithoutUpgrade(app, request, socket, head)
    else if (!passOn(request, socket, head)) upgrades.emit('upgrade', request, socket, head)
  })
  await app.register(websocket, {
    options: {
      // The plugin listens to this emitter instead of the server.
      server: upgrades as never,
      maxPayload: MAX_FRAME,
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(LIVE_PROTOCOL) ? LIVE_PROTOCOL : false),
    },
    // For a protocol error or a broken connection, `ws` closes the socket with the right code.
    errorHandler: () => {},
    preClose(done) {
      const { clients } = this.websocketServer
      for (const client of clients) client.close(LIVE_CLOSE.stopping, 'The console is stopping')
      setTimeout(() => {
        for (const client of clients) client.terminate()
      }, CLOSE_MS).unref()
      this.websocketServer.close()
      done()
    },
  })
}

function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Answers requests that offer other protocols, such as HTTP/2: clients expect an answer in HTTP/1.1 if the server does not
 * support them. Node stops parsing such a connection, so the request is put back without the offer and parsed again.
 */
function answerWithoutUpgrade(app: FastifyInstance, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    const value = rawHeaders[i + 1] ?? ''
    if (/^(upgrade|http2-settings)$/i.test(name)) continue
    if (/^connection$/i.test(name)) {
      const kept = value.split(',').filter((word) => !/^\s*(upgrade|http2-settings)\s*$/i.test(word))
      if (kept.length > 0) lines.push(`${name}: ${kept.join(',')}`)
    } else lines.push(`${name}: ${value}`)
  }
  // Node shows the bytes of header values as Latin-1.
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  app.server.emit(app.server instanceof TlsServer ? 'secureConnection' : 'connection', socket)
}
