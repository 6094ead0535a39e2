import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const allow = (...Action: string[]) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action, Resource: ['arn:aws:s3:::*'] }],
})
const allowAdmin = (...Action: string[]) => ({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action }] })

test('root sees every page, and the flags are returned [LGN-16]', async () => {
  const session = await c.call('getSession', {})
  expect(session).toMatchObject({ status: 'ok', operator: false, distributedMode: true, features: expect.any(Array) })
  expect(session.pages).toEqual(
    expect.arrayContaining(['/buckets', '/buckets/*', '/users/:userName+', '/dashboard', '/object-browser/:bucket/*']),
  )
})

test('the session has the name of the storage server, and its address for other tools', async () => {
  const { server, endpoint } = await c.call('getSession', {})
  expect([server, endpoint]).toEqual([new URL(c.serverUrl).host, new URL(c.serverUrl).origin])
})

test('without rights only pages that need none are listed [SHL-03]', async () => {
  const caller = await c.signInWith(allow('s3:PutObject'))
  const { pages } = await caller.call('getSession', {})
  expect(pages).toContain('/object-browser')
  expect(pages).not.toContain('/buckets')
  expect(pages).not.toContain('/users')
})

test('wildcards open pages and Deny closes them [SHL-03]', async () => {
  const wild = await c.signInWith(allow('s3:*'))
  expect((await wild.call('getSession', {})).pages).toContain('/buckets')
  const denied = await c.signInWith({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['admin:*'] },
      { Effect: 'Deny', Action: ['admin:ServerTrace'] },
    ],
  })
  const { pages } = await denied.call('getSession', {})
  expect(pages).toContain('/logs')
  expect(pages).not.toContain('/trace')
})

test('has-permission answers in order, with wildcards, Deny and the bucket [SHL-38]', async () => {
  const caller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::open-*'] },
      { Effect: 'Deny', Action: ['s3:DeleteBucket'], Resource: ['arn:aws:s3:::*'] },
    ],
  })
  const response = await caller.send('hasPermission', {
    body: {
      actions: [
        { id: 'z', action: 's3:GetObject', bucket_name: 'open-1' },
        { id: 'a', action: 's3:GetObject', bucket_name: 'closed' },
        { id: 'd', action: 's3:DeleteBucket', bucket_name: 'open-1' },
        { id: 'n', action: 'admin:ServerInfo' },
      ],
    },
  })
  expect(response.status).toBe(201)
  expect(await response.json()).toEqual({
    permissions: [
      { id: 'z', can: true, sure: true },
      // The caller cannot read the policy of this bucket, which could allow it.
      { id: 'a', can: false, sure: false },
      { id: 'd', can: false, sure: true },
      { id: 'n', can: false, sure: true },
    ],
  })
})

test('has-permission predicts the decision of the connected server about a bucket action on b/* [SHL-38]', async () => {
  const bucket = await c.newBucket()
  const caller = await c.signInWith({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:*'], Resource: [`arn:aws:s3:::${bucket}/*`] }],
  })
  const actions = [{ id: '1', action: 's3:DeleteBucket', bucket_name: bucket }]
  const { permissions } = await caller.call('hasPermission', { body: { actions } })
  const answer = await caller.send('deleteBucket', { params: { bucket } })
  expect(permissions[0]?.can).toBe(answer.status !== 403)
})

test('admin info has servers and drives if the caller may read them', async () => {
  const info = await c.call('getAdminInfo', {})
  expect(info.servers[0]?.drives.length).toBeGreaterThanOrEqual(1)
  expect(info.servers[0]?.drives.every((drive) => drive.totalSpace > 0)).toBe(true)
  const caller = await c.signInWith(allowAdmin('admin:ServerTrace'))
  expect((await caller.send('getAdminInfo', {})).status).toBe(403)
})

const question = (more: object = {}) => ({ id: 'x', action: 's3:GetObject', ...more })
test.each([
  ['a long action', { actions: [question({ action: `s3:${'a'.repeat(200)}` })] }, 'actions.0.action'],
  ['a long bucket', { actions: [question({ bucket_name: 'a'.repeat(300) })] }, 'actions.0.bucket_name'],
  ['a long folder', { actions: [question({ prefix: 'a'.repeat(1025) })] }, 'actions.0.prefix'],
  ['too many questions', { actions: Array.from({ length: 1001 }, () => question()) }, 'actions'],
  ['too much to explain', { actions: Array.from({ length: 101 }, () => question()), explain: true }, 'actions'],
])('has-permission refuses %s, naming the field', async (_name, body, field) => {
  const failure = await callFailure(c.call('hasPermission', { body }))
  expect([failure.status, failure.body.field]).toEqual([400, field])
})
