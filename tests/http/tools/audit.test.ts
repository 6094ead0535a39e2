import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const receiverToken = async (c: TestTarget, source = 'north') =>
  (await c.call('getAuditReceiver', { query: { source } })).token
const post = async (c: TestTarget, body: string, headers: Record<string, string> = {}, path = '/api/v1/audit/ingest') =>
  (await fetch(`${c.url}${path}`, { method: 'POST', body, headers })).status

/** Records of a bucket that no other test uses, as posted by MinIO of 2025. */
const record = (bucket: string, n: number, more: object = {}, api: object = {}) => ({
  version: '1',
  deploymentid: 'd',
  time: new Date(Date.UTC(2026, 10, 22, 12, 0, n)).toISOString(),
  trigger: 'incoming',
  api: {
    name: 'PutObject',
    bucket,
    object: `k${n}`,
    status: 'OK',
    statusCode: 200,
    timeToResponseInNS: '1500',
    rx: 5,
    tx: 7,
    ...api,
  },
  remotehost: '10.0.0.1',
  requestID: `${bucket}-${n}`,
  userAgent: 'mc',
  ...more,
})
const lines = (records: object[]) => records.map((each) => `${JSON.stringify(each)}\n`).join('')
const search = async (bucket: string, query: object = {}) =>
  await c.call('searchLogs', { query: { fp: `bucket:${bucket}`, pageSize: 100, ...query } as never })
const ids = async (bucket: string, query: object = {}) =>
  (await search(bucket, query)).results.map(({ request_id }) => request_id.slice(bucket.length + 1))

test('records in batches of lines, or one alone, are found again with the fields of the specification [LGS-08] [LGS-12]', async () => {
  const bucket = c.freshName('audit')
  const authorization = await receiverToken(c)
  expect(await post(c, lines([record(bucket, 1), record(bucket, 2)]), { authorization })).toBe(200)
  expect(await post(c, JSON.stringify(record(bucket, 3)), { authorization: `Bearer ${authorization}` })).toBe(200)
  // Sent again by a server that did not get the answer.
  expect(await post(c, lines([record(bucket, 3)]), {}, `/api/ingest?token=${authorization}`)).toBe(200)
  const { results } = await search(bucket)
  expect(results.map(({ request_id }) => request_id)).toEqual([3, 2, 1].map((n) => `${bucket}-${n}`))
  expect(results[0]).toMatchObject({
    time: '2026-11-22T12:00:03.000Z',
    api_name: 'PutObject',
    bucket,
    object: 'k3',
    remote_host: '10.0.0.1',
    user_agent: 'mc',
    response_status: 'OK',
    response_status_code: 200,
    request_content_length: 5,
    response_content_length: 7,
    time_to_response_ns: 1500,
    source: 'north',
  })
})

test('filters, times, order and pages [LGS-10] [LGS-12]', async () => {
  const bucket = c.freshName('audit')
  const authorization = await receiverToken(c)
  const records = [1, 2, 3, 4, 5].map((n) =>
    record(bucket, n, {}, { name: n % 2 ? 'PutObject' : 'GetObject', statusCode: n === 5 ? 404 : 200 }),
  )
  await post(c, lines(records), { authorization })
  expect(await ids(bucket, { order: 'timeAsc' })).toEqual(['1', '2', '3', '4', '5'])
  expect(await ids(bucket, { pageSize: 2, pageNo: 1 })).toEqual(['3', '2'])
  const { next: cursor } = await search(bucket, { pageSize: 2 })
  expect(await ids(bucket, { pageSize: 2, cursor })).toEqual(['3', '2'])
  expect(await ids(bucket, { timeStart: '2026-11-22T12:00:02Z', timeEnd: '2026-11-22T12:00:04Z' })).toEqual(['3', '2'])
  const fp = (...filters: string[]) => ids(bucket, { fp: [`bucket:${bucket}`, ...filters] })
  expect(await fp('api_name:GetObject')).toEqual(['4', '2'])
  expect(await fp('api_name:Get*', 'api_name:Put*')).toEqual(['5', '4', '3', '2', '1'])
  expect(await fp('api_name:Put*', 'response_status:404')).toEqual(['5'])
  expect(await fp('object:k.')).toHaveLength(5)
  expect(await fp("object:%' OR 1=1 --")).toEqual([])
})

test.each([
  [{ fp: 'owner:x' }],
  [{ fp: 'bucket' }],
  [{ pageSize: 0 }],
  [{ pageSize: 5000 }],
  [{ pageNo: -1 }],
  [{ cursor: 'x' }],
  [{ order: 'up' }],
  [{ timeStart: 'yesterday' }],
])('a search for %j is a 400', async (query) =>
  expect((await callFailure(c.call('searchLogs', { query: query as never }))).status).toBe(400),
)

