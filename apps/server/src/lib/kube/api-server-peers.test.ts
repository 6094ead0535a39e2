import { expect, test } from 'vitest'
import { ApiServerPeers } from './api-server-peers.ts'

test.each([
  ['https://10.96.0.1', '10.96.0.1', 443],
  ['https://[fd00::1]:6443', 'fd00::1', 6443],
  ['https://localhost:6443', '127.0.0.1', 6443],
])('the API server %s has the address %s and the port %d', async (server, address, port) => {
  using peers = await ApiServerPeers.create(new URL(server))
  expect(peers.refusedPeers()).toContainEqual({ address, port, what: 'the API server' })
})
