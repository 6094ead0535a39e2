import { afterAll, beforeAll, describe, expect } from 'vitest'
// biome-ignore format: one line
import { type Broker, isBrokerInstalled, startBroker } from '../../../packages/object-store/src/events/targets/testing/brokers.ts'
import { callFailure } from '../../support/console/caller.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import { type FaultProxy, startFaultProxy } from '../../support/network/fault-proxy.ts'

/* Two consoles of one storage server that keep their audit records in one PostgreSQL. */

describe.skipIf(!isBrokerInstalled('postgres'))('STOWAGE_DATABASE_URL', () => {
  let broker: Broker
  let network: FaultProxy
  let north: TestConsole
  let south: TestConsole
  beforeAll(async () => {
    broker = await startBroker('postgres')
    network = await startFaultProxy(`http://127.0.0.1:${broker.port}`)
    const { port } = new URL(network.url)
    const env = {
      STOWAGE_DATABASE_URL: `postgres://u:secret@127.0.0.1:${port}/postgres`,
      STOWAGE_SECRET: 'the secret of both consoles',
    }
    north = await startConsole({ env })
    south = await startConsole({ env: { ...env, STOWAGE_SERVER: north.serverUrl } })
  }, 60_000)
  afterAll(async () => {
    await south?.[Symbol.asyncDispose]()
    await north?.[Symbol.asyncDispose]()
    await network?.[Symbol.asyncDispose]()
    await broker?.[Symbol.asyncDispose]()
  })

  const search = async (c: TestConsole, query: object) => await c.call('searchLogs', { query: query as never })
  const ids = async (c: TestConsole, query: object) =>
    (await search(c, { pageSize: 100, ...query })).results.map(({ request_id }) => request_id)
  const post = async (c: TestConsole, records: object[], token: string) =>
    (
      await fetch(`${c.url}/api/v1/audit/ingest`, {
        method: 'POST',
        headers: { authorization: token },
        body: records.map((each) => JSON.stringify(each)).join('\n'),
      })
    ).status
  const record = (bucket: string, n: number) => ({
    time: new Date(Date.now() - 60_000 + n * 1000).toISOString(),
    requestID: `${bucket}-${n}`,
    api: { name: 'PutObject', bucket, object: `k${n}`, statusCode: 200 },
  })

  ownStore.test('records that one console receives are found in the other, page by page, and stored once', async () => {
    const bucket = north.freshName('shared')
    const { token } = await north.call('getAuditReceiver', { query: { source: 'site' } })
    const records = [1, 2, 3, 4, 5].map((n) => record(bucket, n))
    expect(await post(north, records, token)).toBe(200)
    // The same token is valid at the other console.
    expect(await post(south, records, token)).toBe(200)
    const fp = `bucket:${bucket}`
    expect(await ids(south, { fp })).toEqual([5, 4, 3, 2, 1].map((n) => `${bucket}-${n}`))
    const { next, results } = await search(south, { fp, pageSize: 2 })
    expect(results.map(({ object }) => object)).toEqual(['k5', 'k4'])
    expect(await ids(north, { fp, pageSize: 2, cursor: next })).toEqual([`${bucket}-3`, `${bucket}-2`])
    expect((await south.call('getAuditReceiver', { query: { source: 'site' } })).last_record).toBeDefined()
    const summary = await south.call('summarizeLogs', { query: { fp } as never })
    expect(summary).toMatchObject({ total: 5, buckets: [{ value: bucket, count: 5 }] })
    const exported = await north.root.send('exportLogs', { query: { fp, format: 'csv' } as never })
    expect((await exported.text()).trim().split('\r\n')).toHaveLength(6)
    expect(north.output()).not.toContain('u:secret')
  })

  ownStore.test('while the database is down, posts are refused, searches say so, and nothing is lost', async () => {
    const { token } = await north.call('getAuditReceiver', { query: { source: 'site' } })
    const bucket = north.freshName('down')
    await network.refuse()
    expect(await post(north, [record(bucket, 1)], token)).toBe(503)
    const failure = await callFailure(search(north, {}))
    expect(failure).toMatchObject({ status: 503, body: { reason: { id: 'audit-database-unreachable' } } })
    expect((await north.call('getSession', {})).features).toContain('log-search')
    await north.call('createBucket', { body: { name: bucket } })
    await network.accept()
    const apis = async () => (await search(south, { fp: `bucket:${bucket}` })).results.map(({ api_name }) => api_name)
    await expect.poll(apis).toContain('CreateBucket')
    const own = async () => JSON.stringify((await search(south, { fp: 'api_name:console:createBucket' })).results)
    await expect.poll(own).toContain(bucket)
  })
})
