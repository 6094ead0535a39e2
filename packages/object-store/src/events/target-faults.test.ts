import { mkdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import path from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { expiredCertificate } from '@stowage/egress/testing'
import { sealAdminBody } from '@stowage/madmin/sealing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from '../http/testing/test-store.ts'
import { UNKNOWN_REQUESTER } from './store-event.ts'
import {
  BROKER_TIMEOUT,
  type Broker,
  type BrokerName,
  isBrokerInstalled,
  startBroker,
} from './targets/testing/brokers.ts'
import { startFakeNsqd } from './targets/testing/fake-servers.ts'
import { freePorts } from './targets/testing/free-ports.ts'

/* Failures of a target and its queue: the reason is reported and no event is lost. */

let store: HttpTestStore
beforeAll(async () => {
  const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 20))
  store = await startTestStore({ events: { allow: '127.0.0.1,localhost', wait, againMs: 20 } })
})
afterAll(() => store[Symbol.asyncDispose]())

const configure = async (line: string) => {
  const body = await sealAdminBody(line, ROOT_CREDENTIALS.secretKey)
  const request = { method: 'PUT', path: '/minio/admin/v3/set-config-kv', region: '', body }
  expect((await store.send(request)).text).toBe('')
}

let bucket = ''
let count = 0
beforeEach(async () => {
  bucket = `faults-${++count}`
  await store.engine.createBucket(bucket)
})

const put = (key: string) => store.send({ method: 'PUT', path: `/${bucket}/${key}`, body: 'x' })
const status = () => store.server.events.status().find(({ arn }) => arn.includes(`:t${count}:`))
const reason = () => status()?.failing?.reason

/** Creates a target and a rule that uses it, and causes an event. */
async function deliver(subsystem: string, service: string, settings: string): Promise<void> {
  await configure(`${subsystem}:t${count} ${settings}`)
  const queue = `<Queue>arn:minio:sqs:us-east-1:t${count}:${service}</Queue><Event>s3:ObjectCreated:*</Event>`
  const body = `<NotificationConfiguration><QueueConfiguration>${queue}</QueueConfiguration></NotificationConfiguration>`
  expect((await store.send({ method: 'PUT', path: `/${bucket}`, query: 'notification', body })).status).toBe(200)
  expect((await put('k')).status).toBe(200)
}

const END = () => configure(`notify_nsq:t${count} enable=off nsqd_address=127.0.0.1:1 topic=t`)

/** Starts a server that answers each connection with a text, or closes it. */
async function startStranger(answer: string | undefined): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (answer === undefined) socket.destroy()
    else socket.end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

const KINDS: [subsystem: string, service: string, settings: (port: number) => string][] = [
  ['notify_webhook', 'webhook', (port) => `endpoint=http://127.0.0.1:${port}`],
  ['notify_amqp', 'amqp', (port) => `url=amqp://127.0.0.1:${port}`],
  ['notify_kafka', 'kafka', (port) => `brokers=127.0.0.1:${port} topic=t`],
  ['notify_mqtt', 'mqtt', (port) => `broker=tcp://127.0.0.1:${port} topic=t qos=1`],
  ['notify_nats', 'nats', (port) => `address=127.0.0.1:${port} subject=t`],
  ['notify_nsq', 'nsq', (port) => `nsqd_address=127.0.0.1:${port} topic=t`],
  ['notify_mysql', 'mysql', (port) => `dsn_string=u:topsecret@tcp(127.0.0.1:${port})/db table=t`],
  [
    'notify_postgres',
    'postgresql',
    (port) => `connection_string="host=127.0.0.1 port=${port} user=u password=topsecret dbname=d" table=t`,
  ],
  ['notify_elasticsearch', 'elasticsearch', (port) => `url=http://127.0.0.1:${port} index=t`],
  ['notify_redis', 'redis', (port) => `address=127.0.0.1:${port} key=k password=topsecret`],
]

