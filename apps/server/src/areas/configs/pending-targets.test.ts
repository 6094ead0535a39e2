import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMadmin, readConfigText } from '@stowage/madmin'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SessionPayload } from '../../lib/session/session-payload.ts'
import { deleteConfigTarget, withPendingTargets } from './pending-targets.ts'

/** A storage server that has been up for 60 s, with a clock of its own, and the history of the test. */
const NOW = Date.UTC(2020, 0, 1, 12, 0, 0)
let history: { RestoreID: string; CreateTime: string; Data: string }[]
let status = 200
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://x')
  const body = pathname.endsWith('/info')
    ? {
        servers: [
          { endpoint: 'a:9000', uptime: 60 },
          { endpoint: 'b:9000', uptime: 7 },
        ],
      }
    : pathname.endsWith('/list-config-history-kv')
      ? history
      : {}
  const headers = { 'content-type': 'application/json', date: new Date(NOW).toUTCString() }
  response.writeHead(status, headers).end(JSON.stringify(status === 200 ? body : { Code: 'AccessDenied' }))
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  status = 200
  history = []
})

const set = (Data: string, secondsAgo: number, RestoreID = crypto.randomUUID()) =>
  history.push({ RestoreID, CreateTime: new Date(NOW - secondsAgo * 1000).toISOString(), Data })

function makeClients(...capabilities: SessionPayload['capabilities']) {
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const credentials = { accessKey: 'root', secretKey: 'root-password' }
  // Only the capabilities of the session are read.
  return { madmin: createMadmin({ endpoint, credentials }), session: { capabilities } as SessionPayload }
}

const LISTED = 'notify_webhook enable=off endpoint= \nnotify_webhook:old endpoint=http://h/old \n'
async function names(subsystem = 'notify_', clients = makeClients()) {
  const all = await withPendingTargets(clients, readConfigText(LISTED), subsystem)
  return all.map(
    ({ subsystem: name, target, values, waiting }) =>
      `${name}:${target} ${values.get('endpoint') ?? ''}${waiting ? ' waiting' : ''}`,
  )
}
const listed = ['notify_webhook:_ ', 'notify_webhook:old http://h/old']

test('targets that were set since the first server started are added, with all their changes', async () => {
  set('notify_webhook:before endpoint="http://h/before"', 90)
  set('notify_webhook:new endpoint="http://h/1"', 50)
  set('notify_webhook:new endpoint="http://h/2"', 40)
  set('notify_webhook:new comment="a b"', 30)
  set('notify_webhook:old endpoint="http://h/3"', 20)
  set('api requests_max="5"', 10)
  set('notify_nsq:q nsqd_address="h:1"', 5)
  expect(await names()).toEqual([...listed, 'notify_webhook:new http://h/2 waiting', 'notify_nsq:q  waiting'])
  expect(await names('notify_webhook')).toEqual([...listed, 'notify_webhook:new http://h/2 waiting'])
})

test('the default target is replaced by its change only if it is off', async () => {
  set('notify_webhook endpoint="http://h/1"', 50)
  expect(await names()).toEqual([listed[1], 'notify_webhook:_ http://h/1 waiting'])
})

test('a deleted target is not added, but one that is set again is', async () => {
  set('notify_webhook:gone endpoint="http://h/1"', 50)
  await deleteConfigTarget(makeClients(), 'notify_webhook', 'gone')
  expect(await names()).toEqual(listed)
  set('notify_webhook:gone endpoint="http://h/2"', 10)
  expect(await names()).toEqual([...listed, 'notify_webhook:gone http://h/2 waiting'])
})

test('webhooks of records are added on servers of 2021 only, and nothing on the embedded store', async () => {
  set('audit_webhook:a endpoint="http://h/1"', 50)
  const added = [...listed, 'audit_webhook:a http://h/1 waiting']
  expect(await names('audit_webhook', makeClients('quota-fifo'))).toEqual(added)
  expect(await names('audit_webhook', makeClients('revoke-tokens'))).toEqual(listed)
  set('notify_webhook:new endpoint="http://h/1"', 50)
  expect(await names('notify_', makeClients('aws-policies'))).toEqual(listed)
})

test('without the right to read the history, the targets are those that the server lists', async () => {
  status = 403
  expect(await names()).toEqual(listed)
})
