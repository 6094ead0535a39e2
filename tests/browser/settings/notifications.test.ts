import { PutBucketNotificationConfigurationCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startFakeNsqd } from '../../../packages/object-store/src/events/targets/testing/fake-servers.ts'
import { useBrowser } from '../../support/browser/browser.ts'
import { failCalls } from '../../support/browser/page-calls.ts'
import { clickRowAction, tableRow } from '../../support/browser/rows.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole } from '../../support/console/start-console.ts'

const browser = useBrowser()
const { open } = browser

const QUEUE = ['Queue Dir', 'Queue Limit', 'Comment']

/** Returns the labels of all fields, in order; a switch has a second label without text. */
const labels = async (page: Awaited<ReturnType<typeof open>>) => {
  const all = await page.locator('form').locator('label, [role=group] > div:first-child').allTextContents()
  return all.filter((text) => text !== '')
}

test('adding slides from the list to the picker and to a form, and back [NTF-01] [NTF-02] [NTF-03] [NTF-04] [NTF-05]', async () => {
  const page = await open('/settings/notifications')
  await page.getByPlaceholder('Filter').waitFor()
  const headers = await page.getByRole('columnheader').allTextContents()
  expect(headers.slice(0, 2)).toEqual(['Status', 'Service'])
  await page.getByRole('button', { name: 'Refresh' }).waitFor()
  await page.getByRole('button', { name: 'Add Notification Target' }).click()
  await page.getByRole('heading', { name: 'Pick a supported service' }).waitFor()
  const kinds = page.locator('button[class*=kind]')
  expect(await kinds.allTextContents()).toEqual([
    'Postgres SQL',
    'Kafka',
    'AMQP',
    'MQTT',
    'Redis',
    'NATS',
    'Mysql',
    'Elastic Search',
    'Webhook',
    'NSQ',
  ])
  const logos = await kinds.evaluateAll((all) => all.map((button) => button.querySelector('svg') !== null))
  expect(logos).toEqual([true, true, true, true, true, true, true, true, false, false])
  await kinds.filter({ hasText: 'Kafka' }).click()
  await page.getByRole('heading', { name: 'Kafka - Add Lambda Notification Target' }).waitFor()
  await page.getByRole('link', { name: 'Back To Supported Services' }).click()
  await page.getByRole('link', { name: 'Back To Lambda Notifications' }).click()
  await page.getByRole('button', { name: 'Add Notification Target' }).waitFor()
})

/** A form: its fields in order, required ones, initial values, and the input to save it. */
interface Form {
  kind: string
  labels: string[]
  required: string[]
  presets?: Record<string, string>
  fill: Record<string, string>
  /** What the store then contains, in addition to the input. */
  saved: Record<string, string>
}

