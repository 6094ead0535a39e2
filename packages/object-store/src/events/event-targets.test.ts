import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sealAdminBody } from '@stowage/madmin/sealing'
import { connect as connectAmqp } from 'amqplib'
import { Redis } from 'ioredis'
import { connectAsync } from 'mqtt'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
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
import { startFakeElasticsearch, startFakeKafka, startFakeNsqd } from './targets/testing/fake-servers.ts'
import { makeCertificate } from './targets/testing/test-certificate.ts'

let store: HttpTestStore
beforeAll(async () => {
  const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 20))
  store = await startTestStore({ events: { allow: '127.0.0.1,localhost', wait } })
})
afterAll(() => store[Symbol.asyncDispose]())

const admin = async (method: string, path: string, query: string, text?: string) =>
  await store.send({
    method,
    path: `/minio/admin/v3/${path}`,
    query,
    region: '',
    ...(text === undefined ? {} : { body: await sealAdminBody(text, ROOT_CREDENTIALS.secretKey) }),
  })

const configure = async (line: string) => {
  const answer = await admin('PUT', 'set-config-kv', '', line)
  expect(answer.text).toBe('')
  expect(answer.headers['x-minio-config-applied']).toBe('true')
}

let bucket = ''
let count = 0
beforeEach(async () => {
  bucket = `events-${++count}`
  await store.engine.createBucket(bucket)
})

/** Creates a target and a rule that uses it, and causes events: two for one key, and two for another one, which is deleted. */
async function deliver(subsystem: string, service: string, settings: string): Promise<void> {
  await configure(`${subsystem}:t${count} ${settings}`)
  const events = ['s3:ObjectCreated:*', 's3:ObjectRemoved:*'].map((event) => `<Event>${event}</Event>`).join('')
  const queue = `<QueueConfiguration><Queue>arn:minio:sqs:us-east-1:t${count}:${service}</Queue>${events}</QueueConfiguration>`
  const body = `<NotificationConfiguration>${queue}</NotificationConfiguration>`
  expect((await store.send({ method: 'PUT', path: `/${bucket}`, query: 'notification', body })).code).toBeUndefined()
  for (const [key, text] of [
    ['a "b"/ü', '1'],
    ['a "b"/ü', '22'],
    ['gone', '1'],
  ] as const) {
    expect((await store.send({ method: 'PUT', path: `/${bucket}/${key}`, body: text })).status).toBe(200)
  }
  await store.send({ method: 'DELETE', path: `/${bucket}/gone` })
}

const status = () => store.server.events.status().find(({ arn }) => arn.includes(`:t${count}:`))
const allTaken = () =>
  expect.poll(() => [status()?.sent, status()?.waiting, status()?.failing?.reason]).toEqual([4, 0, undefined])

interface Message {
  EventName: string
  Key: string
  Records: [{ s3: { object: { size?: number } } }]
}
const tell = ({ EventName, Key, Records: [{ s3 }] }: Message) =>
  `${EventName.replace('s3:Object', '')} ${Key.slice(bucket.length + 1)} ${s3.object.size ?? ''}`.trim()

/** Expects these messages, in order for each key. */
function expectMessages(texts: readonly string[]): void {
  const told = texts.map((text) => tell(JSON.parse(text) as Message))
  expect(told.filter((each) => each.includes('ü'))).toEqual(['Created:Put a "b"/ü 1', 'Created:Put a "b"/ü 2'])
  expect(told.filter((each) => each.includes('gone'))).toEqual(['Created:Put gone 1', 'Removed:Delete gone'])
}

/** A minimal NATS client for the JetStream API: one request at a time. */
async function openNatsClient(port: number) {
  const { connect } = await import('node:net')
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString()))
  socket.write('CONNECT {"verbose":false,"user":"u","pass":"secret"}\r\nSUB inbox 1\r\n')
  return {
    async request(subject: string, body: object): Promise<Record<string, unknown>> {
      text = ''
      const content = JSON.stringify(body)
      socket.write(`PUB ${subject} inbox ${content.length}\r\n${content}\r\n`)
      await expect.poll(() => /^MSG inbox .*\r\n.*\r\n/m.test(text)).toBe(true)
      return JSON.parse(/^MSG inbox .*\r\n(.*)\r\n/m.exec(text)?.[1] ?? '') as Record<string, unknown>
    },
    close: () => socket.destroy(),
  }
}

