import { expect, test } from 'vitest'
import { parseStoreRecords, readAuditRecord } from './audit-record.ts'

const read = (value: unknown) => readAuditRecord(value, 'north', 1_700_000_000_000)

test('a record of 2021', () => {
  expect(
    read({
      version: '1',
      deploymentid: 'd',
      time: '2021-11-21T07:47:36.123456789Z',
      trigger: 'incoming',
      api: {
        name: 'PutObject',
        bucket: 'b',
        object: 'k',
        status: 'OK',
        statusCode: 200,
        timeToResponse: '4320824ns',
        rx: -1,
      },
      remotehost: '10.0.0.1',
      requestID: 'R',
      userAgent: 'mc',
      requestHeader: { 'Content-Length': '5', Authorization: 'AWS4-HMAC-SHA256 Credential=x, Signature=y' },
      responseHeader: { 'Content-Length': '0' },
    }),
  ).toMatchObject({
    source: 'north',
    at: Date.parse('2021-11-21T07:47:36.123Z') + 0.456789,
    api: 'PutObject',
    bucket: 'b',
    object: 'k',
    statusCode: 200,
    duration: 4_320_824,
    bytesIn: 5,
    bytesOut: 0,
    requestId: 'R',
    raw: { requestHeader: { Authorization: '*REDACTED*' } },
  })
})

test('a record of 2025, and one of a background task, which has no request', () => {
  expect(
    read({
      time: '2025-10-15T00:00:00Z',
      api: { name: 'DeleteMultipleObjects', objects: [{ objectName: 'a' }], timeToResponseInNS: '17', rx: 3, tx: 4 },
      accessKey: 'ops',
    }),
  ).toMatchObject({ object: 'a', duration: 17, bytesIn: 3, bytesOut: 4, accessKey: 'ops' })
  expect(read({ event: 'ilm:expiry', time: '2025-10-15T00:00:00Z' })).toMatchObject({
    api: 'ilm:expiry',
    statusCode: 0,
  })
})

test.each([
  ['{}', {}],
  ['a list', []],
  ['a text', 'x'],
  ['nothing', null],
])('%s is not a record', (_, value) => expect(read(value)).toBeUndefined())

test('the lines of the embedded store are kept as they are', () => {
  const line = JSON.stringify({ time: '2026-11-23T00:00:00.000Z', requestID: 'R', api: { name: 'GetObject', rx: 0 } })
  const records = parseStoreRecords(`${line}\n${line}\n`)
  expect(records).toHaveLength(2)
  expect(records[0]).toMatchObject({ source: 'embedded', api: 'GetObject', requestId: 'R', rawText: line })
})

test('members of the wrong type, and names such as __proto__, do no harm', () => {
  expect(read({ time: 7, api: { name: {}, statusCode: 'x' }, requestHeader: ['x'] })).toMatchObject({
    at: 1_700_000_000_000,
    api: '',
    statusCode: 0,
  })
  expect(read(JSON.parse('{"__proto__":{"time":"x"},"constructor":1}'))).toMatchObject({ time: expect.any(String) })
})

test('records of the same millisecond keep their order, and a record of megabytes is cut', () => {
  const one = read({ time: '2025-10-15T00:00:00.000001Z', requestID: '1' })
  const two = read({ time: '2025-10-15T00:00:00.000002Z', requestID: '2' })
  expect(two?.at).toBeGreaterThan(one?.at ?? 0)
  expect(one?.id).not.toBe(two?.id)
  const tags = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`tag${n}`, 'x'.repeat(5000)]))
  expect(JSON.stringify(read({ time: '2025-10-15T00:00:00Z', tags })).length).toBeLessThan(10_000)
})