const queue = { queue_limit: '10000' }
const TLS = ['TLS', 'TLS Skip Verify']
const FORMS: Form[] = [
  {
    kind: 'kafka',
    labels: [
      'Brokers',
      'Topic',
      'SASL Username',
      'SASL Password',
      'SASL Mechanism',
      'TLS Client Auth',
      'SASL',
      ...TLS,
    ].concat(['Client TLS Cert', 'Client TLS Key', 'Version', ...QUEUE]),
    required: ['Brokers', 'Queue Dir'],
    presets: { 'SASL Mechanism': 'PLAIN' },
    fill: { 'Brokers 1': 'kafka.example:9092', Topic: 'events' },
    saved: { brokers: 'kafka.example:9092', topic: 'events', sasl_mechanism: 'PLAIN', ...queue },
  },
  {
    kind: 'amqp',
    labels: ['URL', 'Exchange', 'Exchange Type', 'Routing Key', 'Mandatory', 'Durable', 'No Wait', 'Internal'].concat([
      'Auto Deleted',
      'Delivery Mode',
      ...QUEUE,
    ]),
    required: ['URL', 'Queue Dir'],
    fill: { URL: 'amqp://rabbit.example:5672', Exchange: 'told', 'Routing Key': 'all' },
    saved: { url: 'amqp://rabbit.example:5672', exchange: 'told', routing_key: 'all', ...queue },
  },
  {
    kind: 'redis',
    labels: ['Address', 'Key', 'Password', ...QUEUE],
    required: ['Address', 'Key', 'Queue Dir'],
    fill: { Address: 'redis.example:6379', Key: 'objects' },
    saved: { address: 'redis.example:6379', key: 'objects', ...queue },
  },
  {
    kind: 'mqtt',
    labels: ['Broker', 'Topic', 'Username', 'Password', 'QOS', 'Keep Alive Interval', 'Reconnect Interval', ...QUEUE],
    required: ['Broker', 'Topic', 'Queue Dir'],
    presets: { QOS: '0' },
    fill: { Broker: 'tcp://mqtt.example:1883', Topic: 'events', 'Keep Alive Interval': '20s' },
    saved: { broker: 'tcp://mqtt.example:1883', topic: 'events', qos: '0', keep_alive_interval: '20s', ...queue },
  },
  {
    kind: 'nats',
    labels: ['Address', 'Subject', 'Username', 'Password', 'Token', ...TLS, 'Ping Interval', 'Streaming']
      .concat(['Streaming Async', 'Streaming Max Pub Acks In Flight', 'Streaming Cluster ID', 'Cert Authority'])
      .concat(['Client Cert', 'Client Key', ...QUEUE]),
    required: ['Address', 'Subject', 'Queue Dir'],
    fill: { Address: 'nats.example:4222', Subject: 'events', Username: 'u' },
    saved: { address: 'nats.example:4222', subject: 'events', username: 'u', ...queue },
  },
  {
    kind: 'elasticsearch',
    labels: ['URL', 'Index', 'Format', ...QUEUE],
    required: ['URL', 'Index', 'Queue Dir'],
    presets: { Format: 'Namespace' },
    fill: { URL: 'http://es.example:9200', Index: 'events' },
    saved: { url: 'http://es.example:9200', index: 'events', format: 'namespace', ...queue },
  },
  {
    kind: 'webhook',
    labels: ['Endpoint', 'Auth Token', ...QUEUE],
    required: ['Endpoint', 'Queue Dir'],
    fill: { Endpoint: 'https://hooks.example/stowage' },
    saved: { endpoint: 'https://hooks.example/stowage', ...queue },
  },
  {
    kind: 'nsq',
    labels: ['NSQD Address', 'Topic', ...TLS, ...QUEUE],
    required: ['NSQD Address', 'Topic', 'Queue Dir'],
    fill: { 'NSQD Address': 'nsqd.example:4150', Topic: 'events' },
    saved: { nsqd_address: 'nsqd.example:4150', topic: 'events', ...queue },
  },
]

/** Returns the labels of the fields with the error that they cannot be empty. */
const emptyFields = async (page: Page) =>
  await page.getByText('Field cannot be empty').evaluateAll((all) =>
    all.map((error) => {
      const field = error.closest('form > div > *')
      return field?.querySelector('label, :scope > div:first-child')?.textContent
    }),
  )

ownStore.test(
  'each kind has its fields, says which cannot be empty, starts with its defaults, and is saved [NTF-06] [NTF-07] [NTF-08] [NTF-09] [NTF-10] [NTF-11] [NTF-12] [NTF-13] [NTF-14]',
  async () => {
    const page = await open('/settings/notifications')
    for (const { kind, labels: expected, required, presets = {}, fill, saved } of FORMS) {
      await page.goto(`settings/notifications?service=notify_${kind}`)
      await page.getByLabel('Identifier').waitFor()
      expect((await labels(page)).slice(1, expected.length + 1), kind).toEqual(expected)
      for (const [label, value] of Object.entries({ 'Queue Limit': '10000', ...presets })) {
        expect(await page.getByLabel(label, { exact: true }).first().inputValue(), `${kind} ${label}`).toBe(value)
      }
      await page.getByRole('button', { name: 'Save' }).click()
      await expect.poll(async () => [kind, ...(await emptyFields(page))]).toEqual([kind, 'Identifier', ...required])
      const id = `form-${kind}`
      const typed = { Identifier: id, 'Queue Dir': id, Comment: 'two words', ...fill }
      for (const [label, text] of Object.entries(typed))
        await page.getByLabel(label, { exact: true }).first().fill(text)
      await page.getByRole('button', { name: 'Save' }).click()
      await tableRow(page, id).waitFor()
      const params = { name: `notify_${kind}` }
      const { targets } = await browser.target.call('getConfig', { params })
      const stored = targets.find(({ target }) => target === id)?.key_values ?? []
      const values = Object.fromEntries(stored.map(({ key, value }) => [key, value]))
      expect(values, kind).toMatchObject({ ...saved, queue_dir: id, comment: 'two words' })
      await browser.target.call('resetConfig', { params, body: { arn_resource_id: id } })
    }
  },
)