/** Copies the certificate of a broker to the folder that targets may read. The broker also accepts it from clients. */
async function copyCertificate({ folder }: Pick<Broker, 'folder'>): Promise<void> {
  await mkdir(store.certificates, { recursive: true })
  for (const file of ['cert.pem', 'key.pem']) {
    await copyFile(path.join(folder, file), path.join(store.certificates, `${count}-${file}`))
  }
}

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

describeBroker('redis', (broker) => {
  const address = () => `address=127.0.0.1:${broker().port}`
  const read = async <Result>(work: (redis: Redis) => Promise<Result>) => {
    const redis = new Redis({ port: broker().port, password: 'secret' })
    try {
      return await work(redis)
    } finally {
      redis.disconnect()
    }
  }

  test('has a field for each object, without those that were removed', async () => {
    await deliver('notify_redis', 'redis', `${address()} key=objects password=secret format=namespace`)
    await allTaken()
    const fields = await read((redis) => redis.hgetall('objects'))
    expect(Object.keys(fields)).toEqual([`${bucket}/a "b"/ü`])
    expect(JSON.parse(Object.values(fields)[0] ?? '')).toMatchObject({ Records: [{ s3: { object: { size: 2 } } }] })
  })

  test('has an item for each event', async () => {
    await deliver('notify_redis', 'redis', `${address()} key=log password=secret format=access`)
    await allTaken()
    const items = await read((redis) => redis.lrange('log', 0, -1))
    expect(items).toHaveLength(4)
    expect(JSON.parse(items[0] ?? '')).toMatchObject([
      { Event: [{ eventSource: 'minio:s3' }], EventTime: expect.any(String) },
    ])
  })

  test('says what is wrong, and has everything when that is mended', async () => {
    await deliver('notify_redis', 'redis', `${address()} key=mended password=wrong format=access`)
    await expect.poll(() => status()?.failing?.reason).toMatch(/WRONGPASS/)
    await expect.poll(() => status()?.waiting).toBe(4)
    await configure(`notify_redis:t${count} password=secret`)
    await allTaken()
    expect(await read((redis) => redis.llen('mended'))).toBe(4)
  })

  test('over TLS it wants a certificate, and gets every event with one', async () => {
    await copyCertificate(broker())
    const address = `address=127.0.0.1:${broker().port + 1} key=secure password=secret format=access`
    await deliver('notify_redis', 'redis', `${address} tls=on`)
    await expect.poll(() => status()?.failing?.reason).toMatch(/self-signed certificate/)
    await configure(`notify_redis:t${count} cert_authority=${count}-cert.pem`)
    await expect.poll(() => status()?.failing?.reason).toMatch(/certificate required|closed|ended/i)
    await configure(`notify_redis:t${count} client_cert=${count}-cert.pem client_key=${count}-key.pem`)
    await allTaken()
    await configure(`notify_redis:t${count} enable=off`)
  })
})

describeBroker('mosquitto', (broker) => {
  test.each([0, 1, 2])('gets every event with qos %i', async (qos) => {
    const client = await connectAsync(`mqtt://127.0.0.1:${broker().port}`)
    const texts: string[] = []
    client.on('message', (_topic, message) => void texts.push(message.toString()))
    await client.subscribeAsync(`topic-${qos}`, { qos: 2 })
    await deliver('notify_mqtt', 'mqtt', `broker=tcp://127.0.0.1:${broker().port} topic=topic-${qos} qos=${qos}`)
    await expect.poll(() => texts.length).toBe(4)
    expectMessages(texts)
    await client.endAsync()
  })
})

