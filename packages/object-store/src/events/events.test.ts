import { rm, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEgress, egressRules, egressSettings } from '@stowage/egress'
import { sealAdminBody } from '@stowage/madmin/sealing'
import { encodePath, signHeaders } from '@stowage/sigv4'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { StoreConfig } from '../config/config.ts'
import { TestEngine } from '../engine/testing/test-engine.ts'
import { type HttpTestStore as HttpStore, md5, ROOT_CREDENTIALS, startTestStore } from '../http/testing/test-store.ts'
import { StoreEvents } from './events.ts'

interface Received {
  EventName: string
  Key: string
  Records: { eventName: string; s3: { object: { key: string; sequencer: string; size?: number; eTag?: string } } }[]
}

/** A webhook whose answers the test sets. */
const hook = {
  received: [] as Received[],
  headers: [] as IncomingMessage['headers'][],
  answer: (_count: number): number => 200,
  count: 0,
  /** Requests are answered when this is resolved. */
  open: Promise.resolve(),
}
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    void hook.open.then(() => {
      const status = hook.answer(hook.count++)
      if (status === 200) {
        hook.received.push(JSON.parse(Buffer.concat(chunks).toString()) as Received)
        hook.headers.push(request.headers)
      }
      response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:1/' } : { 'content-type': 'text/html' })
      response.end('<html>what an internal page says</html>')
    })
  })
})

const waits: number[] = []
let store: HttpStore
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  store = await startTestStore({
    environment: {
      MINIO_NOTIFY_WEBHOOK_ENABLE_PRIMARY: 'on',
      MINIO_NOTIFY_WEBHOOK_ENDPOINT_PRIMARY: url,
      MINIO_NOTIFY_WEBHOOK_AUTH_TOKEN_PRIMARY: 'a token',
      MINIO_NOTIFY_WEBHOOK_ENABLE_INTERNAL: 'on',
      MINIO_NOTIFY_WEBHOOK_ENDPOINT_INTERNAL: 'http://169.254.169.254/latest',
    },
    events: {
      allow: '127.0.0.1',
      wait: (ms) => {
        waits.push(ms)
        return new Promise((resolve) => setTimeout(resolve, 1))
      },
    },
  })
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  server.close()
  server.closeAllConnections()
})
beforeEach(() => {
  hook.received.length = 0
  hook.headers.length = 0
  hook.answer = () => 200
  hook.count = 0
  waits.length = 0
})

const ARN = 'arn:minio:sqs:us-east-1:PRIMARY:webhook'
const rule = (events: string[], filter = '', arn = ARN) =>
  `<QueueConfiguration><Id>mine</Id><Queue>${arn}</Queue>${events.map((event) => `<Event>${event}</Event>`).join('')}` +
  `<Filter><S3Key>${filter}</S3Key></Filter></QueueConfiguration>`
const setRules = (bucket: string, ...rules: string[]) =>
  store.send({
    method: 'PUT',
    path: `/${bucket}`,
    query: 'notification',
    body: `<NotificationConfiguration>${rules.join('')}</NotificationConfiguration>`,
  })
const put = (path: string, body = 'x', headers: Record<string, string> = {}) =>
  store.send({ method: 'PUT', path, body, headers: { 'user-agent': 'a test', ...headers } })
const names = () => hook.received.map(({ EventName, Key }) => `${EventName.replace('s3:Object', '')} ${Key}`)

test('a rule names a target that is there, and events of its own kinds', async () => {
  await store.engine.createBucket('rules')
  const info = JSON.parse((await store.send({ path: '/minio/admin/v3/info' })).text) as { sqsARN: string[] }
  expect(info.sqsARN).toEqual(['arn:minio:sqs:us-east-1:INTERNAL:webhook', ARN])
  const unknown = 'arn:minio:sqs:us-east-1:OTHER:webhook'
  expect((await setRules('rules', rule(['s3:ObjectCreated:*'], '', unknown))).code).toBe('InvalidArgument')
  expect((await setRules('rules', rule(['s3:ObjectEaten:*']))).code).toBe('InvalidArgument')
  expect((await setRules('absent', rule(['s3:ObjectCreated:*']))).code).toBe('NoSuchBucket')
  expect((await setRules('rules', rule(['s3:ObjectCreated:*']))).status).toBe(200)
  const shown = await store.send({ path: '/rules', query: 'notification' })
  expect(shown.text).toContain(`<Id>mine</Id><Event>s3:ObjectCreated:*</Event><Queue>${ARN}</Queue>`)
  expect((await setRules('rules')).status).toBe(200)
  const none = await store.send({ path: '/rules', query: 'notification' })
  expect(none.text).not.toContain('QueueConfiguration')
})

