import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { resources } from '@stowage/kube'
import { createAuthority } from '@stowage/sandbox-kube/pki'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNodePort } from '../../support/operator/node-port.ts'
import { startOperator, type TestOperator } from '../../support/operator/start-operator.ts'

const FILE = randomBytes(5 << 20)
const DOWNLOAD = 'api/v1/buckets/media/objects/download?prefix=file'

let o: TestOperator
let tenant: Awaited<ReturnType<typeof startTenantConsole>>
beforeAll(async () => {
  tenant = await startTenantConsole()
  o = await startOperator({
    env: { STOWAGE_TENANT_URL: 'https://127.0.0.1:{nodePort}', STOWAGE_EGRESS_ALLOW: '127.0.0.1' },
  })
})
afterAll(async () => {
  await o?.[Symbol.asyncDispose]()
  tenant?.close()
})

/** A tenant's console over TLS, with a certificate that another one can replace. */
async function startTenantConsole() {
  const authority = await createAuthority('tenant')
  const names = { commonName: 'console', addresses: ['127.0.0.1'], usage: 'server' } as const
  const seen: string[] = []
  const server = createServer(await authority.issue(names), (request, response) => {
    seen.push(request.url ?? '')
    if (request.url === '/api/v1/login') response.writeHead(204, { 'set-cookie': 'token=a; Path=/' }).end()
    else if (request.url?.includes('download')) response.writeHead(200, { 'content-length': FILE.length }).end(FILE)
    else response.end(`you asked for ${request.url}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    ca: authority.cert,
    seen,
    /** Takes a certificate of another authority. */
    impersonate: async () => server.setSecureContext(await (await createAuthority('another')).issue(names)),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test("a tenant's console over TLS: downloads arrive whole, and another certificate gets no login", async () => {
  const namespace = await o.newNamespace()
  const pools = [{ name: 'p', servers: 4, volumes_per_server: 1, volume_configuration: { size: 1 << 30 } }]
  const keys = { access_key: 'rootuser', secret_key: 'rootpassword' }
  await o.admin.call('createTenant', { body: { name: 'alpha', namespace, ...keys, pools } })
  const data = { 'public.crt': Buffer.from(tenant.ca).toString('base64') }
  await o.kube.create(resources.secrets, { metadata: { name: 'alpha-tls', namespace }, data })
  const ports = [{ name: 'https-console', port: 9443, nodePort: await newNodePort(tenant.port) }]
  await o.kube.create(resources.services, {
    metadata: { name: 'alpha-console', namespace },
    spec: { type: 'NodePort', ports },
  })
  const { url } = await o.admin.call('openTenantConsole', { params: { namespace, tenant: 'alpha' }, body: {} })
  const entered = await fetch(url, { redirect: 'manual' })
  const cookie = (entered.headers.get('set-cookie') ?? '').replace(/;.*/, '')
  const { origin, pathname } = new URL(url)
  const get = async (path: string) => await fetch(`${origin}${pathname}${path}`, { headers: { cookie } })

  expect(await (await get('page')).text()).toBe('you asked for /page')
  expect(FILE.equals(Buffer.from(await (await get(DOWNLOAD)).arrayBuffer()))).toBe(true)
  const before = tenant.seen.length
  await tenant.impersonate()
  expect((await get(DOWNLOAD)).status).toBe(502)
  expect(tenant.seen.length).toBe(before)
})
