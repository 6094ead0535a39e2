import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import { startConsole } from '../../support/console/start-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const READ_ONLY = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: ['s3:ListBucket'], Resource: ['arn:aws:s3:::*'] }],
}
type Filters = readonly string[]
const rows = async (...fp: Filters) =>
  (await c.call('searchLogs', { query: { fp, pageSize: 100, order: 'timeDesc' } as never })).results
/** Records arrive a moment after the request. */
const recorded = async (...fp: Filters) => {
  await expect.poll(async () => (await rows(...fp)).length).toBeGreaterThan(0)
  return await rows(...fp)
}
const get = async (path: string, headers: Record<string, string> = {}) =>
  await fetch(`${c.url}/api/v1/${path}`, { headers: { cookie: `token=${c.root.session}`, ...headers } })

ownStore.test('the embedded store is recorded from its first start, without any setting', async () => {
  const bucket = await c.newBucket('recorded')
  const [row] = await recorded(`bucket:${bucket}`, 'api_name:CreateBucket', 'source:embedded')
  expect(row).toMatchObject({ bucket, response_status_code: 200, user: c.rootUser, source: 'embedded' })
})

ownStore.test('health checks and scrapes of metrics are not recorded', async () => {
  await fetch(`${c.serverUrl}/minio/health/live`)
  await fetch(`${c.serverUrl}/minio/v2/metrics/cluster`)
  const bucket = await c.newBucket('after')
  await recorded(`bucket:${bucket}`, 'source:embedded')
  expect(await rows('api_name:health*')).toEqual([])
  expect(await rows('api_name:metrics*')).toEqual([])
})

test('what is done in the console is recorded: by whom, from where, with what result, and without secrets', async () => {
  const name = c.freshName('bucket')
  await c.call('createBucket', { body: { name } })
  const mine = async () =>
    (await rows('api_name:console:createBucket', 'source:console')).find(({ raw }) =>
      JSON.stringify(raw).includes(name),
    )
  await expect.poll(mine).toMatchObject({ user: c.rootUser, response_status_code: 201, remote_host: '127.0.0.1' })
  const user = c.freshName('user')
  await c.call('createUser', { body: { accessKey: user, secretKey: 'secret-of-the-user', groups: [], policies: [] } })
  await recorded('api_name:console:createUser')
  const text = JSON.stringify(await rows('source:console'))
  expect(text).toContain('secretKey')
  expect(text).not.toContain('secret-of-the-user')
  // The password of other servers may be the name of the user.
  if (c.rootPassword !== c.rootUser) expect(text).not.toContain(c.rootPassword)
})

test('the record of a change names what was changed, and its state before and after', async () => {
  const policy = c.freshName('policy')
  const policyDocument = (action: string) =>
    JSON.stringify({ ...READ_ONLY, Statement: [{ Effect: 'Allow', Action: [action], Resource: ['arn:aws:s3:::*'] }] })
  for (const action of ['s3:GetObject', 's3:PutObject'])
    await c.call('createPolicy', { body: { name: policy, policy: policyDocument(action) } })
  const user = c.freshName('user')
  await c.call('createUser', { body: { accessKey: user, secretKey: 'secret-of-the-user', groups: [], policies: [] } })
  await c.call('setPolicies', { body: { name: [policy], entityType: 'user', entityName: user } })
  await c.call('updateUser', { query: { name: user }, body: { status: 'disabled', groups: [], policies: [policy] } })
  await c.call('deleteUser', { query: { name: user } })
  await c.call('deletePolicy', { query: { name: policy } })
  const lastRecord = async (call: string, subject: string) =>
    (await rows(`api_name:console:${call}`)).map(({ raw }) => raw).find((raw) => JSON.stringify(raw).includes(subject))
  await expect
    .poll(async () => await lastRecord('deletePolicy', policy))
    .toMatchObject({
      requestQuery: { name: policy },
      tags: { before: { policy: expect.stringContaining('s3:PutObject') } },
    })
  expect(await lastRecord('createPolicy', policy)).toMatchObject({
    tags: {
      before: { policy: expect.stringContaining('s3:GetObject') },
      change: { policy: expect.stringContaining('s3:PutObject') },
    },
  })
  expect(await lastRecord('setPolicies', user)).toMatchObject({
    tags: { before: { name: [] }, change: { name: [policy], entityName: user } },
  })
  expect(await lastRecord('updateUser', user)).toMatchObject({
    requestQuery: { name: user },
    tags: { before: { status: 'enabled', policies: [policy] }, change: { status: 'disabled' } },
  })
  expect(await lastRecord('deleteUser', user)).toMatchObject({ requestQuery: { name: user } })
})

test('sign-ins are recorded, failed ones too; other anonymous requests are not', async () => {
  const key = c.freshName('stranger')
  expect((await callFailure(c.signIn(key, 'a-wrong-secret'))).status).toBe(401)
  expect((await recorded('api_name:console:login', `user:${key}`))[0]).toMatchObject({ response_status_code: 401 })
  await fetch(`${c.url}/api/v1/buckets/${key}`, { method: 'DELETE' })
  const user = await c.signInWith(READ_ONLY)
  expect((await callFailure(user.call('searchLogs', { query: {} as never }))).status).toBe(403)
  await recorded('api_name:console:searchLogs', 'response_status:403')
  expect(JSON.stringify(await rows('api_name:console:deleteBucket'))).not.toContain(key)
})

