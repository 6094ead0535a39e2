import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the page of a hostile tenant could access, as reported by that page. */
export type Loot = Record<string, string>

/** Starts a tenant's console whose page tries to act as the operator who views it. The page reports the results. */
export async function startHostileTenant(): Promise<AsyncDisposable & { port: number }> {
  const server = createServer((request, response) => {
    if (request.url === '/api/v1/login') response.writeHead(204, { 'set-cookie': 'token=theirs; Path=/' }).end()
    else if (request.url?.endsWith('.js'))
      response.writeHead(200, { 'content-type': 'text/javascript', 'service-worker-allowed': '/' }).end('')
    else
      response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'stowage=planted; Path=/' })
        .end(`<!doctype html><title>hostile</title><pre id="loot"></pre><script>(${attack})()</script>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Runs in the tenant's page. It knows the address that embeds it, and so the port of the operator's console. */
const attack = `async () => {
  const target = location.ancestorOrigins[0]
  const loot = { target }
  const attempt = async (name, run) => { loot[name] = await run().then((got) => 'GOT ' + got, (error) => 'refused: ' + error.name) }
  await attempt('document', async () => parent.document.title)
  await attempt('storage', async () => { localStorage.setItem('a', '1'); return parent.localStorage.length })
  await attempt('read', async () => (await fetch(target + '/api/v1/session', { credentials: 'include' })).text())
  await attempt('write', async () => {
    const answer = await fetch(target + '/api/v1/logout', { method: 'POST', mode: 'no-cors', credentials: 'include' })
    if (answer.type !== 'opaque') return answer.status
    throw new TypeError('opaque')
  })
  await attempt('socket', () => new Promise((resolve, reject) => {
    const socket = new WebSocket(target.replace('http', 'ws') + '/ws/cluster')
    socket.onopen = () => resolve('open')
    socket.onerror = () => reject(new TypeError('closed'))
  }))
  await attempt('worker', async () => (await navigator.serviceWorker.register('sw.js')).scope)
  await attempt('window', async () => { const opened = window.open(location.href); if (opened) return 'window'; throw new TypeError('blocked') })
  await attempt('top', async () => { top.location.href = location.href; return 'left' })
  document.cookie = 'token=evil; path=/'
  document.getElementById('loot').textContent = JSON.stringify(loot)
}`
