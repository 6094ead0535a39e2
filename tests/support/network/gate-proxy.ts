import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A moment of a request: before the server sees it, or after the server has answered and before the client knows. */
export type HoldMoment = 'arrives' | 'is done'

export interface GateRequest {
  method: string
  /** Decoded path without the query. */
  path: string
  query: string
  /** Bytes of the body. */
  size: number
}

/** A proxy that holds a chosen request, so that a test can act at that moment. */
export interface GateProxy extends AsyncDisposable {
  /** URL to use instead of the server's. */
  url: string
  /** `host:port` of it. */
  host: string
  /** The requests that were given to the server. */
  readonly passed: GateRequest[]
  /** Holds the first request that fits, and all later requests, until `open`. Resolves at that moment. */
  hold(moment: HoldMoment, fits: (request: GateRequest) => boolean): Promise<GateRequest>
  /** Lets requests through again. Those that were held are broken off. */
  open(): void
}

interface Held {
  moment: HoldMoment
  fits: (request: GateRequest) => boolean
  reached: ((request: GateRequest) => void) | undefined
}

/** @param server URL of the real server */
export async function startGate(server: string): Promise<GateProxy> {
  const passed: GateRequest[] = []
  const held = new Set<ServerResponse>()
  let hold: Held | undefined

  /** Returns whether the request has to be held at this moment. */
  const isHeld = (moment: HoldMoment, request: GateRequest) => {
    if (!hold) return false
    // After the moment that the test waited for nothing passes any more.
    if (!hold.reached) return true
    if (hold.moment !== moment || !hold.fits(request)) return false
    hold.reached(request)
    hold = { ...hold, reached: undefined }
    return true
  }

  const forward = async (from: IncomingMessage, to: ServerResponse) => {
    // The whole body first: the server gets requests whole or not at all.
    const body = await buffer(from)
    const url = new URL(from.url ?? '/', server)
    const request = {
      method: from.method ?? '',
      path: decodeURIComponent(url.pathname),
      query: url.search.slice(1),
      size: body.length,
    }
    if (isHeld('arrives', request)) return void held.add(to)
    passed.push(request)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { method: request.method, headers: from.headers }
      httpRequest(new URL(from.url ?? '/', server), options, resolve)
        .on('error', reject)
        .end(body)
    })
    const content = await buffer(answer)
    if (isHeld('is done', request)) return void held.add(to)
    to.writeHead(answer.statusCode ?? 502, answer.headers).end(content)
  }

  const listener = createServer((from, to) => {
    forward(from, to).catch(() => to.destroy())
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(listener.address() as AddressInfo).port}`
  const open = () => {
    hold = undefined
    for (const response of held) response.destroy()
    held.clear()
  }
  return {
    url: `http://${host}`,
    host,
    passed,
    hold: (moment, fits) => new Promise((reached) => (hold = { moment, fits, reached })),
    open,
    async [Symbol.asyncDispose]() {
      open()
      listener.closeAllConnections()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