test('a request is followed from the call of the console to the requests that it caused, from either ID', async () => {
  const name = c.freshName('followed')
  const answer = await fetch(`${c.url}/api/v1/buckets`, {
    method: 'POST',
    headers: { cookie: `token=${c.root.session}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  const id = answer.headers.get('x-request-id') ?? ''
  const follow = async (id: string) => await c.call('followRequest', { params: { id }, query: {} })
  const apis = async () => (await follow(id)).records.map(({ api_name }) => api_name)
  await expect.poll(apis).toContain('console:createBucket')
  if (!c.embedded) return
  await expect.poll(apis).toContain('CreateBucket')
  const { records } = await follow(id)
  const request = records.find(({ api_name }) => api_name === 'CreateBucket')
  expect((await follow(request?.request_id ?? '')).records.map(({ id }) => id)).toEqual(records.map(({ id }) => id))
  expect((await follow('0000000000000000')).records).toEqual([])
})

test('a summary counts records over time, and the most frequent users, buckets and calls', async () => {
  const bucket = c.freshName('counted')
  const { token } = await c.call('getAuditReceiver', { query: { source: 'north' } })
  const record = (n: number) => ({
    time: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
    api: { name: n % 3 ? 'GetObject' : 'PutObject', bucket, statusCode: n === 0 ? 503 : 200 },
    requestID: `${bucket}-${n}`,
    accessKey: 'temporary',
    parentUser: n < 4 ? 'alice' : 'bob',
  })
  const body = Array.from({ length: 6 }, (_, n) => JSON.stringify(record(n))).join('\n')
  await fetch(`${c.url}/api/v1/audit/ingest`, { method: 'POST', headers: { authorization: token }, body })
  const summary = await c.call('summarizeLogs', { query: { fp: [`bucket:${bucket}`] } as never })
  expect(summary).toMatchObject({
    total: 6,
    step: 5,
    users: [
      { value: 'alice', count: 4 },
      { value: 'bob', count: 2 },
    ],
    buckets: [{ value: bucket, count: 6 }],
    calls: [
      { value: 'GetObject', count: 4 },
      { value: 'PutObject', count: 2 },
    ],
  })
  expect(summary.counts).toHaveLength(6)
  expect(summary.counts[0]).toEqual({ time: Date.UTC(2026, 0, 1) / 1000, count: 1, errors: 1 })
})

test('all records that match are exported as CSV, in which no cell is a formula, or as lines of JSON', async () => {
  const bucket = c.freshName('exported')
  const { token } = await c.call('getAuditReceiver', { query: { source: 'north' } })
  const record = (n: number) => ({
    time: new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString(),
    api: { name: 'GetObject', bucket, object: n === 0 ? "=cmd|' /C calc'!A0" : `a,"b"-${n}`, statusCode: 200 },
    requestID: `${bucket}-${n}`,
    userAgent: '+1',
  })
  const body = Array.from({ length: 1500 }, (_, n) => JSON.stringify(record(n))).join('\n')
  await fetch(`${c.url}/api/v1/audit/ingest`, { method: 'POST', headers: { authorization: token }, body })
  const csv = await get(`logs/export?format=csv&order=timeAsc&fp=bucket:${bucket}`)
  expect(csv.headers.get('content-disposition')).toContain('audit.csv')
  const lines = (await csv.text()).trimEnd().split('\r\n')
  expect(lines).toHaveLength(1501)
  expect(lines[1]).toContain(`'=cmd`)
  expect(lines[1]).toContain(`'+1`)
  expect(lines[2]).toContain('"a,""b""-1"')
  const ndjson = (await (await get(`logs/export?fp=bucket:${bucket}`)).text()).trimEnd().split('\n')
  expect(ndjson.map((line) => JSON.parse(line).request_id)).toHaveLength(1500)
  expect(JSON.parse(ndjson[0] ?? '').request_id).toBe(`${bucket}-1499`)
})

test('reading records needs the right to do so', async () => {
  const user = await c.signInWith(READ_ONLY)
  const refused = [
    user.call('summarizeLogs', { query: {} as never }),
    user.call('followRequest', { params: { id: '0000000000000000' }, query: {} }),
    user.call('recordAudit', { body: { address: 'https://console.example.com', source: 'x', wait: 0 } }),
  ]
  for (const { status } of await Promise.all(refused.map(callFailure))) expect(status).toBe(403)
  expect((await get('logs/export', { cookie: `token=${user.session}` })).status).toBe(403)
  expect((await get('logs/export', { cookie: '' })).status).toBe(401)
  expect((await get('requests/%2e%2e%2fsecret')).status).toBe(400)
})

test.each([['not an address'], ['ftp://host'], ['http://user:secret@host'], ['http://host/?a=b']])(
  'records cannot be sent to %s',
  async (address) => {
    const call = c.call('recordAudit', { body: { address, source: 'x', wait: 0 } })
    expect((await callFailure(call)).status).toBe(400)
  },
)

ownStore.test('Record here sets the webhook of the server, and tells that a record has arrived', async () => {
  await using front = await startConsole({
    env: { STOWAGE_EGRESS_ALLOW: '127.0.0.1', STOWAGE_AUDIT: 'off' },
  })
  expect(await front.call('recordAudit', { body: { address: `${front.url}/`, source: 'north', wait: 20 } })).toEqual({
    restart: false,
    arrived: true,
  })
  const { last_record, lag } = await front.call('getAuditReceiver', { query: { source: 'north' } })
  expect(Date.parse(last_record ?? '')).toBeGreaterThan(Date.now() - 60_000)
  expect(lag).toBeLessThan(60_000)
  expect((await front.call('getAuditReceiver', { query: { source: 'south' } })).last_record).toBeUndefined()
})