describe.each([
  ['hangs up', undefined],
  ['speaks another protocol', 'SSH-2.0-OpenSSH_9.6\r\nHTTP/1.1 400 Bad Request\r\n\r\n'],
])('a server that %s', (_, answer) => {
  let stranger: Awaited<ReturnType<typeof startStranger>>
  beforeAll(async () => {
    stranger = await startStranger(answer)
  })
  afterAll(() => void stranger.server.close())

  test.each(KINDS)('is no target of %s: the event waits, with a reason', async (subsystem, service, settings) => {
    await deliver(subsystem, service, settings(stranger.port))
    await expect.poll(reason).toMatch(/./)
    expect(reason()).not.toContain('topsecret')
    expect(status()).toMatchObject({ sent: 0, waiting: 1, refused: 0 })
    await configure(`${subsystem}:t${count} enable=off`)
  })
})

test('the store is not a target of itself, and its answers cause no events', async () => {
  await deliver('notify_webhook', 'webhook', `endpoint=${store.url}/${bucket}`)
  await expect.poll(reason).toMatch(/4\d\d/)
  expect(status()).toMatchObject({ sent: 0, waiting: 1 })
  await configure(`notify_webhook:t${count} enable=off`)
})

test('a queue that cannot be written keeps its events until it can', async () => {
  await using nsqd = await startFakeNsqd()
  await deliver('notify_nsq', 'nsq', `nsqd_address=127.0.0.1:${nsqd.port} topic=told`)
  await expect.poll(() => nsqd.taken.length).toBe(1)
  const folder = path.join(path.dirname(store.certificates), `nsq-t${count}`)
  // Writing fails as on a full disk. The position of the first event may be saved meanwhile.
  const replaced = async () => {
    await rm(folder, { recursive: true, force: true })
    await writeFile(folder, '')
    return true
  }
  await expect.poll(replaced).toBe(true)
  for (const key of ['a', 'b']) expect((await put(key)).status).toBe(200)
  await rm(folder)
  await expect.poll(() => nsqd.taken.map((each) => /"Key":"[^"]*\/(\w+)"/.exec(each)?.[1])).toEqual(['k', 'a', 'b'])
  await END()
})

test('a target whose folder cannot be used is started when it can', async () => {
  await using nsqd = await startFakeNsqd()
  const folder = path.join(path.dirname(store.certificates), `nsq-t${count}`)
  await writeFile(folder, '')
  await deliver('notify_nsq', 'nsq', `nsqd_address=127.0.0.1:${nsqd.port} topic=told`)
  await expect.poll(() => status()?.failing?.reason).toContain('EEXIST')
  await rm(folder)
  await put('later')
  await expect.poll(() => nsqd.taken.at(-1)).toContain('later')
  await END()
})

test('a server whose certificate has expired gets nothing, although its issuer is trusted', async () => {
  const server = createTlsServer({ ...expiredCertificate }, (socket) => void socket.on('error', () => undefined))
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await mkdir(store.certificates, { recursive: true })
  await writeFile(path.join(store.certificates, 'expired.pem'), expiredCertificate.cert)
  const address = `address=127.0.0.1:${(server.address() as AddressInfo).port}`
  await deliver('notify_redis', 'redis', `${address} key=k tls=on cert_authority=expired.pem`)
  await expect.poll(reason).toMatch(/certificate has expired/)
  expect(status()).toMatchObject({ sent: 0, waiting: 1, refused: 0 })
  await configure(`notify_redis:t${count} enable=off`)
  server.close()
})

test('10,000 events wait for a broker that is away, one more is dropped, and they arrive in the order of each key', async () => {
  const port = await freePorts()
  await deliver('notify_nsq', 'nsq', `nsqd_address=127.0.0.1:${port} topic=told queue_limit=0`)
  await expect.poll(reason).toMatch(/ECONNREFUSED/)
  for (let i = 0; i < 10_000; i++) {
    const key = `k${i % 100}`
    const time = Date.now()
    const event = { name: 's3:ObjectCreated:Put', time, sequencer: `${i}`, bucket, key, requester: UNKNOWN_REQUESTER }
    store.server.events.publish(event)
  }
  await expect.poll(() => [status()?.waiting, status()?.dropped]).toEqual([10_000, 1])
  await using nsqd = await startFakeNsqd(port)
  const state = () => [status()?.sent, status()?.waiting, status()?.dropped]
  await expect.poll(state, { timeout: 50_000 }).toEqual([10_000, 0, 1])
  const seen = new Map<string, number[]>()
  for (const line of nsqd.taken.slice(1)) {
    const { key, sequencer } = JSON.parse(line.slice(line.indexOf(' '))).Records[0].s3.object
    seen.set(key, [...(seen.get(key) ?? []), Number(sequencer)])
  }
  expect(seen.size).toBe(100)
  for (const [key, sequence] of seen) {
    // The last event was dropped.
    expect(sequence).toHaveLength(key === 'k99' ? 99 : 100)
    expect(sequence).toEqual(sequence.toSorted((a, b) => a - b))
  }
  await END()
})

test('a target that refuses one event for good gets the others', async () => {
  await using nsqd = await startFakeNsqd()
  await deliver('notify_nsq', 'nsq', `nsqd_address=127.0.0.1:${nsqd.port} topic=refused`)
  await expect.poll(() => status()?.refused).toBe(1)
  await configure(`notify_nsq:t${count} topic=told`)
  await put('good')
  await expect.poll(() => nsqd.taken.length).toBe(1)
  expect(status()).toMatchObject({ refused: 1, waiting: 0 })
  await END()
})

function describeBroker(name: BrokerName, tests: (broker: () => Broker) => void): void {
  describe.skipIf(!isBrokerInstalled(name))(name, () => {
    let broker: Broker | undefined
    beforeAll(async () => {
      broker = await startBroker(name)
    }, BROKER_TIMEOUT)
    afterAll(() => broker?.[Symbol.asyncDispose]())
    tests(() => broker as Broker)
  })
}

describeBroker('postgres', (broker) => {
  const source = (more: string) => `host=127.0.0.1 port=${broker().port} user=u sslmode=disable ${more}`
  test.each([
    ['password=wrong dbname=postgres', 'told', /password authentication failed/],
    ['password=secret dbname=absent', 'told', /database "absent" does not exist/],
    ['password=secret dbname=postgres', 'absent.told', /schema "absent" does not exist/],
    ['password=secret dbname=postgres', 'pg_catalog.told', /permission denied/],
  ])('%s and the table %s: the words of the server are told', async (more, table, words) => {
    await deliver('notify_postgres', 'postgresql', `connection_string="${source(more)}" table=${table}`)
    await expect.poll(reason).toMatch(words)
    expect(status()).toMatchObject({ sent: 0, waiting: 1, refused: 0 })
    await configure(`notify_postgres:t${count} enable=off`)
  })
})

describeBroker('mariadb', (broker) => {
  test.each([
    ['wrong', 'events', /Access denied/],
    ['secret', 'absent', /Access denied|Unknown database/],
  ])('with the password %s and the database %s: the words of the server are told', async (password, name, words) => {
    const dsn = `u:${password}@tcp(127.0.0.1:${broker().port})/${name}`
    await deliver('notify_mysql', 'mysql', `dsn_string=${dsn} table=told`)
    await expect.poll(reason).toMatch(words)
    expect(status()).toMatchObject({ sent: 0, waiting: 1 })
    await configure(`notify_mysql:t${count} enable=off`)
  })
})

describeBroker('nats', (broker) => {
  test("with a wrong password: the server's message is the reason", async () => {
    const settings = `address=127.0.0.1:${broker().port} subject=t username=u password=wrong`
    await deliver('notify_nats', 'nats', settings)
    await expect.poll(reason).toMatch(/authoriz/i)
    expect(status()).toMatchObject({ sent: 0, waiting: 1 })
    await configure(`notify_nats:t${count} enable=off`)
  })
})

describeBroker('rabbitmq', (broker) => {
  test.each([
    ['an exchange that does not exist', 'exchange=absent', /no exchange 'absent'/],
    ['an exchange of another type', 'exchange=amq.direct exchange_type=fanout durable=on', /inequivalent arg 'type'/],
    ['an exchange that nobody may declare', 'exchange=amq.own exchange_type=fanout', /ACCESS.REFUSED/],
    ['a wrong password', '', /ACCESS.REFUSED/],
  ])('with %s: the words of the server are told', async (_, more, words) => {
    const user = more === '' ? 'guest:topsecret' : 'guest:guest'
    await deliver('notify_amqp', 'amqp', `url=amqp://${user}@127.0.0.1:${broker().port} ${more}`)
    await expect.poll(reason).toMatch(words)
    expect(reason()).not.toContain('topsecret')
    expect(status()).toMatchObject({ sent: 0, waiting: 1, refused: 0 })
    await configure(`notify_amqp:t${count} enable=off`)
  })
})
