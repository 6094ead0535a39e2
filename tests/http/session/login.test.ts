import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import { startConsole } from '../../support/console/start-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('the strategy is form, with no redirect [LGN-01]', async () => {
  const strategy = await c.anonymous().call('getLoginStrategy', {})
  expect(strategy).toMatchObject({ loginStrategy: 'form', redirect: '' })
})

test('before sign-in only the host of the storage server is shown, not its version', async () => {
  const version = (await c.call('getAdminInfo', {})).servers[0]?.version ?? ''
  expect(version).not.toBe('')
  const response = await c.anonymous().send('getLoginStrategy', {})
  const text = await response.text()
  expect(JSON.parse(text)).toMatchObject({ server: new URL(c.serverUrl).host })
  expect(`${[...response.headers].join()} ${text}`).not.toContain(version)
})

test('a right key answers 201, the session and the sealed cookie [LGN-14]', async () => {
  const response = await c.anonymous().send('login', { body: { accessKey: c.rootUser, secretKey: c.rootPassword } })
  expect(response.status).toBe(201)
  expect(await response.json()).toMatchObject({ sessionId: expect.stringMatching(/.{40,}/) })
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith('token='))
  expect(cookie).toMatch(/; HttpOnly/i)
  expect(cookie).toMatch(/; SameSite=Strict/i)
  expect(cookie).not.toContain(c.rootPassword)
})

test('a browser gets an opaque session id: the credentials stay in the cookie', async () => {
  const body = { accessKey: c.rootUser, secretKey: c.rootPassword }
  const response = await c.anonymous().send('login', { body }, { headers: { 'sec-fetch-site': 'same-origin' } })
  const { sessionId } = (await response.json()) as { sessionId: string }
  const asBearer = await c.anonymous().send('getSession', {}, { headers: { authorization: `Bearer ${sessionId}` } })
  expect(asBearer.status).toBe(401)
})

test.each([
  ['a wrong secret', (t: TestTarget) => ({ accessKey: t.rootUser, secretKey: 'wrong-secret-1' })],
  ['an unknown key', () => ({ accessKey: 'nobody-here', secretKey: 'whatever-1' })],
  ['a key with odd characters', () => ({ accessKey: 'a/b c\u202e😀', secretKey: 'whatever-1' })],
])('%s is refused with 401 and a message [LGN-14]', async (_, body) => {
  const failure = await callFailure(c.anonymous().call('login', { body: body(c) }))
  expect(failure.status).toBe(401)
  expect(failure.body.message).toBe('invalid Login')
  expect(failure.body.detailedMessage).not.toBe('')
})

test('an unknown key and a wrong secret get the same answer', async () => {
  const answerTo = async (body: { accessKey: string; secretKey: string }) => {
    const response = await c.anonymous().send('login', { body })
    const { requestId } = (await response.clone().json()) as { requestId: string }
    const text = (await response.text()).replaceAll(requestId, '')
    const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
    return { status: response.status, text, headers }
  }
  const { accessKey } = await c.newUser({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:ListAllMyBuckets'], Resource: ['arn:aws:s3:::*'] }],
  })
  const unknown = await answerTo({ accessKey: 'nobody-at-all', secretKey: 'whatever-1' })
  expect(unknown.status).toBe(401)
  expect(await answerTo({ accessKey, secretKey: 'whatever-1' })).toEqual(unknown)
  expect(await answerTo({ accessKey: 'not in ASCII: é', secretKey: 'whatever-1' })).toEqual(unknown)
})

test.each([
  ['an empty key', { accessKey: '', secretKey: 'x' }, 'accessKey'],
  ['an empty secret', { accessKey: 'x', secretKey: '' }, 'secretKey'],
  ['a huge secret', { accessKey: 'x', secretKey: 'y'.repeat(5000) }, 'secretKey'],
  ['a missing secret', { accessKey: 'x' } as never, 'secretKey'],
])('%s is refused, naming the field', async (_, body, field) => {
  const failure = await callFailure(c.anonymous().call('login', { body }))
  expect(failure.status).toBe(400)
  expect(failure.body.field).toBe(field)
  expect(failure.body.message).toContain(field)
})

test('a JWT is refused by a console that is not in operator mode, saying what to use instead', async () => {
  const failure = await callFailure(c.anonymous().call('loginOperator', { body: { jwt: 'a.b.c' } }))
  expect(failure.status).toBe(401)
  expect(failure.body).toMatchObject({
    message: 'invalid Login',
    detailedMessage: expect.stringContaining('not in operator mode'),
  })
})

test.each([{}, { jwt: '' }, { jwt: 7 }])('an operator sign-in with %j is refused, naming the field', async (body) => {
  const failure = await callFailure(c.anonymous().call('loginOperator', { body: body as never }))
  expect([failure.status, failure.body.field]).toEqual([400, 'jwt'])
})

test('after logout the session is refused, in a copied cookie too [LGN-20]', async () => {
  const caller = await c.signIn(c.rootUser, c.rootPassword)
  expect((await caller.send('getSession', {})).status).toBe(200)
  const response = await caller.send('logout', {}, { headers: { cookie: `token=${caller.session}` } })
  expect(response.status).toBe(200)
  expect(response.headers.getSetCookie().join()).toMatch(/token=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/i)
  expect((await caller.send('getSession', {})).status).toBe(401)
})

const session = () => (c.root.session ?? '') as string
test.each([
  ['none', () => undefined],
  ['empty', () => ''],
  ['garbage', () => 'garbage'],
  ['truncated', () => session().slice(0, -10)],
  ['with a flipped character', () => session().replace(/.(?=.{30}$)/, (x) => (x === 'A' ? 'B' : 'A'))],
  ['very long', () => 'A'.repeat(40_000)],
])('a session that is %s is answered 401', async (_, token) => {
  const value = token()
  for (const headers of [{ authorization: `Bearer ${value}` }, { cookie: `token=${value}` }] as Record<
    string,
    string
  >[]) {
    const response = await c.anonymous().send('getSession', {}, { headers: value === undefined ? {} : headers })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 401, message: expect.any(String) })
  }
})

test('a wrong Bearer does not cost the session in the cookie', async () => {
  const headers = { authorization: 'Bearer wrong', cookie: `token=${session()}` }
  const response = await c.anonymous().send('getSession', {}, { headers })
  expect([response.status, response.headers.getSetCookie()]).toEqual([401, []])
})

test('a session of another key is answered 401', async () => {
  await using other = await startConsole({ env: { STOWAGE_SECRET: 'another secret of at least some length' } })
  const response = await other.anonymous().send('getSession', {}, { headers: { authorization: `Bearer ${session()}` } })
  expect(response.status).toBe(401)
})

test('two consoles with one secret accept each other’s sessions', async () => {
  const env = { STOWAGE_SECRET: 'a shared secret of at least some length', STOWAGE_SERVER: c.serverUrl }
  await using a = await startConsole({ env })
  await using b = await startConsole({ env })
  const headers = { authorization: `Bearer ${a.root.session}` }
  expect((await b.anonymous().send('getSession', {}, { headers })).status).toBe(200)
})

test('an unreachable storage server is reported as such, not as a wrong password', async () => {
  await using own = await startConsole({ env: { STOWAGE_SERVER: 'http://127.0.0.1:1' }, signIn: false })
  const failure = await callFailure(own.anonymous().call('login', { body: { accessKey: 'x', secretKey: 'yyyyyyyy' } }))
  expect([502, 503]).toContain(failure.status)
})
