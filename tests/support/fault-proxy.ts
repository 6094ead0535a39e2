import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket, connect as tcpConnect } from 'node:net'
import { Transform } from 'node:stream'

/** What happens to the bytes of all connections from now on. */
interface Fault {
  /** After so many bytes towards the server, every connection is reset; the next one is whole again. */
  cutUpAfter?: number
  /** After so many bytes from the server, every connection is reset; the next one is whole again. */
  cutDownAfter?: number
  /** Each piece from the server waits so long. */
  delayMs?: number
}

/** A stretch of network in front of a server, which breaks as a test tells it. */
export interface FaultProxy extends AsyncDisposable {
  /** Used instead of the server's own address. */
  url: string
  /** Replaces the fault before; `{}` is a sound network. */
  set(fault: Fault): void
  /** Connections of clients that are open now. */
  readonly open: number
  /** Takes no connection any more, and resets those that are open. */
  refuse(): Promise<void>
  /** Takes connections again, at the same address. */
  accept(): Promise<void>
}

/** @param server address of the real server, `http://host:port` */
export async function startFaultProxy(server: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(server)
  const clients = new Set<Socket>()
  let fault: Fault = {}

  const cutAll = () => {
    for (const client of clients) client.resetAndDestroy()
  }
  /** Lets through what the fault allows, to the byte. */
  const way = (limit: 'cutUpAfter' | 'cutDownAfter') =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const left = fault[limit]
        const pass = () => {
          if (left === undefined) return done(null, chunk)
          if (left >= chunk.length) {
            fault = { ...fault, [limit]: left - chunk.length }
            return done(null, chunk)
          }
          fault = {}
          this.push(chunk.subarray(0, left))
          // What was let through has to be on its way before the connection ends.
          setImmediate(cutAll)
          return done()
        }
        if (limit === 'cutDownAfter' && fault.delayMs) setTimeout(pass, fault.delayMs)
        else pass()
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
    for (const socket of [client, upstream]) {
      // A reset is what this proxy is for; `close` follows.
      socket.on('error', () => {})
      socket.on('close', end)
    }
    client.pipe(way('cutUpAfter')).pipe(upstream)
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
      fault = next
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
