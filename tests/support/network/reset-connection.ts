import { once } from 'node:events'
import { connect } from 'node:net'

/** Returns the lines of a request for a WebSocket. */
export const webSocketRequest = (path: string) => [
  `GET ${path} HTTP/1.1`,
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==',
]

/**
 * Sends a request, and resets the connection as soon as the answer begins or ends.
 * @returns the begin of the answer; empty if the server closed the connection without one
 */
export async function sendAndReset(url: string, [first = '', ...lines]: readonly string[]): Promise<string> {
  const { hostname, port, host } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.write([first, `Host: ${host}`, ...lines, '', ''].join('\r\n'))
  const closed = once(socket, 'close')
  const [answer] = (await Promise.race([once(socket, 'data'), once(socket, 'end')])) as [Buffer?]
  socket.resetAndDestroy()
  await closed
  return answer?.toString('latin1') ?? ''
}
