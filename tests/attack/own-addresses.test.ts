import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect } from 'vitest'
import { ownStore } from '../support/console/own-store.ts'
import { sharedConsole } from '../support/console/shared-console.ts'
import type { TestTarget } from '../support/console/test-target.ts'

/*
 * A user enters an address of this machine that is not 127.0.0.1. If the hole were open, the store or the console would connect
 * to programs here that only listen to their own machine's network.
 */

let c: TestTarget
let connections = 0
const server = createServer((socket) => {
  connections++
  socket.destroy()
})
beforeAll(async () => {
  c = await sharedConsole()
  server.listen(0, '::')
  await once(server, 'listening')
})
afterAll(() => void server.close())

const addresses = Object.values(networkInterfaces())
  .flatMap((list = []) => list)
  .map(({ address }) => address)
  .filter((address) => !/^(127\.|::1$|fe80)/.test(address))

ownStore.test('no address of this machine is reached by a target of replication', async () => {
  const { port } = server.address() as AddressInfo
  const bucket = c.freshName('own')
  await c.s3.send(new CreateBucketCommand({ Bucket: bucket, ObjectLockEnabledForBucket: true }))
  expect(addresses.length).toBeGreaterThan(0)
  for (const address of addresses) {
    const target = {
      endpoint: address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`,
      secure: false,
      targetBucket: 'b',
      accessKey: 'anykey',
      secretKey: 'anysecret',
      sync: false,
      bandwidth: 0,
      region: '',
      healthCheckSeconds: 60,
    }
    const failure = c.madmin.setRemoteTarget(bucket, target)
    await expect(failure).rejects.toThrow(/machine that this program runs on|reserved network/)
  }
  expect(connections).toBe(0)
})
