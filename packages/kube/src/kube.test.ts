import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openCluster } from './kube.ts'

test.each([404, 403])('a token is checked at /api if the server answers who it is with %d', async (status) => {
  const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const server = createServer(({ url, headers }, response) => {
    const known = headers.authorization === 'Bearer known'
    response.writeHead(url === reviews ? status : known ? 200 : 401, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  await using cluster = openCluster({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  expect(await cluster.as('known').whoAmI()).toEqual({ username: undefined, uid: undefined, groups: [] })
  await expect(cluster.as('unknown').whoAmI()).rejects.toMatchObject({ status: 401 })
  server.close()
})
