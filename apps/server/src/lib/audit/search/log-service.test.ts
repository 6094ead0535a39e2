import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleQuery } from '../testing/sample-records.ts'
import { formatCursor, parseCursor, readAuditPage } from './audit-page.ts'
import { LogService } from './log-service.ts'

/** A service with 2,500 records, which answers as that of 2021 does: `null` for no rows, and offsets by `pageStart`. */
const ROWS = Array.from({ length: 2500 }, (_, n) => ({
  time: new Date(Date.UTC(2026, 0, 1) - n * 1000).toISOString(),
  api_name: 'PutObject',
  bucket: n % 2 === 0 ? 'even' : 'odd',
  object: `key-${n}`,
  time_to_response_ns: 5,
  remote_host: '192.0.2.1',
  request_id: `R${n}`,
  user_agent: 'test',
  response_status: 'OK',
  response_status_code: 200,
  request_content_length: null,
  response_content_length: 7,
}))
const asked: URLSearchParams[] = []
let answer: { status: number; body: string } | undefined
const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
  asked.push(searchParams)
  if (answer) return void response.writeHead(answer.status).end(answer.body)
  if (pathname !== '/base/api/query' || searchParams.get('token') !== 'a secret&more')
    return void response.writeHead(403).end()
  const [size, page] = [Number(searchParams.get('pageSize')), Number(searchParams.get('pageStart'))]
  const rows = ROWS.slice(page * size, (page + 1) * size)
  response.end(JSON.stringify(rows.length === 0 ? null : rows))
})
let url: URL
let service: LogService
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`)
  service = new LogService({ url, token: 'a secret&more' })
})
afterAll(async () => {
  await service.close()
  server.close()
})

test('pages over many answers: nothing is missing, nothing is double', async () => {
  const { records } = await readAuditPage(service, sampleQuery({ limit: 5000 }))
  expect(records.map(({ requestId }) => requestId)).toEqual(ROWS.map(({ request_id }) => request_id))
  expect(records[1]).toMatchObject({ bucket: 'odd', status: 'OK', bytesIn: null, bytesOut: 7, source: 'log-search' })
  const odd = await readAuditPage(service, sampleQuery({ skip: 600, limit: 2, filters: ['bucket:od.'] }))
  expect(odd.records.map(({ object }) => object)).toEqual(['key-1201', 'key-1203'])
})

test('the service gets the filters that it understands as we do, escaped, and the times', async () => {
  const filters = ['bucket:a&b=*', 'object:50%', 'api_name:Put*', 'api_name:Get*', 'user:me', 'response_status:404']
  await readAuditPage(
    service,
    sampleQuery({ filters, from: Date.UTC(2025, 11, 1), to: Date.UTC(2026, 0, 1), newestFirst: false }),
  )
  const last = asked.at(-1)
  expect(last?.getAll('fp')).toEqual(['bucket:a&b=*'])
  expect(last?.get('timeStart')).toBe('2025-12-01T00:00:00.000Z')
  expect(last?.has('timeAsc')).toBe(true)
  expect(last?.has('timeDesc')).toBe(false)
})

test.each([
  [{ status: 403, body: '' }, 'log-search-refused'],
  [{ status: 200, body: '<html>' }, 'log-search-other'],
  [{ status: 200, body: '{}' }, 'log-search-other'],
])('an answer that is no list is reported: %o', async (wrong, id) => {
  answer = wrong
  await expect(readAuditPage(service, sampleQuery())).rejects.toMatchObject({ status: 502, reason: { id } })
  answer = undefined
})

test('rows of any shape do no harm', async () => {
  answer = { status: 200, body: JSON.stringify([null, 5, { time: 7, bucket: {}, response_status_code: -1 }, {}]) }
  const { records } = await readAuditPage(service, sampleQuery())
  expect(records).toHaveLength(1)
  expect(records[0]).toMatchObject({ at: 0, bucket: '', statusCode: 0 })
  answer = undefined
})

test('a service that sends the same page for ever is reported', async () => {
  answer = { status: 200, body: JSON.stringify(ROWS.slice(0, 1000)) }
  await expect(readAuditPage(service, sampleQuery({ limit: 5000 }))).rejects.toMatchObject({
    status: 502,
    reason: { id: 'log-search-other' },
  })
  answer = undefined
})

test('a cursor whose time is outside the range of dates is refused', () => {
  expect(parseCursor('x')).toBeUndefined()
  expect(parseCursor(formatCursor({ at: 5, id: 'x' }))).toEqual({ at: 5, id: 'x' })
  for (const at of [1e300, 8.64e15, -1e300]) expect(parseCursor(formatCursor({ at, id: 'x' }))).toBeUndefined()
})

test('a service that does not answer is reported in the words of the original', async () => {
  const dead = new LogService({ url: new URL('http://127.0.0.1:9'), token: '' })
  await expect(readAuditPage(dead, sampleQuery())).rejects.toMatchObject({
    status: 502,
    reason: { id: 'log-search-unreachable' },
  })
  await dead.close()
})