describeBroker('nats', (broker) => {
  const settings = () => `address=127.0.0.1:${broker().port} subject=told username=u password=secret`

  test('gets every event', async () => {
    const { connect } = await import('node:net')
    const socket = connect(broker().port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.write('CONNECT {"verbose":false,"user":"u","pass":"secret"}\r\nSUB told 1\r\nPING\r\n')
    await expect.poll(() => text).toContain('PONG')
    await deliver('notify_nats', 'nats', settings())
    const texts = () => text.split('\r\n').filter((line) => line.startsWith('{'))
    await expect.poll(() => texts().length).toBe(4)
    expectMessages(texts())
    socket.destroy()
  })

  test('has every event once in a stream of JetStream', async () => {
    const client = await openNatsClient(broker().port)
    const stream = `s${count}`
    const created = await client.request(`$JS.API.STREAM.CREATE.${stream}`, { name: stream, subjects: ['stored'] })
    expect(created).toMatchObject({ config: { name: stream } })
    await deliver('notify_nats', 'nats', `${settings().replace('subject=told', 'subject=stored')} jetstream=on`)
    await allTaken()
    const messages: string[] = []
    for (const seq of [1, 2, 3, 4]) {
      const { message } = await client.request(`$JS.API.STREAM.MSG.GET.${stream}`, { seq })
      messages.push(Buffer.from((message as { data: string }).data, 'base64').toString())
    }
    expectMessages(messages)
    client.close()
  })

  test('says that no stream of JetStream stores the subject', async () => {
    await deliver('notify_nats', 'nats', `${settings()} jetstream=on`)
    await expect.poll(() => status()?.failing?.reason).toBe('no stream stores this subject')
    await configure(`notify_nats:t${count} enable=off`)
  })
})

describeBroker('natsTls', (broker) => {
  const settings = () => `address=127.0.0.1:${broker().port} subject=told username=u password=secret tls=on`

  test('gets every event over TLS, once its certificate need not be known', async () => {
    await deliver('notify_nats', 'nats', settings())
    await expect.poll(() => status()?.failing?.reason).toMatch(/self-signed certificate/)
    await configure(`notify_nats:t${count} tls_skip_verify=on`)
    await allTaken()
  })
})

describeBroker('mosquittoTls', (broker) => {
  test('gets nothing while its certificate is not trusted', async () => {
    await deliver('notify_mqtt', 'mqtt', `broker=ssl://127.0.0.1:${broker().port} topic=told qos=1`)
    await expect.poll(() => status()?.failing?.reason).toMatch(/SELF_SIGNED_CERT/)
    await expect.poll(() => [status()?.sent, status()?.waiting, status()?.refused]).toEqual([0, 4, 0])
    await configure(`notify_mqtt:t${count} enable=off`)
  })
})

describeBroker('rabbitmq', (broker) => {
  const url = () => `url=amqp://guest:guest@127.0.0.1:${broker().port}`

  test('gets every event in the exchange that it declares, and has a mandatory one when a queue has it', async () => {
    const model = await connectAmqp(`amqp://guest:guest@127.0.0.1:${broker().port}`)
    const channel = await model.createChannel()
    const exchange = 'exchange=told exchange_type=direct routing_key=all mandatory=on delivery_mode=2'
    await deliver('notify_amqp', 'amqp', `${url()} ${exchange}`)
    await expect.poll(() => status()?.failing?.reason).toBe('no queue takes messages with the routing key "all"')
    const { queue } = await channel.assertQueue('')
    await channel.bindQueue(queue, 'told', 'all')
    const texts: string[] = []
    await channel.consume(queue, (message) => void (message && texts.push(message.content.toString())), { noAck: true })
    await expect.poll(() => texts.length).toBe(4)
    await allTaken()
    expectMessages(texts)
    await model.close()
  })
})

describeBroker('postgres', (broker) => {
  const source = () => `host=127.0.0.1 port=${broker().port} user=u password=secret dbname=postgres sslmode=disable`
  const rows = async (statement: string) => {
    const client = new Client({
      host: '127.0.0.1',
      port: broker().port,
      user: 'u',
      password: 'secret',
      database: 'postgres',
    })
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(statement)
    await client.end()
    return rows
  }

  test.each(['namespace', 'access'])('has the rows of %s in a table that it makes', async (format) => {
    await deliver('notify_postgres', 'postgresql', `connection_string="${source()}" table=t_${format} format=${format}`)
    await allTaken()
    const found = await rows(`SELECT * FROM t_${format}`)
    const namespace = [{ key: `${bucket}/a "b"/ü`, value: { Records: [{ s3: { object: { size: 2 } } }] } }]
    const access = Array.from({ length: 4 }, () => ({ event_time: expect.any(Date), event_data: { Records: [{}] } }))
    expect(found).toMatchObject(format === 'access' ? access : namespace)
  })

  test('an event that the table cannot hold is set aside, and holds up nothing', async () => {
    await rows(`CREATE TABLE narrow (key VARCHAR PRIMARY KEY CHECK (key NOT LIKE '%gone'), value JSONB)`)
    await deliver('notify_postgres', 'postgresql', `connection_string="${source()}" table=narrow`)
    await expect.poll(() => [status()?.waiting, status()?.refused]).toEqual([0, 1])
    expect(await rows('SELECT key FROM narrow')).toEqual([{ key: `${bucket}/a "b"/ü` }])
  })

  test("without TLS it is refused with the driver's message, unless sslmode is disable", async () => {
    const unset = source().replace(' sslmode=disable', '')
    await deliver('notify_postgres', 'postgresql', `connection_string="${unset}" table=never`)
    await expect.poll(() => status()?.failing?.reason).toBe('The server does not support SSL connections')
    await configure(`notify_postgres:t${count} enable=off`)
  })
})

describeBroker('postgresTls', (broker) => {
  test('over TLS it wants a certificate, and gets every event with one', async () => {
    await copyCertificate(broker())
    const source = `host=127.0.0.1 port=${broker().port} user=u password=secret dbname=postgres`
    const configureSource = (more: string) =>
      configure(`notify_postgres:t${count} connection_string="${source} ${more}"`)
    await deliver('notify_postgres', 'postgresql', `connection_string="${source} sslmode=verify-full" table=told`)
    await expect.poll(() => status()?.failing?.reason).toMatch(/self-signed certificate/)
    await configureSource('sslmode=require')
    await expect.poll(() => status()?.failing?.reason).toMatch(/requires a valid client certificate/)
    const client = `sslcert=${count}-cert.pem sslkey=${count}-key.pem`
    await configureSource(`sslmode=verify-full sslrootcert=${count}-cert.pem ${client}`)
    await allTaken()
    await configure(`notify_postgres:t${count} enable=off`)
  })

  test('a certificate outside of its folder is not read', async () => {
    const source = `host=127.0.0.1 port=${broker().port} user=u password=secret dbname=postgres`
    await deliver(
      'notify_postgres',
      'postgresql',
      `connection_string="${source} sslmode=require sslkey=/etc/passwd" table=told`,
    )
    await expect.poll(() => status()?.failing?.reason).toBe('/etc/passwd is not in a folder for certificates')
    await configure(`notify_postgres:t${count} enable=off`)
  })
})

describeBroker('mariadb', (broker) => {
  test('over TLS it gets nothing while its certificate is not trusted, and every event with skip-verify', async () => {
    const dsn = `encrypted:secret@tcp(127.0.0.1:${broker().port})/events`
    await deliver('notify_mysql', 'mysql', `dsn_string=${dsn} table=encrypted`)
    await expect.poll(() => status()?.failing?.reason).toMatch(/Access denied/)
    await configure(`notify_mysql:t${count} dsn_string=${dsn}?tls=true`)
    await expect.poll(() => status()?.failing?.reason).toMatch(/self-signed certificate/)
    await configure(`notify_mysql:t${count} dsn_string=${dsn}?tls=skip-verify`)
    await allTaken()
  })

  test.each(['namespace', 'access'])('has the rows of %s in a table that it makes', async (format) => {
    const dsn = `u:secret@tcp(127.0.0.1:${broker().port})/events`
    await deliver('notify_mysql', 'mysql', `dsn_string=${dsn} table=t_${format} format=${format}`)
    await allTaken()
    const client = await createConnection(`mysql://u:secret@127.0.0.1:${broker().port}/events`)
    const [rows] = await client.query(`SELECT * FROM t_${format}`)
    await client.end()
    const namespace = [{ key_name: `${bucket}/a "b"/ü`, key_hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]
    const access = Array.from({ length: 4 }, () => ({ event_time: expect.any(Date) }))
    expect(rows).toMatchObject(format === 'access' ? access : namespace)
  })
})

/** Publishes an event for each key, without an object. */
function publish(keys: readonly string[]): void {
  for (const key of keys) {
    const time = Date.now()
    const event = { name: 's3:ObjectCreated:Put', time, sequencer: key, bucket, key, requester: UNKNOWN_REQUESTER }
    store.server.events.publish(event)
  }
}

test('nsqd gets more than 100 events at the same time, so that a delay of its answers costs little', async () => {
  const MANY = Array.from({ length: 110 }, (_, i) => `k${i}`)
  // With two of the four events of `deliver`: the others follow an event of the same key.
  await using nsqd = await startFakeNsqd(undefined, MANY.length + 2)
  await deliver('notify_nsq', 'nsq', 'nsqd_address=127.0.0.1:1 topic=told')
  publish(MANY)
  await expect.poll(() => status()?.waiting).toBe(114)
  await configure(`notify_nsq:t${count} nsqd_address=127.0.0.1:${nsqd.port}`)
  await expect.poll(() => [status()?.sent, status()?.waiting, nsqd.taken.length]).toEqual([114, 0, 114])
})

test('nsqd gets every event; what it refuses for good is set aside', async () => {
  await using nsqd = await startFakeNsqd()
  const address = `nsqd_address=127.0.0.1:${nsqd.port}`
  await deliver('notify_nsq', 'nsq', `${address} topic=told`)
  await allTaken()
  expectMessages(nsqd.taken.map((each) => each.replace(/^told /, '')))
  await configure(`notify_nsq:t${count} topic=refused`)
  await store.send({ method: 'PUT', path: `/${bucket}/k`, body: '1' })
  await expect.poll(() => [status()?.waiting, status()?.refused]).toEqual([0, 1])
})

test('Kafka gets every event under the key of its object', async () => {
  await using kafka = await startFakeKafka()
  await deliver('notify_kafka', 'kafka', `brokers=127.0.0.1:${kafka.port} topic=events`)
  await allTaken()
  expect(kafka.taken.every((each) => each.startsWith(`${bucket}/`))).toBe(true)
  expectMessages(kafka.taken.map((each) => each.slice(each.indexOf(' {') + 1)))
})

test('Elasticsearch has a document for each object, in an index that is made', async () => {
  await using server = await startFakeElasticsearch()
  await deliver(
    'notify_elasticsearch',
    'elasticsearch',
    `url=http://127.0.0.1:${server.port} index=told username=u password=p`,
  )
  await allTaken()
  const user = `Basic ${Buffer.from('u:p').toString('base64')}`
  expect(server.taken.slice(0, 2)).toEqual([`HEAD /told ${user} `, `PUT /told ${user} `])
  const actions = server.taken.slice(2).map((each) => /^(\w+ told) [\w-]{43}\b/.exec(each)?.[1])
  expect(actions.sort()).toEqual(['delete told', 'index told', 'index told', 'index told'])
})

describe('Elasticsearch gets several documents in one request', () => {
  const KEYS = Array.from({ length: 40 }, (_, i) => `k${i}`)
  const settings = (port: number) => `url=http://127.0.0.1:${port} index=told format=access`

  test('and what the index cannot hold of them is set aside with its reason', async () => {
    await using server = await startFakeElasticsearch({ refused: '"key":"k7"' })
    await deliver('notify_elasticsearch', 'elasticsearch', settings(server.port))
    publish(KEYS)
    await expect.poll(() => [status()?.sent, status()?.waiting, status()?.refused]).toEqual([43, 0, 1])
    expect(Math.max(...server.batches)).toBeGreaterThan(10)
    const listed = JSON.parse((await admin('GET', 'refused-events', `target=notify_elasticsearch:t${count}`)).text)
    expect(listed.events).toMatchObject([
      { key: `${bucket}/k7`, reason: 'mapper_parsing_exception: failed to parse field' },
    ])
    await configure(`notify_elasticsearch:t${count} enable=off`)
  })

  test('and a request that is too large is sent in parts', async () => {
    await using server = await startFakeElasticsearch({ limit: 3000 })
    await deliver('notify_elasticsearch', 'elasticsearch', settings(server.port))
    publish([...KEYS, 'x'.repeat(3000)])
    await expect.poll(() => [status()?.sent, status()?.waiting, status()?.refused]).toEqual([44, 0, 1])
    expect(Math.max(...server.batches)).toBeGreaterThan(1)
    await configure(`notify_elasticsearch:t${count} enable=off`)
  })
})

test('Kafka gets every event from a client with a certificate, and nothing without one', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'stowage-kafka-'))
  makeCertificate(folder)
  const [key, cert] = await Promise.all(['key.pem', 'cert.pem'].map((file) => readFile(path.join(folder, file))))
  await using kafka = await startFakeKafka({
    tls: { key, cert, ca: cert, requestCert: true, rejectUnauthorized: true },
  })
  await copyCertificate({ folder })
  const settings = `brokers=127.0.0.1:${kafka.port} topic=events tls=on tls_skip_verify=on`
  await deliver('notify_kafka', 'kafka', settings)
  await expect.poll(() => status()?.failing?.reason).toMatch(/certificate required|closed/i)
  expect(kafka.taken).toEqual([])
  await configure(`notify_kafka:t${count} client_tls_cert=${count}-cert.pem client_tls_key=${count}-key.pem`)
  await allTaken()
  expectMessages(kafka.taken.map((each) => each.slice(each.indexOf(' {') + 1)))
  await rm(folder, { recursive: true })
})