const CONNECTIONS = [
  ['postgres', 'Manually Configure String', 'Connection String', 'host=db dbname=events user=u password=p port=5432'],
  ['mysql', 'Enter DSN String', 'DSN String', 'u:p@tcp(db:5432)/events'],
] as const

test.each(CONNECTIONS)(
  'the form of %s switches between fields and string [NTF-17]',
  async (kind, label, field, text) => {
    const page = await open(`/settings/notifications?service=notify_${kind}`)
    await page.getByRole('switch', { name: label }).waitFor()
    const values = { Host: 'db', Port: '5432', 'DB Name': 'events', User: 'u', Password: 'p' }
    for (const [name, value] of Object.entries(values)) await page.getByLabel(name, { exact: true }).fill(value)
    const manual = page.getByRole('switch', { name: label })
    await manual.check({ force: true })
    expect(await page.getByRole('textbox', { name: field }).inputValue()).toBe(text)
    await page.getByRole('textbox', { name: field }).fill(text.replace('db', 'other'))
    await manual.uncheck({ force: true })
    expect(await page.getByLabel('Host', { exact: true }).inputValue()).toBe('other')
  },
)

ownStore.test('a status has a mark, grey when it is offline, and says why [NTF-19]', async () => {
  await using own = await startConsole({ env: { STOWAGE_EGRESS_ALLOW: '127.0.0.1' } })
  // nsqd answers each message; a port without a listener refuses the connection.
  await using nsqd = await startFakeNsqd()
  const add = (account_id: string, properties: Record<string, string>) =>
    own.call('addNotificationEndpoint', {
      body: { service: 'nsq', account_id, properties: { topic: 't', ...properties } },
    })
  await add('here', { nsqd_address: `127.0.0.1:${nsqd.port}` })
  await add('away', { nsqd_address: '127.0.0.1:1' })
  await add('resting', { nsqd_address: '127.0.0.1:1', enable: 'off' })
  const Bucket = await own.newBucket()
  const { notification_endpoints: targets } = await own.call('listNotificationEndpoints', {})
  const rules = targets
    .filter(({ arn }) => arn !== '')
    .map(({ arn }) => ({ QueueArn: arn, Events: ['s3:ObjectCreated:*' as const] }))
  await own.s3.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket,
      NotificationConfiguration: { QueueConfigurations: rules },
    }),
  )
  await own.s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }))
  await expect.poll(() => nsqd.taken.length).toBe(1)
  const statuses = async () => {
    const { notification_endpoints } = await own.call('listNotificationEndpoints', {})
    return notification_endpoints.map(({ account_id, status }) => `${account_id} ${status}`).sort()
  }
  await expect.poll(statuses).toEqual(['away offline', 'here online', 'resting off'])

  const page = await open('/settings/notifications', { console: own })
  const mark = (id: string, text: string) => tableRow(page, id).getByText(text, { exact: true }).locator('..')
  const colour = (id: string, text: string) => mark(id, text).evaluate((element) => getComputedStyle(element).color)
  await mark('away', 'Offline').waitFor()
  expect(await colour('away', 'Offline')).not.toBe(await colour('here', 'Online'))
  expect(await mark('away', 'Offline').locator('svg circle').getAttribute('fill')).toBe('none')
  await mark('resting', 'Disabled').waitFor()
  await tableRow(page, 'away').getByText('127.0.0.1:1 cannot be reached (ECONNREFUSED)').waitFor()

  await clickRowAction(page, 'here', 'Test')
  await page.getByText(/The target accepted a test event after \d+ ms/).waitFor()
  expect(nsqd.taken[1]).toContain('s3:TestEvent')
  await clickRowAction(page, 'away', 'Test')
  await page.getByText('The target did not accept the test event').first().waitFor()

  await clickRowAction(page, 'away', 'Delete')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 bucket uses it:').waitFor()
  await dialog.getByRole('listitem').filter({ hasText: Bucket }).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await clickRowAction(page, 'resting', 'Delete')
  await dialog.getByText('No rule of a bucket uses it.').waitFor()
})

