import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
let endpoint: string
let connections = 0
// For a server, a connection is enough; those of 2021 wait for an answer.
const hook = createServer((request, response) => request.resume().on('end', () => response.end()))
hook.on('connection', () => connections++)
beforeAll(async () => {
  c = await sharedConsole()
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/events`
})
afterAll(() => void hook.close())

test('the list has a service, an identifier and a state for each target [NTF-18]', async () => {
  const params = { service: 'webhook', account_id: c.freshName('t').replaceAll('-', '_') } as const
  await c.call('addNotificationEndpoint', { body: { ...params, properties: { endpoint } } })
  const { notification_endpoints } = await c.call('listNotificationEndpoints', {})
  await c.call('deleteNotificationEndpoint', { params })
  // Other servers start a target when they are restarted.
  const status = c.embedded ? expect.stringMatching(/^(online|offline)$/) : 'not started'
  expect(notification_endpoints).toContainEqual(expect.objectContaining({ ...params, status }))
})

test('an unknown service and an invalid identifier are refused', async () => {
  const properties = { endpoint }
  const add = (service: string, account_id: string) =>
    callFailure(c.call('addNotificationEndpoint', { body: { service: service as never, account_id, properties } }))
  expect((await add('carrier-pigeon', 'a')).status).toBe(400)
  expect((await add('webhook', 'a b')).status).toBe(400)
  expect((await add('webhook', 'a:b')).status).toBe(400)
})

ownStore.test('a target that has refused nothing has no refused events to send again or to drop', async () => {
  const params = { service: 'webhook', account_id: 'PRIMARY' } as const
  expect(await c.call('listRefusedEvents', { params })).toEqual({ total: 0, events: [] })
  expect(await c.call('resendRefusedEvents', { params, body: {} })).toEqual({ count: 0 })
  await c.call('dropRefusedEvents', { params })
  const absent = { ...params, account_id: 'absent' }
  for (const call of ['listRefusedEvents', 'dropRefusedEvents'] as const) {
    expect((await callFailure(c.call(call, { params: absent }))).status).toBe(400)
  }
})

ownStore.test('the buckets whose rules name a target are listed, as far as the user may see them', async () => {
  const account_id = c.freshName('t')
  const params = { service: 'webhook', account_id } as const
  await c.call('addNotificationEndpoint', { body: { ...params, properties: { endpoint: 'https://hooks.example/x' } } })
  expect(await c.call('listTargetBuckets', { params })).toEqual({ buckets: [], total: 0, complete: true })
  const { arns } = await c.call('listArns', {})
  const arn = arns.find((each) => each.includes(account_id)) ?? ''
  const [first, second] = [await c.newBucket('a'), await c.newBucket('b')]
  for (const bucket of [first, second]) {
    const configuration = { arn, events: ['put' as const], prefix: '', suffix: '' }
    await c.call('createBucketEvent', { params: { bucket }, body: { configuration } })
  }
  const others = arns.find((each) => each.includes(':PRIMARY:')) ?? ''
  const configuration = { arn: others, events: ['put' as const], prefix: '', suffix: '' }
  await c.call('createBucketEvent', { params: { bucket: await c.newBucket('c') }, body: { configuration } })
  expect(await c.call('listTargetBuckets', { params })).toEqual({ buckets: [first, second], total: 2, complete: true })
  const caller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['admin:ServerInfo'] },
      { Effect: 'Allow', Action: ['s3:ListAllMyBuckets'], Resource: ['arn:aws:s3:::*'] },
      { Effect: 'Allow', Action: ['s3:GetBucketNotification'], Resource: [`arn:aws:s3:::${first}`] },
    ],
  })
  expect(await caller.call('listTargetBuckets', { params })).toEqual({ buckets: [first], total: 1, complete: false })
  await c.call('deleteNotificationEndpoint', { params })
})

/** Other servers test a target when it is added, and start it when they are restarted. */
describe.skipIf(inject('console').embedded)('a target of another server', () => {
  test('is tested, added and deleted, without its secrets in the history', async () => {
    const account_id = c.freshName('t').replaceAll('-', '_')
    const params = { service: 'webhook', account_id } as const
    const before = connections
    const added = await c.call('addNotificationEndpoint', {
      body: { ...params, properties: { endpoint, auth_token: 'topsecret', 'queue-limit': '10', comment: 'a b' } },
    })
    expect(added).toEqual({ ...params, properties: {}, restart: true })
    expect(connections).toBeGreaterThan(before)
    const { entries } = await c.call('listConfigHistory', {})
    expect(JSON.stringify(entries)).not.toContain('topsecret')
    expect(JSON.stringify(entries[0])).toContain('queue_limit')
    expect(await c.call('deleteNotificationEndpoint', { params })).toEqual({ restart: true })
    // Servers of 2021 answer 400.
    expect([400, 404]).toContain((await callFailure(c.call('deleteNotificationEndpoint', { params }))).status)
  })

  test('is listed, edited, tested, turned off and deleted before the restart that starts it', async () => {
    const account_id = c.freshName('t').replaceAll('-', '_')
    const params = { service: 'webhook', account_id } as const
    const name = 'notify_webhook'
    const listed = async () =>
      (await c.call('listNotificationEndpoints', {})).notification_endpoints.find(
        (each) => each.account_id === account_id,
      )
    const read = async () => {
      const { targets } = await c.call('getConfig', { params: { name } })
      return targets.find(({ target }) => target === account_id)
    }
    const valueAt = async (key: string) => (await read())?.key_values.find((each) => each.key === key)
    const set = async (key: string, value: string) => {
      const { version = '' } = (await read()) ?? {}
      const body = { key_values: [{ key, value }], arn_resource_id: account_id, version }
      await c.call('setConfig', { params: { name }, body })
    }
    await c.call('addNotificationEndpoint', {
      body: { ...params, properties: { endpoint, auth_token: 'topsecret', comment: 'a b' } },
    })
    expect(await listed()).toEqual({ ...params, status: 'not started', arn: '', waiting: true })
    expect(await valueAt('comment')).toMatchObject({ value: 'a b' })
    expect(await valueAt('auth_token')).toMatchObject({ secret: true, isSet: true })
    expect(await valueAt('client_key')).toMatchObject({ key: 'client_key' })
    expect(JSON.stringify(await read())).not.toContain('topsecret')
    await set('comment', 'c d')
    expect(await valueAt('comment')).toMatchObject({ value: 'c d' })
    expect(await valueAt('endpoint')).toMatchObject({ value: endpoint })
    expect(await c.call('testNotificationEndpoint', { params })).toMatchObject({ sent: false })
    await set('enable', 'off')
    expect(await listed()).toMatchObject({ status: 'off' })
    await set('enable', 'on')
    expect(await listed()).toMatchObject({ status: 'not started' })
    await c.call('restartService', { body: {} })
    expect(await listed()).toMatchObject({ status: expect.stringMatching(/^(online|offline)$/) })
    await c.call('deleteNotificationEndpoint', { params })
    await c.call('restartService', { body: {} })
    expect(await listed()).toBeUndefined()
  })

  test('is no longer listed after it was deleted without a restart, and again after it was added', async () => {
    const account_id = c.freshName('t').replaceAll('-', '_')
    const params = { service: 'webhook', account_id } as const
    const names = async () =>
      (await c.call('listNotificationEndpoints', {})).notification_endpoints.map((each) => each.account_id)
    await c.call('addNotificationEndpoint', { body: { ...params, properties: { endpoint } } })
    expect(await names()).toContain(account_id)
    await c.call('deleteNotificationEndpoint', { params })
    expect(await names()).not.toContain(account_id)
    await c.call('addNotificationEndpoint', { body: { ...params, properties: { endpoint } } })
    expect(await names()).toContain(account_id)
    await c.call('deleteNotificationEndpoint', { params })
  })

  test('that is unreachable is refused with the server’s message', async () => {
    const failure = await callFailure(
      c.call('addNotificationEndpoint', {
        body: { service: 'webhook', account_id: 'nobody', properties: { endpoint: 'http://127.0.0.1:9/x' } },
      }),
    )
    expect(failure.status).toBe(400)
    expect(failure.body.detailedMessage).toMatch(/connection refused|not connected to target/)
  })
})