const METADATA = '169.254.169.254'
const GUARDED = {
  notify_webhook: `endpoint=http://${METADATA}/latest`,
  notify_amqp: `url=amqp://${METADATA}`,
  notify_kafka: `brokers=${METADATA}:9092 topic=t`,
  notify_mqtt: `broker=tcp://${METADATA}:80 topic=t`,
  notify_nats: `address=${METADATA}:80 subject=t`,
  notify_nsq: `nsqd_address=${METADATA}:80 topic=t`,
  notify_mysql: `dsn_string=u:p@tcp(${METADATA}:80)/db table=t`,
  notify_postgres: `connection_string="host=${METADATA} port=80 user=u dbname=db sslmode=disable" table=t`,
  notify_elasticsearch: `url=http://${METADATA} index=t`,
  notify_redis: `address=${METADATA}:80 key=t`,
}

test.each(Object.entries(GUARDED))(
  '%s is never connected to a forbidden address, and writers do not notice',
  async (subsystem, settings) => {
    await configure(`${subsystem}:t${count} ${settings}`)
    const answer = await admin('POST', 'test-notification-target', `target=${subsystem}:t${count}`)
    expect(JSON.parse(answer.text)).toMatchObject({
      sent: false,
      reason: expect.stringMatching(/never connected|not allowed/),
    })
    await configure(`${subsystem}:t${count} enable=off`)
  },
)

