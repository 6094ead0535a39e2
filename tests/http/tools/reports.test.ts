import { beforeAll, expect, test } from 'vitest'
import { startConsoleBehindFaults } from '../../support/console/console-behind-faults.ts'
import { openLiveClient } from '../../support/console/live-socket.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import { startConsole } from '../../support/console/start-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('the report comes as one message, then the socket closes with 1000 [DIA-04] [DIA-05]', async () => {
  await using live = await openLiveClient(c.root, 'healthInfo', { query: { deadline: '1h' } }, { ours: false })
  const report = await live.next()
  expect(Date.parse((report as unknown as { timestamp: string }).timestamp)).toBeGreaterThan(Date.now() - 60_000)
  expect(await live.closed).toEqual({ code: 1000, reason: '' })
})

test('our page gets each section, and the list of missing ones', async () => {
  await using live = await openLiveClient(c.root, 'healthInfo', { query: { deadline: '10m', anonymize: 'none' } })
  expect(await live.next()).toEqual({ kind: 'started' })
  expect(await live.next()).toMatchObject({ kind: 'progress', done: 1 })
  const report = await live.message()
  expect(report).toMatchObject({ minio: { info: { mode: 'online' } } })
  expect(JSON.stringify(report)).not.toContain(c.rootPassword)
})

test.each(['', 'soon', '1 fortnight'])('a report with the deadline "%s" is refused with 1008', async (deadline) => {
  await using live = await openLiveClient(c.root, 'healthInfo', { query: { deadline } })
  expect(await live.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('deadline in query') })
})

ownStore.test(
  'the log of the server has the members that the page reads [LGS-04]',
  async () => {
    await using own = await startConsole({ env: { STOWAGE_LOG_LEVEL: 'info' } })
    await using live = await openLiveClient(own.root, 'consoleLog', { query: {} }, { ours: false })
    // The store's output of its first start. MinIO has none until something goes wrong.
    const record = (await live.next()) as unknown as Record<string, unknown>
    expect(record).toMatchObject({
      ConsoleMsg: expect.any(String),
      level: expect.any(String),
      node: expect.any(String),
    })
    expect(record.time).toMatch(/^\d\d:\d\d:\d\d UTC \d\d\/\d\d\/\d{4}$/)
    expect(record.message).toContain('created the key that encrypts secrets')
  },
  20_000,
)

ownStore.test(
  'secrets in settings, headers and queries are in no report, log, trace, audit record or output',
  async () => {
    const planted = (name: string) => `planted-${name}-5d1f0c`
    await using own = await startConsole({
      env: {
        STOWAGE_LOG_LEVEL: 'debug',
        STOWAGE_SECRET: planted('session'),
        STOWAGE_PROMETHEUS_URL: 'http://127.0.0.1:9',
        STOWAGE_PROMETHEUS_AUTH_TOKEN: planted('prometheus'),
        STOWAGE_ROOT_PASSWORD: 'rootpassword',
        MINIO_NOTIFY_WEBHOOK_ENABLE_PRIMARY: 'on',
        MINIO_NOTIFY_WEBHOOK_ENDPOINT_PRIMARY: 'http://127.0.0.1:9/hook',
        MINIO_NOTIFY_WEBHOOK_AUTH_TOKEN_PRIMARY: planted('webhook'),
      },
    })
    await using trace = await openLiveClient(own.root, 'trace', { query: { calls: 'all' } }, { ours: false })
    const traced: string[] = []
    const body = {
      key_values: [
        { key: 'enable', value: 'on' },
        { key: 'endpoint', value: 'http://127.0.0.1:9/log' },
        { key: 'auth_token', value: planted('logger') },
      ],
      arn_resource_id: 'planted',
    }
    await own.call('setConfig', { params: { name: 'logger_webhook' }, body })
    const user = { accessKey: own.freshName('user'), secretKey: planted('user'), groups: [], policies: [] }
    await own.call('createUser', { body: user })
    const query = `X-Amz-Signature=${planted('signature')}&X-Amz-Security-Token=${planted('token')}`
    await fetch(`${own.serverUrl}/planted-bucket/key?${query}`, {
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=x, Signature=${planted('header')}`,
        'x-amz-server-side-encryption-customer-key': planted('customer'),
        cookie: planted('cookie'),
      },
    })
    await expect
      .poll(async () => {
        traced.push(JSON.stringify(await trace.next()))
        return traced.join()
      })
      .toContain('planted-bucket')
    await using report = await openLiveClient(
      own.root,
      'healthInfo',
      { query: { deadline: '1m', anonymize: 'none' } },
      { ours: false },
    )
    await using log = await openLiveClient(own.root, 'consoleLog', { query: {} }, { ours: false })
    const rows = async () => (await own.call('searchLogs', { query: { pageSize: 1000, tools: true } as never })).results
    await expect.poll(async () => (await rows()).map(({ bucket }) => bucket)).toContain('planted-bucket')
    await expect.poll(async () => (await rows()).map(({ api_name }) => api_name)).toContain('console:createUser')
    const texts = {
      report: JSON.stringify(await report.next()),
      log: JSON.stringify(await log.next()),
      trace: traced.join(),
      audit: JSON.stringify(await rows()),
      output: own.output(),
    }
    for (const [name, text] of Object.entries(texts)) {
      expect(text.match(/planted-\w+-5d1f0c/g) ?? [], name).toEqual([])
      expect(text, name).not.toContain('rootpassword')
    }
  },
)

ownStore.test('a report of 200 MB arrives complete, and the console goes on', async () => {
  await using behind = await startConsoleBehindFaults()
  const { c: own, network } = behind
  const part = `"${'x'.repeat((1 << 20) - 3)}",`
  const report = `{"version":"3","sys":{"parts":[${part.repeat(200)}0]}}\n`
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${report.length}\r\n\r\n`
  network.set({ answer: { to: 'healthinfo', with: head + report, times: 1 } })
  const query = { deadline: '1m' }
  await using live = await openLiveClient(own.root, 'healthInfo', { query }, { ours: false, maxPayload: 0 })
  const { sys } = (await live.next()) as unknown as { sys: { parts: unknown[] } }
  expect(sys.parts).toHaveLength(201)
  expect(await live.closed).toMatchObject({ code: 1000 })
  expect((await own.call('getSession', {})).status).toBe('ok')
})
