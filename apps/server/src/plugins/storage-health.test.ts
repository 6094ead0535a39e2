import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { openUpstream } from '../lib/storage/upstream.ts'
import { useLocalServers } from '../testing/local-servers.ts'
import { addStorageHealth } from './storage-health.ts'

const { serve } = useLocalServers()

test('however often anonymous callers ask, there is one request to the storage server at a time', async () => {
  let asked = 0
  const server = await serve((_request, response) => {
    asked++
    response.end()
  })
  const upstream = openUpstream(server, undefined)
  const app = fastify()
  addStorageHealth(app, upstream)
  onTestFinished(async () => {
    await app.close()
    await upstream.close()
  })
  const answers = await Promise.all(Array.from({ length: 500 }, () => app.inject('/readyz')))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(asked).toBeLessThan(10)
})
