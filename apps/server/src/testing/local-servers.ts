import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { testCertificate } from '@stowage/egress/testing'
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

  async function serve(listener: RequestListener, scheme: 'http' | 'https' = 'http'): Promise<URL> {
    const server = scheme === 'https' ? createTlsServer(testCertificate, listener) : createServer(listener)
    server.listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    const host = scheme === 'https' ? 'localhost' : '127.0.0.1'
    return new URL(`${scheme}://${host}:${(server.address() as AddressInfo).port}`)
  }
  return { serve, servers }
}
