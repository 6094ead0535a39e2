import type { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { parseSwitch } from '../../config/value-types.ts'
import { MessageRefusedError } from '../delivery/queue-sender.ts'
import { connectTls, tlsOptions } from './certificates.ts'
import { keepConnection } from './kept-connection.ts'
import { type OpenTarget, parseHostAndPort } from './open-target.ts'

const RESPONSE = 0
const ERROR = 1
/** Errors that are permanent for a message. */
const REFUSED = new Set(['E_BAD_MESSAGE', 'E_BAD_BODY'])

/**
 * Publishes each event; it counts as accepted when nsqd answers OK. The protocol is small, and its client library unmaintained.
 */
export const openNsq: OpenTarget = ({ arn, values, egress, certificates }) => {
  const { nsqd_address: address = '', topic = '' } = values
  const target = parseHostAndPort(address)
  const useTls = parseSwitch(values.tls ?? '') === true

  const connection = keepConnection<NsqClient>({
    async open({ onLost, onFailure }) {
      const socket = await egress.connect(target)
      onFailure(() => socket.destroy())
      socket.write('  V2')
      const client = nsqClient(socket, onLost)
      const identity = { user_agent: 'Stowage', feature_negotiation: true, tls_v1: useTls }
      const features = await client.ask('IDENTIFY', JSON.stringify(identity))
      if (!useTls) return client
      if ((JSON.parse(features) as { tls_v1?: boolean }).tls_v1 !== true) throw new Error('nsqd does not offer TLS')
      const options = await tlsOptions(certificates, { skipVerify: parseSwitch(values.tls_skip_verify ?? '') === true })
      return await client.secure(target.host, options)
    },
    close: (client) => client.end(),
  })
  return {
    arn,
    send: (message, signal) =>
      connection.use(signal, async (client) => {
        await client.ask(`PUB ${topic}`, message)
      }),
    close: () => connection.close(),
  }
}

type NsqClient = ReturnType<typeof nsqClient>

/** Answers come in the order of the commands. */
function nsqClient(socket: Socket, onLost: () => void) {
  const waiting: { resolve(answer: string): void; reject(error: Error): void }[] = []
  let received: Buffer = Buffer.alloc(0)

  const fail = (error: Error) => {
    for (const { reject } of waiting.splice(0)) reject(error)
    onLost()
  }
  const onData = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    while (received.length >= 4) {
      const size = received.readInt32BE(0)
      // An answer is a word or a line; a longer one means another protocol.
      if (size < 4 || size > 65_536) return void socket.destroy(new Error('the answer is not of nsqd'))
      if (received.length < 4 + size) return
      onFrame(received.readInt32BE(4), received.toString('utf8', 8, 4 + size))
      received = received.subarray(4 + size)
    }
  }
  const onFrame = (type: number, text: string) => {
    if (type === RESPONSE && text === '_heartbeat_') socket.write('NOP\n')
    else if (type === RESPONSE) waiting.shift()?.resolve(text)
    else if (type === ERROR)
      waiting.shift()?.reject(REFUSED.has(firstWord(text)) ? new MessageRefusedError(text) : new Error(text))
  }
  const answer = () => new Promise<string>((resolve, reject) => void waiting.push({ resolve, reject }))
  socket.on('data', onData)
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('nsqd closed the connection')))

  return {
    ask(command: string, body: string): Promise<string> {
      const bytes = Buffer.from(body)
      const size = Buffer.alloc(4)
      size.writeUInt32BE(bytes.length)
      const answered = answer()
      socket.write(Buffer.concat([Buffer.from(`${command}\n`), size, bytes]))
      return answered
    },
    async secure(host: string, options: ConnectionOptions) {
      socket.off('data', onData)
      const secured = nsqClient(connectTls(socket, host, options), onLost)
      await secured.greeting()
      return secured
    },
    /** The OK after a TLS handshake. */
    greeting: answer,
    end: () => void socket.destroy(),
  }
}

const firstWord = (text: string) => text.split(' ')[0] ?? ''
