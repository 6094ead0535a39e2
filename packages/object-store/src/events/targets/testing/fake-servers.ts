import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'

/* Minimal servers for tests, for protocols without a real server in Debian. */

export interface FakeServer extends AsyncDisposable {
  readonly port: number
  /** What it has accepted, in order. */
  readonly taken: string[]
}

async function listenAsFake(server: Server, taken: string[], port = 0): Promise<FakeServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Starts nsqd: `topic message`. It refuses the topic `refused`.
 * @param delayed it answers none of these first messages before it has all of them
 */
export function startFakeNsqd(port?: number, delayed = 1): Promise<FakeServer> {
  const taken: string[] = []
  const server = createServer({ noDelay: true }, (socket) => {
    let received: Buffer = Buffer.alloc(0)
    const answer = (type: number, text: string) => {
      const frame = Buffer.alloc(8)
      frame.writeInt32BE(4 + Buffer.byteLength(text), 0)
      frame.writeInt32BE(type, 4)
      socket.write(Buffer.concat([frame, Buffer.from(text)]))
    }
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (received.toString('latin1', 0, 4) === '  V2') received = received.subarray(4)
      for (;;) {
        const end = received.indexOf('\n')
        if (end < 0) return
        const [command, topic = ''] = received.toString('utf8', 0, end).split(' ')
        if (command === 'NOP') {
          received = received.subarray(end + 1)
          continue
        }
        if (received.length < end + 5) return
        const size = received.readUInt32BE(end + 1)
        if (received.length < end + 5 + size) return
        const body = received.toString('utf8', end + 5, end + 5 + size)
        received = received.subarray(end + 5 + size)
        if (command === 'IDENTIFY') answer(0, '{"tls_v1":false}')
        else if (topic === 'refused') answer(1, 'E_BAD_MESSAGE PUB message too big')
        else {
          const count = taken.push(`${topic} ${body}`)
          if (count < delayed) continue
          // Heartbeats may come in between.
          answer(0, '_heartbeat_')
          for (let due = count === delayed ? delayed : 1; due > 0; due--) answer(0, 'OK')
        }
      }
    })
  })
  return listenAsFake(server, taken, port)
}

export interface FakeElasticsearch extends FakeServer {
  /** Number of actions in each `_bulk` request. */
  readonly batches: number[]
}

/**
 * Starts Elasticsearch: `METHOD path authorization body`, and for each action of `_bulk` `action index id document`. An index is
 * missing until it is created.
 * @param refused documents with this text do not fit into the index
 * @param limit maximum size of a request in bytes
 */
export async function startFakeElasticsearch({ refused = '\0', limit = 2 ** 20 } = {}): Promise<FakeElasticsearch> {
  const taken: string[] = []
  const batches: number[] = []
  const indexes = new Set<string>()
  const server = createHttpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const [, index = '', call] = (url.split('?')[0] ?? '').split('/')
      const body = Buffer.concat(chunks).toString()
      const isKnown = indexes.has(index)
      const answer = (status: number, value: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      if (body.length > limit) return answer(413, {})
      if (call === '_bulk' && isKnown) return answer(200, { items: bulk(index, body) })
      if (method === 'PUT' && call === undefined) indexes.add(index)
      taken.push(`${method} ${url} ${headers.authorization ?? ''} ${body}`)
      answer(isKnown || method === 'PUT' ? 200 : 404, {})
    })
  })

  function bulk(index: string, body: string): object[] {
    const rest = body.split('\n').slice(0, -1)
    const items: object[] = []
    for (let line = rest.shift(); line !== undefined; line = rest.shift()) {
      const [[action, { _id = '' }] = ['', {}]] = Object.entries(JSON.parse(line) as Record<string, { _id?: string }>)
      const document = action === 'delete' ? '' : (rest.shift() ?? '')
      if (document.includes(refused)) {
        const error = { type: 'mapper_parsing_exception', reason: 'failed to parse field' }
        items.push({ [action]: { status: 400, error } })
      } else {
        taken.push(`${action} ${index} ${_id} ${document}`.trim())
        items.push({ [action]: { status: action === 'delete' ? 404 : 201 } })
      }
    }
    batches.push(items.length)
    return items
  }
  return Object.assign(await listenAsFake(server, taken), { batches })
}

/**
 * Starts a Kafka broker with one topic `events` and one partition: `key message`. It supports the oldest versions of the three
 * calls.
 * @param named the address that it reports
 * @param tls if given, it speaks TLS only
 */
export function startFakeKafka({
  named = '127.0.0.1',
  tls,
}: {
  named?: string
  tls?: TlsOptions
} = {}): Promise<FakeServer> {
  const taken: string[] = []
  const server = tls ? createTlsServer(tls, onConnection) : createServer({ noDelay: true }, onConnection)

  function onConnection(socket: Socket): void {
    let received: Buffer = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      while (received.length >= 4 && received.length >= 4 + received.readInt32BE(0)) {
        const size = received.readInt32BE(0)
        onRequest(received.subarray(4, 4 + size))
        received = received.subarray(4 + size)
      }
    })
    function onRequest(request: Buffer): void {
      const api = request.readInt16BE(0)
      const correlation = request.subarray(4, 8)
      const body = request.subarray(10 + Math.max(0, request.readInt16BE(8)))
      const answer = api === 18 ? versions() : api === 3 ? metadata() : produce(body)
      socket.write(Buffer.concat([int32(4 + answer.length), correlation, answer]))
    }
    function metadata(): Buffer {
      const { localPort } = socket
      const broker = [int32(0), string(named), int32(localPort ?? 0)]
      const partition = [int16(0), int32(0), int32(0), int32(1), int32(0), int32(1), int32(0)]
      return Buffer.concat([int32(1), ...broker, int32(1), int16(0), string('events'), int32(1), ...partition])
    }
    function produce(body: Buffer): Buffer {
      // Acks and timeout, then one topic, one partition and a set with one message.
      const topic = body.toString('utf8', 12, 12 + body.readInt16BE(10))
      let at = 12 + Buffer.byteLength(topic) + 4 + 4 + 4 + 8 + 4 + 4
      const magic = body[at] ?? 0
      at += 2 + (magic > 0 ? 8 : 0)
      const keySize = body.readInt32BE(at)
      const key = body.toString('utf8', at + 4, at + 4 + keySize)
      at += 4 + keySize
      taken.push(`${key} ${body.toString('utf8', at + 4, at + 4 + body.readInt32BE(at))}`)
      return Buffer.concat([int32(1), string(topic), int32(1), int32(0), int16(0), int32(0), int32(taken.length)])
    }
  }
  return listenAsFake(server, taken)
}

/** Version 0 of Produce (0), Metadata (3) and ApiVersions (18). */
const versions = () =>
  Buffer.concat([int16(0), int32(3), ...[0, 3, 18].flatMap((api) => [int16(api), int16(0), int16(0)])])

const int16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
const int32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const string = (text: string) => Buffer.concat([int16(Buffer.byteLength(text)), Buffer.from(text)])