test('a broker that names another address does not lead there', async () => {
  await using kafka = await startFakeKafka({ named: METADATA })
  await configure(`notify_kafka:t${count} brokers=127.0.0.1:${kafka.port} topic=events`)
  const answer = await admin('POST', 'test-notification-target', `target=notify_kafka:t${count}`)
  expect(JSON.parse(answer.text)).toMatchObject({ sent: false, reason: expect.stringMatching(/never connected/) })
  await configure(`notify_kafka:t${count} enable=off`)
})

test('a test event is sent immediately, also to a disabled target, and its outcome and duration are returned', async () => {
  await using nsqd = await startFakeNsqd()
  await configure(`notify_nsq:t${count} enable=off nsqd_address=127.0.0.1:${nsqd.port} topic=told`)
  const target = `target=notify_nsq:t${count}`
  const answer = await admin('POST', 'test-notification-target', target)
  expect(JSON.parse(answer.text)).toEqual({ sent: true, duration: expect.any(Number) })
  expect(nsqd.taken[0]).toContain('"EventName":"s3:TestEvent"')
  await configure(`notify_nsq:t${count} enable=off topic=refused`)
  const refused = await admin('POST', 'test-notification-target', target)
  expect(JSON.parse(refused.text)).toMatchObject({ sent: false, reason: 'E_BAD_MESSAGE PUB message too big' })
})

