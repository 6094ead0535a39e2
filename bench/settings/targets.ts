import { setTimeout as sleep } from 'node:timers/promises'
import { MiB } from '@stowage/contract/values/units'
import { createMadmin } from '@stowage/madmin'
import { UNKNOWN_REQUESTER } from '../../packages/object-store/src/events/store-event.ts'
import {
  type BrokerName,
  isBrokerInstalled,
  startBroker,
} from '../../packages/object-store/src/events/targets/testing/brokers.ts'
import {
  startFakeElasticsearch,
  startFakeKafka,
  startFakeNsqd,
} from '../../packages/object-store/src/events/targets/testing/fake-servers.ts'
import { ROOT_CREDENTIALS, startTestStore } from '../../packages/object-store/src/http/testing/test-store.ts'
import { childProcesses, processMemory } from '../../tests/support/processes/processes.ts'
import { timed } from '../lib/measure.ts'
import { S3 } from '../lib/s3.ts'
import { startProduct } from '../lib/start-product.ts'
import {
  addTableLine,
  createNotifyingBucket,
  repeatWork,
  type SettingSizes,
  SMALL,
  setConfigLine,
  startHook,
  waitUntilDone,
} from './setup.ts'

type Settings = (port: number) => string
const BROKERS: [kind: string, service: string, broker: BrokerName, settings: Settings][] = [
  ['redis', 'redis', 'redis', (port) => `address=127.0.0.1:${port} key=k password=secret format=access`],
  ['mqtt', 'mqtt', 'mosquitto', (port) => `broker=tcp://127.0.0.1:${port} topic=t qos=1`],
  ['nats', 'nats', 'nats', (port) => `address=127.0.0.1:${port} subject=t username=u password=secret`],
  ['amqp', 'amqp', 'rabbitmq', (port) => `url=amqp://guest:guest@127.0.0.1:${port} exchange=t exchange_type=fanout`],
  ['mysql', 'mysql', 'mariadb', (port) => `dsn_string=u:secret@tcp(127.0.0.1:${port})/events table=t format=access`],
  [
    'postgres',
    'postgresql',
    'postgres',
    (port) =>
      `connection_string="host=127.0.0.1 port=${port} user=u password=secret dbname=postgres sslmode=disable" table=t format=access`,
  ],
]

/** Events per second from the queue to the target, and the time from a put to its acceptance by the target. */
async function benchKind(
  { events: count, runs }: SettingSizes,
  kind: string,
  service: string,
  settings: string,
  who: string,
): Promise<void> {
  await using store = await startTestStore({ events: { allow: '127.0.0.1' } })
  const s3 = new S3(store.url, ROOT_CREDENTIALS)
  await setConfigLine(store, `notify_${kind}:b ${settings}`)
  const bucket = `bench-${kind}`
  await createNotifyingBucket(s3, bucket, [`arn:minio:sqs:us-east-1:b:${service}`])
  const { events } = store.server
  const sent = () => events.status()[0]?.sent ?? 0
  let key = 0
  const publish = () =>
    events.publish({
      name: 's3:ObjectCreated:Put',
      time: Date.now(),
      sequencer: `${++key}`,
      bucket,
      key: `k${key}`,
      size: 1024,
      requester: UNKNOWN_REQUESTER,
    })
  publish()
  await waitUntilDone(() => sent() === 1)
  const perSecond = await repeatWork(async () => {
    const before = sent()
    const ms = await timed(async () => {
      for (let i = 0; i < count; i++) publish()
      await waitUntilDone(() => sent() === before + count)
    })
    return count / (ms / 1000)
  }, runs)
  addTableLine(`events to ${kind} (${who})`, '1/s', perSecond)
  const arrival = await repeatWork(async () => {
    const before = sent()
    return await timed(async () => {
      await s3.done({ method: 'PUT', path: `/${bucket}/late`, body: SMALL })
      await waitUntilDone(() => sent() > before)
    })
  }, 20)
  addTableLine(`from a put to its acceptance by ${kind}`, 'ms', arrival)
}

