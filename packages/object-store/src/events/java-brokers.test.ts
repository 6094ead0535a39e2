import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sealAdminBody } from '@stowage/madmin/sealing'
import kafkajs from 'kafkajs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from '../http/testing/test-store.ts'
import {
  isJavaBrokerInstalled,
  type JavaBrokerName,
  startElasticsearchNode,
  startKafkaBroker,
  startNsqdProgram,
} from './targets/testing/java-brokers.ts'

/* Tests targets with real servers that Debian does not have: `npm run test:brokers`. */

let store: HttpTestStore
beforeAll(async () => {
  const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 100))
  store = await startTestStore({ events: { allow: '127.0.0.1', wait } })
})
afterAll(() => store[Symbol.asyncDispose]())

const configure = async (line: string) => {
  const body = await sealAdminBody(line, ROOT_CREDENTIALS.secretKey)
  expect((await store.send({ method: 'PUT', path: '/minio/admin/v3/set-config-kv', region: '', body })).text).toBe('')
}

let bucket = ''
let count = 0
beforeEach(async () => {
  bucket = `brokers-${++count}`
  await store.engine.createBucket(bucket)
})

const status = () => store.server.events.status().find(({ arn }) => arn.includes(`:t${count}:`))
const put = (key: string, body: string) => store.send({ method: 'PUT', path: `/${bucket}/${key}`, body })

/** Creates a target and a rule that uses it, and causes events: two for one key, and two for another one, which is deleted. */
async function deliver(service: string, settings: string): Promise<void> {
  await configure(`notify_${service}:t${count} ${settings}`)
  const events = ['s3:ObjectCreated:*', 's3:ObjectRemoved:*'].map((event) => `<Event>${event}</Event>`).join('')
  const queue = `<QueueConfiguration><Queue>arn:minio:sqs:us-east-1:t${count}:${service}</Queue>${events}</QueueConfiguration>`
  const body = `<NotificationConfiguration>${queue}</NotificationConfiguration>`
  expect((await store.send({ method: 'PUT', path: `/${bucket}`, query: 'notification', body })).status).toBe(200)
  for (const [key, text] of [
    ['kept', '1'],
    ['kept', '22'],
    ['gone', '1'],
  ] as const)
    expect((await put(key, text)).status).toBe(200)
  await store.send({ method: 'DELETE', path: `/${bucket}/gone` })
}

const allTaken = () =>
  expect.poll(() => [status()?.sent, status()?.waiting, status()?.failing?.reason]).toEqual([4, 0, undefined])
const disable = (service: string) => configure(`notify_${service}:t${count} enable=off`)