test('what a target refuses for good is listed, and sent again once the target is corrected, or dropped', async () => {
  await using nsqd = await startFakeNsqd()
  const settings = `nsqd_address=127.0.0.1:${nsqd.port}`
  await deliver('notify_nsq', 'nsq', `${settings} topic=refused`)
  await expect.poll(() => status()?.refused).toBe(4)
  const target = `target=notify_nsq:t${count}`
  const listed = JSON.parse((await admin('GET', 'refused-events', target)).text)
  expect(listed).toMatchObject({ total: 4, events: expect.any(Array) })
  expect(listed.events[0]).toEqual({
    time: expect.any(String),
    reason: 'E_BAD_MESSAGE PUB message too big',
    eventName: 's3:ObjectCreated:Put',
    key: `${bucket}/a "b"/ü`,
  })
  await configure(`notify_nsq:t${count} topic=told`)
  expect(JSON.parse((await admin('POST', 'refused-events', target)).text)).toEqual({ count: 4 })
  await expect.poll(() => nsqd.taken.length).toBe(4)
  expectMessages(nsqd.taken.map((line) => line.slice('told '.length)))
  await expect.poll(status).toMatchObject({ refused: 0, waiting: 0 })
  await configure(`notify_nsq:t${count} topic=refused`)
  await store.send({ method: 'PUT', path: `/${bucket}/more`, body: 'x' })
  await expect.poll(() => status()?.refused).toBe(1)
  expect((await admin('DELETE', 'refused-events', target)).status).toBe(204)
  expect(status()?.refused).toBe(0)
  await configure(`notify_nsq:t${count} enable=off`)
})