test('changes and reads that fit a rule arrive once, in order, with what is known of them', async () => {
  await store.engine.createBucket('told')
  const prefix = '<FilterRule><Name>prefix</Name><Value>in/</Value></FilterRule>'
  const suffix = '<FilterRule><Name>suffix</Name><Value>.txt</Value></FilterRule>'
  await setRules(
    'told',
    rule(['s3:ObjectCreated:*', 's3:ObjectRemoved:*', 's3:ObjectAccessed:*'], prefix + suffix),
    rule(['s3:ObjectCreated:Put'], prefix),
  )
  await put('/told/in/a b(ü).txt', 'text', { 'content-type': 'text/plain', 'x-amz-meta-colour': 'red' })
  await put('/told/out.txt')
  await put('/told/in/other')
  await store.send({ path: '/told/in/a b(ü).txt' })
  await store.send({ path: '/told/in/absent.txt' })
  const tagging = '<Tagging><TagSet><Tag><Key>a</Key><Value>1</Value></Tag></TagSet></Tagging>'
  await store.send({ method: 'PUT', path: '/told/in/a b(ü).txt', query: 'tagging', body: tagging })
  await store.send({ method: 'DELETE', path: '/told/in/a b(ü).txt', query: 'tagging' })
  await store.send({ method: 'PUT', path: '/told/in/c.txt', headers: { 'x-amz-copy-source': '/told/out.txt' } })
  await store.send({ method: 'DELETE', path: '/told/in/a b(ü).txt' })
  await expect.poll(() => hook.received.length).toBe(7)
  const ofKey = names().filter((name) => name.endsWith('a b(ü).txt'))
  expect(ofKey).toEqual(
    ['Created:Put', 'Accessed:Get', 'Created:PutTagging', 'Created:DeleteTagging', 'Removed:Delete'].map(
      (name) => `${name} told/in/a b(ü).txt`,
    ),
  )
  expect(names()).toEqual(expect.arrayContaining(['Created:Put told/in/other', 'Created:Copy told/in/c.txt']))
  expect(hook.received[0]?.Records[0]).toMatchObject({
    eventVersion: '2.0',
    eventSource: 'minio:s3',
    awsRegion: 'us-east-1',
    eventName: 's3:ObjectCreated:Put',
    userIdentity: { principalId: 'rootuser' },
    requestParameters: { sourceIPAddress: '127.0.0.1' },
    s3: {
      configurationId: 'mine',
      bucket: { name: 'told', arn: 'arn:aws:s3:::told' },
      object: {
        key: 'in%2Fa+b%28%C3%BC%29.txt',
        size: 4,
        eTag: md5('text'),
        contentType: 'text/plain',
        userMetadata: { 'content-type': 'text/plain', 'X-Amz-Meta-colour': 'red' },
        sequencer: expect.stringMatching(/^[0-9A-F]{16}$/),
      },
    },
    source: { userAgent: 'a test' },
  })
  expect(hook.headers[0]?.authorization).toBe('a token')
})