test('posting needs a token of this console; a session is not enough', async () => {
  const text = lines([record('b', 1)])
  const token = await receiverToken(c)
  const [name = '', signature = ''] = token.split('.')
  for (const wrong of [
    '',
    'x',
    `${name}.`,
    `${name}.${signature.slice(1)}`,
    `${Buffer.from('south').toString('base64url')}.${signature}`,
  ])
    expect(await post(c, text, { authorization: wrong }), wrong).toBe(403)
  expect(await post(c, text, { authorization: `Bearer ${c.root.session}` })).toBe(403)
})

test('input that is not a record is ignored or refused, never stored', async () => {
  const authorization = await receiverToken(c)
  expect(await post(c, '{}', { authorization })).toBe(200)
  expect(await post(c, '', { authorization })).toBe(200)
  expect(await post(c, '{"cut":', { authorization })).toBe(400)
  expect(await post(c, '<html>', { authorization })).toBe(400)
  expect(await post(c, 'x'.repeat(17 << 20), { authorization })).toBe(413)
})

test('the source of a record is that of its token, whatever body and headers say', async () => {
  const bucket = c.freshName('audit')
  const headers = { authorization: await receiverToken(c), 'x-forwarded-for': 'south', forwarded: 'for=south' }
  await post(c, lines([record(bucket, 1, { source: 'south', requestNode: 'south', deploymentid: 'south' })]), headers)
  expect((await search(bucket)).results).toMatchObject([{ source: 'north' }])
})

test('secrets in a record are not stored', async () => {
  const bucket = c.freshName('audit')
  const secret = 'c2VjcmV0LXBsYW50ZWQ'
  const planted = {
    requestHeader: { Authorization: `x Signature=${secret}`, 'X-Amz-Security-Token': secret, Cookie: secret },
    requestQuery: { 'X-Amz-Signature': secret, LDAPPassword: secret },
    tags: { note: `https://h/b/k?X-Amz-Signature=${secret}` },
  }
  await post(c, lines([record(bucket, 1, planted)]), { authorization: await receiverToken(c) })
  const text = JSON.stringify(await search(bucket))
  expect(text).toContain('X-Amz-Security-Token')
  expect(text).not.toContain(secret)
})

test('the session has the feature Audit Logs once there are records, if the caller may read the log [LGS-02]', async () => {
  await using own: TestConsole = await startConsole({ env: { STOWAGE_AUDIT: 'off' } })
  expect((await own.call('getSession', {})).features).toEqual([])
  await post(own, lines([record('b', 1)]), { authorization: await receiverToken(own) })
  expect((await own.call('getSession', {})).features).toEqual(['log-search'])
  const user = await own.signInWith({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] }],
  })
  expect((await user.call('getSession', {})).features).toEqual([])
  expect((await callFailure(user.call('searchLogs', { query: {} as never }))).status).toBe(403)
})

ownStore.test(
  'the embedded store sends a record of each request to the webhook of its configuration, from the next one on',
  async () => {
    await using own = await startConsole({ env: { STOWAGE_EGRESS_ALLOW: '127.0.0.1', STOWAGE_AUDIT: 'off' } })
    const token = await receiverToken(own, 'embedded')
    const key_values = [
      { key: 'enable', value: 'on' },
      { key: 'endpoint', value: `${own.url}/api/v1/audit/ingest` },
      { key: 'auth_token', value: token },
    ]
    const params = { name: 'audit_webhook' }
    const saved = await own.call('setConfig', { params, body: { key_values, arn_resource_id: 'console' } })
    expect(saved).toEqual({ restart: false })
    const bucket = await own.newBucket('recorded')
    const found = () => own.call('searchLogs', { query: { fp: `bucket:${bucket}`, pageSize: 10 } as never })
    await expect.poll(async () => (await found()).results.map(({ api_name }) => api_name)).toContain('CreateBucket')
  },
)

test('a log search service that cannot be reached is reported in the words of the original [LGS-12]', async () => {
  await using own = await startConsole({ env: { CONSOLE_LOG_QUERY_URL: 'http://127.0.0.1:9' } })
  const answer = await own.root.send('searchLogs', {
    query: { q: 'reqinfo', pageSize: 100, pageNo: 0, order: 'timeDesc' },
  })
  expect(answer.status).toBe(502)
  expect(await answer.json()).toMatchObject({
    message: 'Log Search API not available.',
    detailedMessage: 'The Log Search API cannot be reached. Please review the URL and try again.',
  })
  expect((await own.call('getSession', {})).features).toContain('log-search')
})