const NAMES = ['kafka-3.9.0', 'kafka-4.0.0'] as const
describe.each(NAMES)('%s', (name: JavaBrokerName) => {
  describe.skipIf(!isJavaBrokerInstalled(name))('gets', () => {
    let broker: Awaited<ReturnType<typeof startKafkaBroker>>
    let client: kafkajs.Kafka
    beforeAll(async () => {
      broker = await startKafkaBroker(name)
      client = new kafkajs.Kafka({ brokers: [`127.0.0.1:${broker.port}`], logLevel: kafkajs.logLevel.NOTHING })
      const admin = client.admin()
      await admin.connect()
      const small = { topic: 'small', configEntries: [{ name: 'max.message.bytes', value: '1500' }] }
      const topics = ['plain', 'sasl-plain', 'sha256', 'sha512', 'tls', 'mutual', 'gzip'].map((topic) => ({ topic }))
      await admin.createTopics({ topics: [...topics, small], waitForLeaders: true })
      await admin.disconnect()
    }, 240_000)
    afterAll(() => broker?.[Symbol.asyncDispose]())

    /** Returns the keys of the messages of a topic, with the names of the events. */
    async function readMessages(topic: string, length: number): Promise<string[]> {
      const consumer = client.consumer({ groupId: `g-${topic}-${count}` })
      const messages: string[] = []
      await consumer.connect()
      await consumer.subscribe({ topic, fromBeginning: true })
      await consumer.run({
        eachMessage: async ({ message }) => {
          const { EventName } = JSON.parse(String(message.value)) as { EventName: string }
          messages.push(`${message.key} ${EventName}`)
        },
      })
      await expect.poll(() => messages.length, { timeout: 60_000 }).toBe(length)
      await consumer.disconnect()
      return messages.filter((each) => each.includes('gone'))
    }

    test.each([
      ['plain', 0, ''],
      ['gzip', 0, 'compression_codec=gzip'],
      ['sasl-plain', 1, 'sasl=on sasl_username=u sasl_password=secret sasl_mechanism=PLAIN'],
      ['sha256', 1, 'sasl=on sasl_username=u sasl_password=secret sasl_mechanism=sha256'],
      ['sha512', 1, 'sasl=on sasl_username=u sasl_password=secret sasl_mechanism=sha512'],
      ['tls', 2, 'tls=on tls_skip_verify=on'],
    ])('every event in order per key: %s', async (topic, offset, more) => {
      await deliver('kafka', `brokers=127.0.0.1:${broker.port + offset} topic=${topic} ${more}`)
      await allTaken()
      const names = ['s3:ObjectCreated:Put', 's3:ObjectRemoved:Delete']
      expect(await readMessages(topic, 4)).toEqual(names.map((event) => `${bucket}/gone ${event}`))
      await disable('kafka')
    })

    test.each([
      [
        'a wrong password',
        1,
        'topic=plain sasl=on sasl_username=u sasl_password=topsecret sasl_mechanism=PLAIN',
        /authentication failed/i,
      ],
      [
        'a wrong password of SCRAM',
        1,
        'topic=plain sasl=on sasl_username=u sasl_password=topsecret sasl_mechanism=sha512',
        /authentication|credentials/i,
      ],
      ['a self-signed certificate', 2, 'topic=plain tls=on', /self-signed certificate/],
      ['a topic that does not exist', 0, 'topic=absent', /does not host this topic-partition/],
    ])('nothing with %s, and the reason is shown', async (_, offset, more, reason) => {
      await deliver('kafka', `brokers=127.0.0.1:${broker.port + offset} ${more}`)
      await expect.poll(() => status()?.failing?.reason).toMatch(reason)
      expect(status()?.failing?.reason).not.toContain('topsecret')
      await expect.poll(() => [status()?.sent, status()?.waiting, status()?.refused]).toEqual([0, 4, 0])
      await disable('kafka')
    })

    test('nothing from a client without a certificate, and every event from one with it', async () => {
      await mkdir(store.certificates, { recursive: true })
      for (const file of ['cert.pem', 'key.pem'])
        await copyFile(join(broker.folder, file), join(store.certificates, `${name}-${file}`))
      const settings = `brokers=127.0.0.1:${broker.port + 3} topic=mutual tls=on tls_skip_verify=on`
      await deliver('kafka', settings)
      await expect.poll(() => status()?.failing?.reason).toMatch(/certificate|closed/i)
      const files = `client_tls_cert=${name}-cert.pem client_tls_key=${name}-key.pem`
      await configure(`notify_kafka:t${count} ${files}`)
      await allTaken()
      expect(await readMessages('mutual', 4)).toHaveLength(2)
      await disable('kafka')
    })

    test('good messages beside one above its limit, which is set aside', async () => {
      await deliver('kafka', `brokers=127.0.0.1:${broker.port} topic=small`)
      await allTaken()
      await put('k'.repeat(900), 'x')
      await put('after', 'x')
      await expect.poll(() => [status()?.sent, status()?.waiting, status()?.refused]).toEqual([5, 0, 1])
      await disable('kafka')
    })

    test('its events once it is there again', async () => {
      await deliver('kafka', 'brokers=127.0.0.1:1 topic=plain')
      await expect.poll(() => status()?.failing?.reason).toMatch(/ECONNREFUSED/)
      await configure(`notify_kafka:t${count} brokers=127.0.0.1:${broker.port}`)
      await allTaken()
      await disable('kafka')
    })
  })
})

describe.skipIf(!isJavaBrokerInstalled('elasticsearch-7.10.2'))('elasticsearch-7.10.2', () => {
  let node: Awaited<ReturnType<typeof startElasticsearchNode>>
  beforeAll(async () => {
    node = await startElasticsearchNode()
  }, 240_000)
  afterAll(() => node?.[Symbol.asyncDispose]())

  async function searchHits(index: string): Promise<{ _source: object }[]> {
    await fetch(`http://127.0.0.1:${node.port}/${index}/_refresh`, { method: 'POST' })
    const answer = await fetch(`http://127.0.0.1:${node.port}/${index}/_search`)
    return ((await answer.json()) as { hits: { hits: { _source: object }[] } }).hits.hits
  }

  test.each([
    ['namespace', 1],
    ['access', 4],
  ])('has the documents of %s in an index that is made', async (format, length) => {
    await deliver('elasticsearch', `url=http://127.0.0.1:${node.port} index=i-${format} format=${format}`)
    await allTaken()
    const hits = await searchHits(`i-${format}`)
    expect(hits).toHaveLength(length)
    expect(hits[0]?._source).toMatchObject({ Records: [{ eventSource: 'minio:s3' }] })
    await disable('elasticsearch')
  })

  test('a document that the index cannot hold is set aside', async () => {
    const mappings = { dynamic: 'strict', properties: { Records: { type: 'long' } } }
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ mappings })
    await fetch(`http://127.0.0.1:${node.port}/strict`, { method: 'PUT', headers, body })
    await deliver('elasticsearch', `url=http://127.0.0.1:${node.port} index=strict format=access`)
    await expect.poll(() => [status()?.waiting, status()?.refused]).toEqual([0, 4])
    await disable('elasticsearch')
  })
})

describe.skipIf(!isJavaBrokerInstalled('nsqd-1.3.0'))('nsqd-1.3.0', () => {
  let nsqd: Awaited<ReturnType<typeof startNsqdProgram>>
  beforeAll(async () => {
    nsqd = await startNsqdProgram()
  }, 60_000)
  afterAll(() => nsqd?.[Symbol.asyncDispose]())

  test('has every event', async () => {
    await deliver('nsq', `nsqd_address=127.0.0.1:${nsqd.port} topic=told`)
    await allTaken()
    const answer = await fetch(`http://127.0.0.1:${nsqd.port + 1}/stats?format=json&topic=told`)
    expect(await answer.json()).toMatchObject({ topics: [{ topic_name: 'told', message_count: 4 }] })
    await disable('nsq')
  })
})