test('a webhook that fails, redirects or is away for long gets everything in the end', async () => {
  await store.engine.createBucket('patient')
  await setRules('patient', rule(['s3:ObjectCreated:*']))
  // Two answers of each kind, then an hour of errors.
  hook.answer = (count) => (count < 2 ? 302 : count < 4 ? 404 : count < 70 ? 500 : 200)
  for (const text of ['1', '22', '333']) await put('/patient/same', text)
  await expect.poll(() => hook.received.length).toBe(3)
  expect(hook.received.map(({ Records }) => Records[0]?.s3.object.size)).toEqual([1, 2, 3])
  expect(waits.slice(0, 8)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(3_600_000)
})

test('a webhook that does not answer holds up no writer, and gets everything once it answers', async () => {
  await store.engine.createBucket('slow')
  await setRules('slow', rule(['s3:ObjectCreated:*']))
  let answerAll = () => {}
  hook.open = new Promise((resolve) => (answerAll = resolve))
  const { events } = store.server
  const waiting = () => events.status().find(({ arn }) => arn === ARN)?.waiting
  for (let i = 0; i < 50; i++) expect((await put(`/slow/${i}`)).status).toBe(200)
  await expect.poll(waiting).toBe(50)
  expect(hook.received).toEqual([])
  answerAll()
  await expect.poll(() => new Set(hook.received.map(({ Key }) => Key)).size).toBe(50)
  await expect.poll(waiting).toBe(0)
})

test('a webhook that is down gets everything when it is there again', async () => {
  await store.engine.createBucket('down')
  await setRules('down', rule(['s3:ObjectCreated:*']))
  const { port } = server.address() as AddressInfo
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  for (let i = 0; i < 5; i++) await put(`/down/${i}`)
  const reason = () => store.server.events.status().find(({ arn }) => arn === ARN)?.failing?.reason
  await expect.poll(reason).toMatch(/127\.0\.0\.1/)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await expect.poll(() => new Set(hook.received.map(({ Key }) => Key)).size).toBe(5)
  await expect.poll(reason).toBeUndefined()
})

test('a webhook that points into the network of the machine is never called, and writers do not notice', async () => {
  await store.engine.createBucket('guarded')
  await setRules('guarded', rule(['s3:ObjectCreated:*'], '', 'arn:minio:sqs:us-east-1:INTERNAL:webhook'))
  expect((await put('/guarded/k')).status).toBe(200)
  const { events } = store.server
  await expect
    .poll(() => events.status().find(({ arn }) => arn.includes('INTERNAL'))?.failing?.reason)
    .toMatch(/not allowed|169\.254/)
  await setRules('guarded')
})

test('a client listens to a bucket, and to all of them', async () => {
  await store.engine.createBucket('heard')
  const lines = async (path: string, query: string, count: number, during: () => Promise<unknown>) => {
    const headers = { host: `127.0.0.1:${store.port}` }
    const signed = signHeaders(
      { method: 'GET', path: encodePath(path), query, headers },
      {
        credentials: ROOT_CREDENTIALS,
        region: 'us-east-1',
        payloadHash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      },
    ).headers
    return new Promise<Received[]>((resolve, reject) => {
      const request = httpRequest(
        { port: store.port, host: '127.0.0.1', path: `${path}?${query}`, headers: signed },
        (response) => {
          let text = ''
          response.on('data', (chunk: Buffer) => {
            text += chunk.toString()
            const found = text.split('\n').filter((line) => line.trim() !== '' && line.includes('{'))
            if (found.length < count) return
            request.destroy()
            resolve(found.slice(0, count).map((line) => JSON.parse(line) as Received))
          })
          if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`))
          else void during()
        },
      )
      request.on('error', reject)
      request.end()
    })
  }
  const created = 'events=s3%3AObjectCreated%3A%2A&events=s3%3AObjectRemoved%3A%2A'
  const ofBucket = await lines('/heard', `${created}&prefix=a&suffix=z`, 2, async () => {
    for (const key of ['a', 'az', 'z']) await put(`/heard/${key}`)
    await store.send({ method: 'DELETE', path: '/heard/az' })
  })
  expect(ofBucket.map(({ Records }) => Records[0]?.eventName)).toEqual([
    's3:ObjectCreated:Put',
    's3:ObjectRemoved:Delete',
  ])
  const all = await lines('/', 'events=s3%3ABucketCreated%3A%2A&ping=1', 1, () =>
    store.send({ method: 'PUT', path: '/heard-too' }),
  )
  expect(all[0]).toMatchObject({ Records: [{ s3: { bucket: { name: 'heard-too' } } }] })
  const ping = await lines('/heard', `${created}&ping=1`, 1, async () => undefined)
  expect(ping[0]?.Records).toBeNull()
  for (const query of ['events=', 'events=s3%3A%2A', `${created}&ping=0`, `${created}&ping=x`]) {
    expect((await store.send({ path: '/heard', query })).code).toBe('InvalidArgument')
  }
  expect((await store.send({ path: '/absent', query: created })).code).toBe('NoSuchBucket')
  expect((await store.send({ path: '/heard', query: created, credentials: 'anonymous' })).status).toBe(403)
})

/** Starts the events of an engine alone, without HTTP, as a restart of the store does. */
async function startEvents(
  engines: TestEngine,
  { region = '', environment }: { region?: string; environment?: Record<string, string> },
) {
  const { engine } = engines
  const settings = z.object(egressSettings).parse({ STOWAGE_EGRESS_ALLOW: '127.0.0.1' })
  const config = new StoreConfig({ documents: engine, environment: environment ?? {} })
  const events = new StoreEvents({
    engine,
    config,
    log: pino({ level: 'silent' }),
    source: { region, deploymentId: engine.deploymentId },
    delivery: {
      loadEgress: async () => createEgress(egressRules(settings)),
      egress: { STOWAGE_EGRESS_ALLOW: '127.0.0.1' },
      ownPorts: () => [],
      folder: `${engines.root}/events`,
      queueFolders: [`${engines.root}/queues`],
      certificateFolders: [],
    },
    wait: () => new Promise((resolve) => setTimeout(resolve, 10)),
    againMs: 1,
  })
  await events.ready
  return Object.assign(events, { config })
}
const firstSequencer = ({ Records }: Received) => Records[0]?.s3.object.sequencer ?? ''

/** Expects that each key has this many events, in order; an event may arrive twice. */
function expectInOrder(bucket: string, keys: number, eventsOfKey: number): void {
  for (let key = 0; key < keys; key++) {
    const sequencers = hook.received.filter(({ Key }) => Key === `${bucket}/${key}`).map(firstSequencer)
    const first = sequencers.filter((sequencer, i) => sequencers.indexOf(sequencer) === i)
    expect([key, first]).toEqual([key, [...first].sort()])
    expect([key, first.length]).toEqual([key, eventsOfKey])
  }
}

test('undelivered events survive a restart in another region, also those that were only in the journal', async () => {
  await using engines = await TestEngine.start(1)
  const environment = { MINIO_NOTIFY_WEBHOOK_ENABLE: 'on', MINIO_NOTIFY_WEBHOOK_ENDPOINT: url }
  hook.answer = () => 500
  const before = await startEvents(engines, { environment })
  // A crash may follow before anything else is saved.
  expect(engines.engine.getDocument('cursors', 'events')).toMatch(/^\d+$/)
  await engines.engine.createBucket('b')
  const notification = [
    { id: '', arn: 'arn:minio:sqs::_:webhook', events: ['s3:ObjectCreated:*'], prefix: '', suffix: '' },
  ]
  await engines.engine.setBucketSettings('b', { notification })
  for (let i = 0; i < 20; i++) await engines.put('b', `${i % 5}`, `${i}`)
  await expect.poll(() => before.status()[0]?.waiting).toBe(20)
  await before.stop()
  // Written without listeners, like just before a crash.
  for (let i = 20; i < 30; i++) await engines.put('b', `${i % 5}`, `${i}`)
  await engines.reopen()
  hook.answer = () => 200
  const after = await startEvents(engines, { environment, region: 'mars-1' })
  await expect.poll(() => new Set(hook.received.map(firstSequencer)).size).toBe(30)
  for (let key = 0; key < 5; key++) {
    const sequencers = hook.received
      .filter(({ Key }) => Key === `b/${key}`)
      .map(({ Records }) => Records[0]?.s3.object.sequencer ?? '')
    expect(sequencers).toEqual([...sequencers].sort())
    expect(sequencers).toHaveLength(6)
  }
  await after.stop()
})

const notificationRule = (arn: string) => ({
  notification: [{ id: '', arn, events: ['s3:ObjectCreated:*'], prefix: '', suffix: '' }],
})

test('a target whose settings change while events arrive and wait loses no event', async () => {
  await using engines = await TestEngine.start(1)
  const events = await startEvents(engines, {})
  const { config } = events
  const set = (text: string) => config.set(`notify_webhook:t ${text}`, 'root')
  await set(`endpoint=${url}`)
  await events.ready
  await engines.engine.createBucket('b')
  await engines.engine.setBucketSettings('b', notificationRule('arn:minio:sqs::t:webhook'))
  hook.answer = () => 500
  const changes = ['auth_token=1', `queue_dir=${engines.root}/queues/other`, 'enable=off', 'enable=on', 'auth_token=2']
  let count = 0
  for (const change of changes) {
    // Between off and on, there must be no events.
    if (change.startsWith('enable')) await set(change).then(() => events.ready)
    else {
      const changed = set(change).then(() => events.ready)
      for (let i = 0; i < 20; i++) await engines.put('b', `${i % 4}`)
      count += 20
      await changed
    }
  }
  hook.answer = () => 200
  await expect.poll(() => new Set(hook.received.map(firstSequencer)).size).toBe(count)
  await expect.poll(() => events.status()[0]).toMatchObject({ waiting: 0, dropped: 0 })
  expectInOrder('b', 4, count / 4)
  await events.stop()
})

test('a target whose queue folder is unusable keeps its events, also when it is removed, and gets them later', async () => {
  await using engines = await TestEngine.start(1)
  // Reading and writing fail as on a drive that is not mounted, or full.
  const breakFolder = async () => {
    await rm(`${engines.root}/events`, { recursive: true, force: true })
    await writeFile(`${engines.root}/events`, '')
  }
  const mendFolder = () => rm(`${engines.root}/events`)
  await breakFolder()
  const environment = { MINIO_NOTIFY_WEBHOOK_ENABLE_E: 'on', MINIO_NOTIFY_WEBHOOK_ENDPOINT_E: url }
  const events = await startEvents(engines, { environment })
  await events.config.set(`notify_webhook:t endpoint=${url}`, 'root')
  await events.ready
  await engines.engine.createBucket('b')
  const arrived = () => new Set(hook.received.map(({ Key }) => Key))
  await engines.engine.setBucketSettings('b', notificationRule('arn:minio:sqs::E:webhook'))
  await engines.put('b', 'at-start')
  await expect.poll(() => events.status().find(({ arn }) => arn.includes(':E:'))?.failing?.reason).toMatch(/events/)
  await mendFolder()
  await expect.poll(arrived).toContain('b/at-start')

  await engines.engine.setBucketSettings('b', notificationRule('arn:minio:sqs::t:webhook'))
  hook.answer = () => 500
  await engines.put('b', 'queued')
  await expect.poll(() => events.status().find(({ arn }) => arn.includes(':t:'))?.waiting).toBe(1)
  await breakFolder()
  await engines.put('b', 'removed')
  await events.config.set('notify_webhook:t enable=off', 'root')
  await events.ready
  await mendFolder()
  hook.answer = () => 200
  await events.config.set('notify_webhook:t enable=on', 'root')
  await expect.poll(arrived).toContain('b/removed')
  await events.stop()
})

test('a target that is dead for hundreds of events holds up neither writers nor the journal, and gets all in order', async () => {
  await using engines = await TestEngine.start(1)
  const environment = { MINIO_NOTIFY_WEBHOOK_ENABLE: 'on', MINIO_NOTIFY_WEBHOOK_ENDPOINT: url }
  let answerAll = () => {}
  hook.open = new Promise((resolve) => (answerAll = resolve))
  const dead = await startEvents(engines, { environment })
  await engines.engine.createBucket('dead')
  await engines.engine.setBucketSettings('dead', notificationRule('arn:minio:sqs::_:webhook'))
  for (let at = 0; at < 500; at += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => engines.put('dead', `${(at + i) % 100}`)))
  }
  await expect.poll(() => dead.status()[0]).toMatchObject({ waiting: 500, dropped: 0, sent: 0 })
  await dead.stop()
  // The journal need not be kept for the target up to here, although nothing was delivered.
  expect(Number(engines.engine.getDocument('cursors', 'events'))).toBeGreaterThanOrEqual(500)
  answerAll()
  hook.open = Promise.resolve()
  await engines.reopen()
  const again = await startEvents(engines, { environment })
  await expect.poll(() => again.status()[0]).toMatchObject({ waiting: 0, sent: 500 })
  expectInOrder('dead', 100, 5)
  await again.stop()
})

test('a webhook that is the store itself takes nothing, and its requests make no events', async () => {
  await store.engine.createBucket('looped')
  const everything = {
    Effect: 'Allow',
    Principal: { AWS: ['*'] },
    Action: ['s3:*'],
    Resource: ['arn:aws:s3:::looped/*'],
  }
  const policy = JSON.stringify({ Version: '2012-10-17', Statement: [everything] })
  expect((await store.send({ method: 'PUT', path: '/looped', query: 'policy', body: policy })).status).toBe(204)
  const line = `notify_webhook:LOOP endpoint=${store.url}/looped/target`
  const body = await sealAdminBody(line, ROOT_CREDENTIALS.secretKey)
  expect((await store.send({ method: 'PUT', path: '/minio/admin/v3/set-config-kv', region: '', body })).text).toBe('')
  const status = () => store.server.events.status().find(({ arn }) => arn.includes(':LOOP:'))
  await expect.poll(status).toBeDefined()
  const all = ['s3:ObjectCreated:*', 's3:ObjectRemoved:*', 's3:ObjectAccessed:*']
  const target = 'arn:minio:sqs:us-east-1:LOOP:webhook'
  expect((await setRules('looped', rule(all, '', target))).status).toBe(200)
  for (const key of ['a', 'b', 'c']) expect((await put(`/looped/${key}`)).status).toBe(200)
  const before = waits.length
  await expect.poll(() => waits.length).toBeGreaterThan(before + 20)
  expect(status()).toMatchObject({ sent: 0, waiting: 3, dropped: 0 })
  expect(status()?.failing?.reason).toMatch(/4\d\d/)
  await setRules('looped')
})