export async function benchKinds(sizes: SettingSizes): Promise<void> {
  const hook = await startHook()
  await benchKind(sizes, 'webhook', 'webhook', `endpoint=${hook.url}`, 'HTTP server of this program')
  hook.close()
  for (const [kind, service, name, settings] of BROKERS) {
    if (!isBrokerInstalled(name)) continue
    await using broker = await startBroker(name)
    await benchKind(sizes, kind, service, settings(broker.port), name)
  }
  {
    await using peer = await startFakeNsqd()
    await benchKind(sizes, 'nsq', 'nsq', `nsqd_address=127.0.0.1:${peer.port} topic=t`, 'server of the tests')
  }
  {
    await using peer = await startFakeKafka()
    await benchKind(sizes, 'kafka', 'kafka', `brokers=127.0.0.1:${peer.port} topic=events`, 'server of the tests')
  }
  {
    await using peer = await startFakeElasticsearch()
    const settings = `url=http://127.0.0.1:${peer.port} index=t format=access`
    await benchKind(sizes, 'elasticsearch', 'elasticsearch', settings, 'server of the tests')
  }
}

/** Memory of the built console and its store, without a target and with targets of all kinds that have sent something. */
export async function benchMemory(): Promise<void> {
  const [hook, nsqd, kafka, elasticsearch] = await Promise.all([
    startHook(),
    startFakeNsqd(),
    startFakeKafka(),
    startFakeElasticsearch(),
  ])
  const running = await Promise.all(
    BROKERS.filter(([, , name]) => isBrokerInstalled(name)).map(async ([kind, service, name, settings]) => {
      const broker = await startBroker(name)
      return { kind, service, broker, settings: settings(broker.port) }
    }),
  )
  const targets = [
    ['webhook', 'webhook', `endpoint=${hook.url}`],
    ['nsq', 'nsq', `nsqd_address=127.0.0.1:${nsqd.port} topic=t`],
    ['kafka', 'kafka', `brokers=127.0.0.1:${kafka.port} topic=events`],
    ['elasticsearch', 'elasticsearch', `url=http://127.0.0.1:${elasticsearch.port} index=t format=access`],
    ...running.map(({ kind, service, settings }) => [kind, service, settings]),
  ] as const
  await using c = await startProduct({ env: { STOWAGE_EGRESS_ALLOW: '127.0.0.1' } })
  const credentials = { accessKey: c.rootUser, secretKey: c.rootPassword }
  const s3 = new S3(c.serverUrl, credentials)
  await s3.done({ method: 'PUT', path: '/plain' })
  await s3.done({ method: 'PUT', path: '/plain/k', body: SMALL })
  addTableLine('memory of console and store, no target', 'MiB', [memoryWithChildren(c.pid)])
  const madmin = createMadmin({ endpoint: c.serverUrl, credentials })
  for (const [kind, , settings] of targets) await madmin.setConfig(`notify_${kind}:b ${settings}`)
  await createNotifyingBucket(s3, 'told', (await madmin.serverInfo()).sqsARN)
  for (let i = 0; i < 100; i++) await s3.done({ method: 'PUT', path: `/told/${i}`, body: SMALL })
  for (let tries = 0; tries < 600 && nsqd.taken.length + kafka.taken.length < 200; tries++) await sleep(50)
  addTableLine(`memory of console and store, ${targets.length} kinds after 100 events each`, 'MiB', [
    memoryWithChildren(c.pid),
  ])
  for (const { broker } of running) await broker[Symbol.asyncDispose]()
  for (const peer of [nsqd, kafka, elasticsearch]) await peer[Symbol.asyncDispose]()
  hook.close()
}

/** Resident memory of a process and its children, in MiB. */
const memoryWithChildren = (pid: number) =>
  [pid, ...childProcesses(pid)].reduce((sum, each) => sum + processMemory(each), 0) / MiB
