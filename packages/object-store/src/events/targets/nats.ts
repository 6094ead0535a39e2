import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { z } from 'zod'
import { parseSwitch } from '../../config/value-types.ts'
import { MessageRefusedError } from '../delivery/queue-sender.ts'
import { connectTls, tlsOptions } from './certificates.ts'
import { keepConnection } from './kept-connection.ts'
import { type OpenTarget, parseHostAndPort } from './open-target.ts'

const INBOX = `_INBOX.stowage.${crypto.randomUUID()}`
/** Bytes. The server sends short lines and short answers; a longer one means another protocol. */
const MAX_ANSWER = 65_536

/**
 * Publishes each event. It counts as accepted when the server answers the PING after it; with JetStream when a stream has
 * stored it. The client library connects itself, also to addresses that the server reports, bypassing the egress guard.
 */
export const openNats: OpenTarget = ({ arn, values, egress, certificates }) => {
  const { address = '', subject = '', username, password, token } = values
  const target = parseHostAndPort(address)
  const isOn = (key: string) => parseSwitch(values[key] ?? '') === true

  const connection = keepConnection<NatsClient>({
    async open({ onLost, onFailure }) {
      const socket = await egress.connect(target)
      onFailure(() => socket.destroy())
      const info = await readInfo(socket)
      const secure = info.tls_required === true || isOn('tls')
      const options = secure
        ? await tlsOptions(certificates, {
            skipVerify: isOn('tls_skip_verify'),
            ca: values.cert_authority ?? '',
            cert: values.client_cert ?? '',
            key: values.client_key ?? '',
          })
        : {}
      const stream = secure ? connectTls(socket, target.host, options) : socket
      const client = natsClient(stream, info, onLost)
      client.write(
        `CONNECT ${JSON.stringify({
          verbose: false,
          pedantic: false,
          lang: 'stowage',
          version: '1',
          protocol: 1,
          headers: true,
          no_responders: true,
          ...(token ? { auth_token: token } : {}),
          ...(username ? { user: username, pass: password } : {}),
        })}\r\nSUB ${INBOX}.* 1\r\n`,
      )
      await client.ping()
      return client
    },
    close: (client) => client.end(),
  })
  return {
    arn,
    send: (message, signal) =>
      connection.use(signal, (client) =>
        isOn('jetstream') ? client.request(subject, message, messageId(message)) : client.publish(subject, message),
      ),
    close: () => connection.close(),
  }
}

/** Returns the ID by which JetStream recognises an event that is sent again. */
const messageId = (message: string) => createHash('sha256').update(message).digest('base64url')

const ServerInfo = z.object({ max_payload: z.number().optional(), tls_required: z.boolean().optional() })
type ServerInfo = z.output<typeof ServerInfo>

const notNatsError = () => new Error('the answer is not of a NATS server')

/** Returns undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads the first line of the server, which is sent before TLS. */
function readInfo(socket: Socket): Promise<ServerInfo> {
  return new Promise((resolve, reject) => {
    let text = ''
    const onClose = () => reject(new Error('the server closed the connection'))
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n')
      if (end < 0 && text.length < MAX_ANSWER) return
      socket.off('data', onData)
      socket.off('close', onClose)
      socket.off('error', reject)
      const info = ServerInfo.safeParse(text.startsWith('INFO ') ? parseJson(text.slice(5, end)) : undefined)
      if (info.success) return resolve(info.data)
      socket.destroy()
      reject(notNatsError())
    }
    socket.on('data', onData)
    socket.once('close', onClose)
    socket.once('error', reject)
  })
}

interface PendingAnswer {
  resolve(): void
  reject(error: Error): void
}
type NatsClient = ReturnType<typeof natsClient>

function natsClient(socket: Socket, info: ServerInfo, onLost: () => void) {
  const pings: PendingAnswer[] = []
  const requests = new Map<string, PendingAnswer>()
  let received: Buffer = Buffer.alloc(0)
  let lastRequest = 0

  const fail = (error: Error) => {
    for (const { reject } of [...pings.splice(0), ...requests.values()]) reject(error)
    requests.clear()
    socket.destroy()
    onLost()
  }
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the server closed the connection')))
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const end = received.indexOf('\r\n')
      if (end < 0) {
        if (received.length > MAX_ANSWER) fail(notNatsError())
        return
      }
      const line = received.toString('utf8', 0, end)
      const size = /^H?MSG /.test(line) ? Number(line.split(' ').at(-1)) : undefined
      if (size !== undefined && !(size >= 0 && size <= MAX_ANSWER)) return fail(notNatsError())
      const next = end + 2 + (size === undefined ? 0 : size + 2)
      if (received.length < next) return
      onLine(line, received.toString('utf8', end + 2, next))
      received = received.subarray(next)
    }
  })

  function onLine(line: string, body: string): void {
    const [verb = '', inbox = ''] = line.split(' ')
    if (verb === 'PING') socket.write('PONG\r\n')
    if (verb === 'PONG') pings.shift()?.resolve()
    if (verb === '-ERR') fail(new Error(line.slice(5).replaceAll("'", '')))
    const request = requests.get(inbox)
    if (!request || !/^H?MSG$/.test(verb)) return
    requests.delete(inbox)
    const problem = verb === 'HMSG' ? 'no stream stores this subject' : streamProblem(body)
    if (problem === undefined) request.resolve()
    else request.reject(new Error(problem))
  }

  function ping(): Promise<void> {
    return new Promise((resolve, reject) => {
      pings.push({ resolve, reject })
      socket.write('PING\r\n')
    })
  }

  /** Writes a command in one packet. */
  function writeWhole(head: string, body: Buffer): void {
    socket.write(Buffer.concat([Buffer.from(head), body, Buffer.from('\r\n')]))
  }

  function requireRoom(body: Buffer): void {
    if (info.max_payload !== undefined && body.length > info.max_payload) {
      throw new MessageRefusedError(`The server takes messages of up to ${info.max_payload} bytes.`)
    }
  }

  return {
    write: (text: string) => void socket.write(text),
    ping,
    async publish(subject: string, message: string): Promise<void> {
      const body = Buffer.from(message)
      requireRoom(body)
      writeWhole(`PUB ${subject} ${body.length}\r\n`, body)
      await ping()
    },
    async request(subject: string, message: string, id: string): Promise<void> {
      const body = Buffer.from(message)
      requireRoom(body)
      const headers = `NATS/1.0\r\nNats-Msg-Id: ${id}\r\n\r\n`
      const inbox = `${INBOX}.${++lastRequest}`
      const answered = new Promise<void>((resolve, reject) => void requests.set(inbox, { resolve, reject }))
      writeWhole(`HPUB ${subject} ${inbox} ${headers.length} ${headers.length + body.length}\r\n${headers}`, body)
      await answered
    },
    end: () => void socket.destroy(),
  }
}

const StreamAnswer = z.object({
  stream: z.string().optional(),
  error: z.object({ description: z.string().optional() }).optional(),
})

/** Returns the error in the answer of a stream, if any. */
function streamProblem(body: string): string | undefined {
  const { stream, error } = StreamAnswer.safeParse(parseJson(body)).data ?? {}
  return stream === undefined ? (error?.description ?? 'the stream has not stored the event') : undefined
}
