import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the page of a hostile tenant could access, as reported by that page. */
export type StolenData = Record<string, string>

interface HostileTenant extends AsyncDisposable {
  port: number
  /** Address of a page of another tenant, which the page attacks too. */
  target: string
}

/** Starts a tenant's console whose page tries to act as the operator who views it. The page reports the results. */
export async function startHostileTenant(): Promise<HostileTenant> {
  const server = createServer((request, response) => {
    if (request.url === '/api/v1/login') response.writeHead(204, { 'set-cookie': 'token=theirs; Path=/' }).end()
    else if (request.url?.endsWith('.js'))
      response.writeHead(200, { 'content-type': 'text/javascript', 'service-worker-allowed': '/' }).end(worker)
    else
      response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'stowage=planted; Path=/' })
        .end(
          `<!doctype html><title>hostile</title><pre id="loot"></pre><script>(${attack})(${JSON.stringify(hostile.target)})</script>`,
        )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hostile: HostileTenant = {
    port: (server.address() as AddressInfo).port,
    target: '',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  return hostile
}

/** What a tenant's console contains that no other tenant may read. */
export const VICTIM_SECRET = 'treasure'

/** Starts a tenant's console with a secret, which it keeps wherever a browser can keep it. */
export async function startVictimTenant() {
  const seen: string[] = []
  const server = createServer((request, response) => {
    if (request.url === '/api/v1/login') return response.writeHead(204, { 'set-cookie': 'token=theirs; Path=/' }).end()
    seen.push(`${request.method} ${request.url}`)
    const headers = { 'cache-control': 'public, max-age=600', 'access-control-allow-origin': '*' }
    if (request.url?.endsWith('.js'))
      return response
        .writeHead(200, { ...headers, 'content-type': 'text/javascript' })
        .end(`stolen = '${VICTIM_SECRET}'`)
    const script = `localStorage.setItem('kept', '${VICTIM_SECRET}'); fetch('data.js')`
    return response
      .writeHead(200, { ...headers, 'content-type': 'text/html' })
      .end(`<!doctype html><title>victim</title><p>${VICTIM_SECRET}</p><script>${script}</script>`)
  })
  server.on('upgrade', (request, socket) => {
    seen.push(`socket ${request.url}`)
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    /** Requests that it received, newest last: `GET /data.js`. */
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const worker = `self.onconnect = ({ ports: [port] }) => port.postMessage('running')`

/** Runs in the tenant's page. It knows the address that embeds it, and so the port of the operator's console. */
const attack = `async (victim) => {
  const target = location.ancestorOrigins[0]
  const loot = { target }
  const attempt = async (name, run) => { loot[name] = await run().then((got) => 'GOT ' + got, (error) => 'refused: ' + error.name) }
  // Browsers do not report each refusal of a shared worker, so these run beside the other attempts.
  const share = (url) => new Promise((resolve, reject) => {
    const shared = new SharedWorker(url)
    shared.onerror = () => reject(new TypeError('no worker'))
    shared.port.onmessage = ({ data }) => resolve(data)
  })
  loot['shared worker'] = loot['shared worker of a blob'] = 'refused: silently'
  attempt('shared worker', () => share('worker.js'))
  attempt('shared worker of a blob', () => share(URL.createObjectURL(new Blob([${JSON.stringify(worker)}]))))
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
  if (victim) {
    const secret = (text) => { if (!String(text).includes('${VICTIM_SECRET}')) throw new TypeError('nothing'); return text }
    const read = async (options) => secret(await (await fetch(victim, { credentials: 'include', ...options })).text())
    const load = (tag, src) => new Promise((resolve, reject) => {
      const element = document.createElement(tag)
      element.onload = () => resolve(element)
      element.onerror = () => reject(new TypeError('not loaded'))
      element.src = src
      document.body.append(element)
    })
    await attempt('frame of another tenant', async () => secret((await load('iframe', victim)).contentDocument.body.innerText))
    await attempt('pages of another tenant', () => read({}))
    await attempt('pages of another tenant in the cache', () => read({ cache: 'force-cache' }))
    await attempt('scripts of another tenant', async () => { await load('script', victim + 'data.js'); return secret(window.stolen) })
    await attempt('storage of another tenant', async () => secret(localStorage.getItem('kept')))
    await attempt('writing to another tenant', async () => {
      const answer = await fetch(victim + 'save', { method: 'POST', mode: 'no-cors', credentials: 'include' })
      if (answer.ok) return answer.status
      throw new TypeError(answer.type)
    })
    await attempt('sockets of another tenant', () => new Promise((resolve, reject) => {
      const socket = new WebSocket(victim.replace('http', 'ws') + 'ws')
      socket.onopen = () => resolve('open')
      socket.onerror = () => reject(new TypeError('closed'))
    }))
  }
  await attempt('window', async () => { const opened = window.open(location.href); if (opened) return 'window'; throw new TypeError('blocked') })
  await attempt('top', async () => { top.location.href = location.href; return 'left' })
  document.cookie = 'token=evil; path=/'
  document.getElementById('loot').textContent = JSON.stringify(loot)
}`
