import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket, connect as tcpConnect } from 'node:net'
import { Transform } from 'node:stream'

/** A fault that applies to all connections. */
interface Fault {
  /** Resets a connection after this many bytes to the server. */
  cutUpAfter?: number
  /** Resets a connection after this many bytes from the server. */
  cutDownAfter?: number
  /** How many connections are reset, each after as many bytes. Default 1. */
  times?: number
  /** Delays each chunk from the server (ms). */
  delayMs?: number
  /**
   * Requests with this text in their first line, or whose first line matches, get this answer and do not reach the server: the first `times` of them, or all.
   */
  answer?: { to: string | RegExp; with: string; times?: number }
}

/** Returns a complete error answer of an S3 server. */
export function s3Refusal(status: number, code: string): string {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`
  const head = [`HTTP/1.1 ${status} Refused`, 'Content-Type: application/xml', `Content-Length: ${body.length}`]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** A TCP proxy in front of a server that causes faults on demand. */
export interface FaultProxy extends AsyncDisposable {
  /** URL of the proxy, to use instead of the server's. */
  url: string
  /** Replaces the fault; `{}` removes it. */
  set(fault: Fault): void
  /** Number of open client connections. */
  readonly open: number
  /** Number of connections that were reset so far. */
  readonly cuts: number
  /** Refuses new connections and resets open ones. */
  refuse(): Promise<void>
  /** Accepts connections again, at the same address. */
  accept(): Promise<void>
}

/** @param server address of the real server, `http://host:port` */
export async function startFaultProxy(server: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(server)
  const clients = new Set<Socket>()
  /** The fault that was set, and what remains of it. */
  let wanted: Fault = {}
  let fault: Fault = {}
  let cuts = 0

  const cutAll = () => {
    for (const client of clients) client.resetAndDestroy()
  }
  /** Returns a stream that forwards as many bytes as the fault allows. */
  const way = (limit: 'cutUpAfter' | 'cutDownAfter') => {
    let isCut = false
    return new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const left = fault[limit]
        const pass = () => {
          // Bytes after the cut would reach the client with a gap before them.
          if (isCut) return done()
          if (left === undefined) return done(null, chunk)
          if (left >= chunk.length) {
            fault = { ...fault, [limit]: left - chunk.length }
            return done(null, chunk)
          }
          isCut = true
          cuts++
          const { times = 1 } = wanted
          wanted = { ...wanted, times: times - 1 }
          fault = times > 1 ? wanted : {}
          this.push(chunk.subarray(0, left))
          // The forwarded bytes must be sent before the connection is reset.
          setImmediate(cutAll)
          return done()
        }
        if (limit === 'cutDownAfter' && fault.delayMs) setTimeout(pass, fault.delayMs)
        else pass()
      },
    })
  }

  /** Answers instead of the server. Clients send the headers of a request in one chunk. */
  const answering = (client: Socket) =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const { answer } = fault
        const [line = ''] = chunk.toString('latin1', 0, 4096).split('\r\n', 1)
        if (!answer || answer.times === 0 || !isFaultRequest(line, answer.to)) return done(null, chunk)
        if (answer.times) fault = { ...fault, answer: { ...answer, times: answer.times - 1 } }
        // The answer to a HEAD has no body.
        const end = line.startsWith('HEAD ') ? answer.with.indexOf('\r\n\r\n') + 4 : undefined
        client.write(answer.with.slice(0, end))
        return done()
      },
    })

  const listener = createServer((client) => {
    const upstream = tcpConnect(Number(port), hostname)
    clients.add(client)
    const end = () => {
      clients.delete(client)
      client.destroy()
      upstream.destroy()
    }
    // Resets are the purpose of this proxy; `close` follows.
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.on('close', end)
    // After its regular end, the last bytes may still be on their way to the client.
    upstream.on('close', (isBroken) => isBroken && end())
    client.pipe(answering(client)).pipe(way('cutUpAfter')).pipe(upstream)
    upstream.pipe(way('cutDownAfter')).pipe(client)
  })
  const listen = async (at: number) => {
    listener.listen(at, '127.0.0.1')
    await once(listener, 'listening')
  }
  await listen(0)
  const own = (listener.address() as AddressInfo).port
  const refuse = async () => {
    const closed = once(listener, 'close')
    listener.close()
    cutAll()
    await closed
  }
  return {
    url: `http://127.0.0.1:${own}`,
    set(next) {
      wanted = next
      fault = next
    },
    get cuts() {
      return cuts
    },
    get open() {
      return clients.size
    },
    refuse,
    accept: () => listen(own),
    async [Symbol.asyncDispose]() {
      if (listener.listening) await refuse()
    },
  }
}

const isFaultRequest = (line: string, to: string | RegExp) =>
  typeof to === 'string' ? line.includes(to) : /^[A-Z]+ .* HTTP/.test(line) && to.test(line)