test.each(['GET', 'POST', 'DELETE'])(
  '%s of refused events is for those who may change the configuration',
  async (method) => {
    const path = '/minio/admin/v3/refused-events'
    const answer = await store.send({ method, path, query: 'target=notify_nsq', region: '', credentials: 'anonymous' })
    expect(answer.status).toBe(403)
    expect((await admin(method, 'refused-events', 'target=notify_nsq:absent')).code).toBe('XMinioConfigError')
  },
)

test.each([
  ['target=notify_nsq:absent', 'XMinioConfigError'],
  ['target=notify_pigeon', 'XMinioConfigError'],
  ['target=api', 'XMinioConfigError'],
  ['target=', 'XMinioConfigError'],
])('a test of %s is refused', async (query, code) => {
  expect((await admin('POST', 'test-notification-target', query)).code).toBe(code)
})

test('a test event needs the right to change the configuration', async () => {
  const answer = await store.send({
    method: 'POST',
    path: '/minio/admin/v3/test-notification-target',
    query: 'target=notify_nsq',
    region: '',
    credentials: 'anonymous',
  })
  expect(answer.status).toBe(403)
})

test.each([
  ['notify_redis', 'address=redis key=k', 'host and a port'],
  ['notify_redis', 'address=/run/redis.sock:1 key=k', 'host and a port'],
  ['notify_mysql', 'dsn_string=u:secret@unix(/run/mysqld.sock)/db table=t', 'only tcp'],
  ['notify_mysql', 'dsn_string=u:secret@tcp(db)/db table="t;drop table t"', 'must be a name'],
  ['notify_postgres', 'connection_string="host=/run/postgresql password=secret" table=t', 'local socket'],
  ['notify_nats', 'address=nats:4222 subject=t streaming=on', 'ended in 2023'],
  ['notify_nats', 'address=nats:4222 subject=t client_key=/etc/shadow', 'client_key must be below'],
  ['notify_nats', 'address=nats:4222 subject=t client_key=../../../etc/shadow', 'client_key must be below'],
  ['notify_kafka', 'brokers=a:1,b topic=t queue_dir=/etc', 'host and a port'],
  ['notify_kafka', 'brokers=a:1 topic=t queue_dir=/etc', 'queue_dir must be below'],
  ...['snappy', 'lz4', 'zstd'].map((codec) => [
    'notify_kafka',
    `brokers=a:1 topic=t compression_codec=${codec}`,
    'none, gzip',
  ]),
  ['notify_mqtt', 'broker=ws://mqtt:80 topic=t', 'tcp://'],
  ['notify_elasticsearch', 'url=http://es:9200 index=Upper', 'lower-case'],
])('%s %s is refused without its secret', async (subsystem, settings, words) => {
  const answer = await admin('PUT', 'set-config-kv', '', `${subsystem}:bad ${settings}`)
  expect(answer.code).toBe('XMinioAdminConfigBadJSON')
  expect(answer.text).toContain(words)
  expect(answer.text).not.toContain('secret')
})
