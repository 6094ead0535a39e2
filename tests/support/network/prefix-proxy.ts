import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PrefixProxyOptions {
  /** Prefix of the console's paths: `/storage/console`; empty for none. */
  prefix: string
  /** URL of the console, without a trailing slash. */
  target: string
  /** Whether the proxy removes the prefix. */
  strip: boolean
  /** Files that the proxy serves itself, by path, like another program at this address. */
  files?: Record<string, { type: string; body: string }>
}

export interface PrefixProxy extends AsyncDisposable {
  /** The console's address behind the proxy, without a trailing slash. */
  url: string
}

/** Starts an ordinary reverse proxy in front of a console: it keeps `Host` and streams bodies. */
export async function startPrefixProxy(options: PrefixProxyOptions): Promise<PrefixProxy> {
  const { prefix, strip, files = {} } = options
  const target = new URL(options.target)

  const forward = (incoming: IncomingMessage, answer: ServerResponse) => {
    const url = incoming.url ?? '/'
    const file = files[url]
    if (file) return answer.writeHead(200, { 'content-type': file.type }).end(file.body)
    if (url !== prefix && !url.startsWith(`${prefix}/`)) return answer.writeHead(404).end('not behind this proxy')
    const path = strip ? url.slice(prefix.length) || '/' : url
    const { hostname, port } = target
    const upstream = request(
      { hostname, port, path, method: incoming.method, headers: incoming.headers },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(answer)
      },
    )
    upstream.on('error', () => answer.destroy())
    answer.on('close', () => upstream.destroy())
    return incoming.pipe(upstream)
  }

  const server = createServer(forward)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