ownStore.test('refused events are listed with the reason, sent again, and dropped after a question', async () => {
  await using own = await startConsole({ env: { STOWAGE_EGRESS_ALLOW: '127.0.0.1' } })
  await using nsqd = await startFakeNsqd()
  const params = { name: 'notify_nsq' }
  const nsqd_address = `127.0.0.1:${nsqd.port}`
  const setTopic = (topic: string) =>
    own.call('setConfig', {
      params,
      body: {
        key_values: Object.entries({ nsqd_address, topic }).map(([key, value]) => ({ key, value })),
        arn_resource_id: 'picky',
      },
    })
  await setTopic('refused')
  const Bucket = await own.newBucket()
  const { notification_endpoints: targets } = await own.call('listNotificationEndpoints', {})
  const QueueConfigurations = [{ QueueArn: targets[0]?.arn ?? '', Events: ['s3:ObjectCreated:*' as const] }]
  await own.s3.send(
    new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration: { QueueConfigurations } }),
  )
  const refuse = async (Key: string) => {
    const before = await countRefused()
    await own.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))
    await expect.poll(countRefused).toBe(before + 1)
  }
  const countRefused = async () =>
    (await own.call('listRefusedEvents', { params: { service: 'nsq', account_id: 'picky' } })).total
  await refuse('first')

  const page = await open('/settings/notifications', { console: own })
  await clickRowAction(page, 'picky', 'Refused Events')
  const dialog = page.getByRole('dialog')
  const row = dialog.getByRole('row').filter({ hasText: `${Bucket}/first` })
  await row.getByText('E_BAD_MESSAGE PUB message too big').waitFor()
  await setTopic('told')
  await dialog.getByRole('button', { name: 'Send Again' }).click()
  await page.getByText('1 event is sent again').waitFor()
  await expect.poll(() => nsqd.taken.some((each) => each.includes('first'))).toBe(true)
  expect(await countRefused()).toBe(0)

  await setTopic('refused')
  await refuse('second')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await clickRowAction(page, 'picky', 'Refused Events')
  await dialog.getByText(`${Bucket}/second`).waitFor()
  await dialog.getByRole('button', { name: 'Drop' }).click()
  await page.getByText('The target never receives these events.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Drop' }).click()
  await page.getByText('Refused events dropped').waitFor()
  expect(await countRefused()).toBe(0)
})

test('a list that cannot be read says so', async () => {
  const page = await open('/settings/notifications', {
    before: async (page) => {
      await failCalls(page, { url: '**/api/v1/admin/notification_endpoints' }, 'the server is tired')
    },
  })
  await page.getByText('the server is tired').first().waitFor()
})

ownStore.test('the form of a target shows its whole ARN, and the list does not cut its headers', async () => {
  const page = await open('/settings/notifications')
  const target = page.getByRole('row').filter({ hasText: 'PRIMARY' })
  await target.waitFor()
  const cut = await page.getByRole('columnheader').evaluateAll((all) =>
    all
      .filter((each) =>
        [each, ...each.querySelectorAll('span')].some((part) => part.scrollWidth > part.clientWidth + 1),
      )
      .map((each) => each.textContent)
      .filter((text) => text !== 'Actions'),
  )
  expect(cut).toEqual([])
  const { arns } = await browser.target.call('listArns', {})
  const arn = arns.find((each) => each.includes(':PRIMARY:')) ?? ''
  await target.getByRole('link').first().click()
  await page.getByText(arn, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Copy ARN' }).waitFor()
})

test('long names of sections stay inside the menu', async () => {
  const page = await open('/settings/notifications')
  await page.evaluate(() => localStorage.setItem('stowage.language', 'en-XA'))
  await page.reload()
  const menu = page.locator('nav').filter({ has: page.locator('a[href$="/settings/notifications"][aria-current]') })
  const own = menu.filter({ has: page.locator('a[href$="/settings/tiers"]') })
  await own.getByText('ñ').first().waitFor()
  expect(await own.evaluate((nav) => nav.scrollWidth - nav.clientWidth)).toBe(0)
})
