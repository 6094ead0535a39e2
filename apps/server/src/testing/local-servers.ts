import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

/** Starts HTTP servers on free ports of this machine, and stops them after each test of the file. */
export function useLocalServers() {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  async function serve(listener: RequestListener): Promise<URL> {
    const server = createServer(listener).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }
  return { serve, servers }
}
