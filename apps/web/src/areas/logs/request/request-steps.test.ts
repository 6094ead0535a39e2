import type { AuditRow, LogMessage, TraceMessage } from '@stowage/contract'
import { expect, test } from 'vitest'
import { relatedTrace, requestSteps } from './request-steps.ts'

const trace = (more: Partial<TraceMessage>): TraceMessage => ({
  host: '',
  time: '2026-11-22T12:00:00.000Z',
  client: '',
  callStats: { rx: 0, tx: 0, duration: '', timeToFirstByte: '' },
  api: 's3.PutObject',
  path: '/photos/a/b.jpg',
  query: '',
  statusCode: 200,
  statusMsg: '',
  kind: 's3',
  method: 'PUT',
  node: '',
  durationNs: 5e6,
  timeToFirstByteNs: 0,
  error: '',
  requestId: 'R1',
  userAgent: '',
  ...more,
})

test('the steps of a request from all sources are sorted by time', () => {
  const audit = {
    id: 'x',
    time: '2026-11-22T12:00:00.001Z',
    api_name: 'PutObject',
    bucket: 'photos',
    object: 'a/b.jpg',
  }
  const row = { ...audit, source: 'embedded', response_status_code: 200, time_to_response_ns: 4e6 } as AuditRow
  const line = {
    at: '2026-11-22T12:00:00.003Z',
    level: 'ERROR',
    message: 'disk',
    ConsoleMsg: '',
    node: 'n',
  } as LogMessage
  const steps = requestSteps({
    records: [row, { ...row, id: 'c', source: 'console', time: '2026-11-22T11:59:59.000Z', response_status_code: 503 }],
    log: [line],
    trace: [trace({}), trace({ kind: 'storage', time: '2026-11-22T12:00:00.002Z', statusCode: 0, error: 'timeout' })],
  })
  expect(steps.map(({ kind, state, outcome }) => [kind, state, outcome])).toEqual([
    ['console', 'bad', '503'],
    ['trace', 'ok', '200'],
    ['request', 'ok', '200'],
    ['drive', 'bad', 'timeout'],
    ['log', 'bad', 'ERROR'],
  ])
  expect(steps[2]).toMatchObject({ detail: 'photos/a/b.jpg', durationMs: 4 })
})

test('drive operations without an ID are assigned to a request by path and time', () => {
  const request = trace({})
  const drive = (more: Partial<TraceMessage>) => trace({ kind: 'storage', requestId: '', ...more })
  const own = drive({ time: '2026-11-22T12:00:00.002Z', path: '/drive1/photos/a/b.jpg/part.1' })
  const all = [
    request,
    own,
    drive({ time: '2026-11-22T12:00:00.002Z', path: '/drive1/other/a.jpg' }),
    drive({ time: '2026-11-22T12:00:00.009Z', path: '/drive1/photos/a/b.jpg' }),
    trace({ requestId: 'R2' }),
  ]
  expect(relatedTrace(request, all)).toEqual([request, own])
  expect(relatedTrace(trace({ path: '/' }), [own])).toEqual([])
})
