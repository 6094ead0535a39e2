import { expect, test } from 'vitest'
import { actionRecord, type RecordedAction } from './action-record.ts'

const action: RecordedAction = {
  name: 'setBucketQuota',
  endpoint: { area: 'buckets', body: 'json' },
  requestId: 'r',
  startedAt: 0,
  durationMs: 1.5,
  status: 200,
  method: 'PUT',
  path: '/api/v1/buckets/photos/quota',
  params: { bucket: 'photos' },
  query: {},
  before: undefined,
  body: { amount: 5, password: 'hidden', key_values: [{ key: 'auth_token', value: 'hidden' }] },
  address: '192.0.2.7',
  userAgent: 'browser',
  user: 'alice',
}

test('an action is recorded as an audit record, with its input and without secrets', () => {
  const record = actionRecord(action)
  expect(record).toMatchObject({
    time: '1970-01-01T00:00:00.000Z',
    api: { name: 'console:setBucketQuota', bucket: 'photos', statusCode: 200, timeToResponseInNS: '1500000' },
    remotehost: '192.0.2.7',
    accessKey: 'alice',
    tags: { change: { amount: 5 } },
  })
  expect(JSON.stringify(record)).not.toContain('hidden')
})

test('in areas whose bodies are mostly secrets only field names are recorded', () => {
  for (const area of ['session', 'configs', 'service-accounts', 'tiers', 'tenants']) {
    const record = actionRecord({ ...action, endpoint: { area, body: 'json' }, body: { anything: 'hidden' } })
    expect(JSON.stringify(record)).toContain('anything')
    expect(JSON.stringify(record)).not.toContain('hidden')
  }
})

test('a record names what the query names, and what a change replaces, without secrets', () => {
  const record = actionRecord({
    ...action,
    params: { bucket: 'photos' },
    query: { prefix: 'italy/lake.jpg', token: 'hidden' },
    before: { status: 'enabled', secretKey: 'hidden' },
    body: { status: 'disabled', secretKey: 'hidden' },
  })
  expect(record).toMatchObject({
    api: { bucket: 'photos', object: 'italy/lake.jpg' },
    requestQuery: { prefix: 'italy/lake.jpg' },
    tags: { before: { status: 'enabled' }, change: { status: 'disabled' } },
  })
  expect(JSON.stringify(record)).not.toContain('hidden')
})
