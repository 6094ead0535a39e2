import { once } from 'node:events'
import { connect } from 'node:net'
import { assumeRole } from '@stowage/madmin'
import { beforeAll, expect, test } from 'vitest'
import { type CallFailure, callFailure } from '../../support/console/caller.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import type { TestCredentials } from '../../support/console/test-target.ts'
import { slowRequest } from '../../support/network/slow-request.ts'

/* Limits for anonymous callers: guessing, flooding, and probing for keys. */

let c: TestConsole
beforeAll(async () => {
  c = await startConsole({ env: { STOWAGE_TRUST_PROXY: 'on' } })
  return async () => await c[Symbol.asyncDispose]()
})

const nothing = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Deny', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] }],
}
const from = (address: string) => ({ 'x-forwarded-for': address })

const signIn = (body: TestCredentials, address: string, headers: Record<string, string> = {}) =>
  c.anonymous().send('login', { body }, { headers: { ...from(address), ...headers } })
const refused = (body: TestCredentials, address = '192.0.2.1') =>
  callFailure(c.anonymous().call('login', { body }, { headers: from(address) }))

/** Guesses all at once, which is more than the console tries before it holds them. */
async function guess(accessKey: string, address: string, headers: Record<string, string> = {}): Promise<CallFailure[]> {
  const all = Array.from({ length: 12 }, (_, n) => {
    const body = { accessKey, secretKey: `wrong-guess-${n}` }
    return callFailure(c.anonymous().call('login', { body }, { headers: { ...from(address), ...headers } }))
  })
  return await Promise.all(all)
}

/** How long a sign-in took, ms. */
async function signInMs(answer: Promise<Response>): Promise<number> {
  const begun = performance.now()
  expect((await answer).status).toBe(201)
  return performance.now() - begun
}

test('guesses are held, then refused; the owner is not refused, and others at the address need not wait', async () => {
  const [owner, other] = [await c.newUser(nothing), await c.newUser(nothing)]
  const guesses = await guess(owner.accessKey, '192.0.2.7')
  const refusals = guesses.filter(({ status }) => status === 429)
  expect(refusals).toHaveLength(4)
  expect(Number(refusals[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  const held = signInMs(signIn(owner, '192.0.2.7'))
  expect(await signInMs(signIn(owner, '192.0.2.8'))).toBeLessThan(1000)
  expect(await signInMs(signIn(other, '192.0.2.7'))).toBeLessThan(1000)
  expect(await held).toBeGreaterThan(1000)
})

test("each spelling of root's name counts as one, and root's right secret key is still accepted", async () => {
  const { rootUser } = c
  const spellings = [
    rootUser.toUpperCase(),
    ` ${rootUser}`,
    `${rootUser}\u00a0`,
    `${rootUser.slice(0, 1).toUpperCase()}${rootUser.slice(1)}`,
  ]
  const guesses = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      refused({ accessKey: spellings[n % spellings.length] ?? '', secretKey: `wrong-guess-${n}` }, '192.0.2.40'),
    ),
  )
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(4)
  expect((await signIn({ accessKey: rootUser, secretKey: c.rootPassword }, '192.0.2.40')).status).toBe(201)
})

// The limiter's own test makes thousands (packages/object-store/src/requests/guess-limiter.test.ts).
test('of many guesses nearly all are refused untried, and the owner signs in meanwhile', async () => {
  const owner = await c.newUser(nothing)
  const [addresses, each] = [4, 25]
  const guesses = Array.from({ length: addresses }, (_, address) =>
    Array.from({ length: each }, (_, n) => {
      const body = JSON.stringify({ accessKey: owner.accessKey, secretKey: `wrong-guess-${n}` })
      const head = `POST /api/v1/login HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.${address}\r\n`
      return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    }),
  )
  const attack = guesses.map(sendAll)
  expect((await signIn(owner, '192.0.2.30')).status).toBe(201)
  for (const statuses of await Promise.all(attack)) {
    expect(statuses).toHaveLength(each)
    // Five at first, and three that are held.
    expect(statuses.filter((status) => status === '401')).toHaveLength(8)
    expect(statuses.filter((status) => status === '429')).toHaveLength(each - 8)
  }
  expect((await signIn(owner, '192.0.2.31')).status).toBe(201)
  expect(c.output()).not.toContain('wrong-guess')
})

/** Sends requests over one connection, all at once. Returns the status of each. */
async function sendAll(requests: readonly string[]): Promise<string[]> {
  const { hostname, port } = new URL(c.url)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  socket.write(requests.join(''))
  let answers = ''
  let found: string[] = []
  for await (const chunk of socket as AsyncIterable<string>) {
    answers += chunk
    found = [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status = '']) => status)
    if (found.length === requests.length) break
  }
  socket.destroy()
  return found
}

test('addresses of one IPv6 network count as one', async () => {
  const owner = await c.newUser(nothing)
  await guess(owner.accessKey, '2001:db8:1:2::1')
  const held = signInMs(signIn(owner, '2001:db8:1:2:ffff::1'))
  expect(await signInMs(signIn(owner, '2001:db8:1:3::1'))).toBeLessThan(1000)
  expect(await held).toBeGreaterThan(1000)
})

test('a browser that has signed in before is not locked out by guesses from its own address', async () => {
  const owner = await c.newUser(nothing)
  const page = { 'sec-fetch-site': 'same-origin' }
  const first = await signIn(owner, '192.0.2.9', page)
  const cookies = first.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '')
  const device = cookies.find((cookie) => cookie.startsWith('stowage-device-')) ?? ''
  await guess(owner.accessKey, '192.0.2.9')
  expect(await signInMs(signIn(owner, '192.0.2.9', { ...page, cookie: device }))).toBeLessThan(1000)
  // The cookie is not a session, is valid for this key only, and does not exempt its own guesses.
  expect((await c.anonymous().send('getSession', {}, { headers: { cookie: device } })).status).toBe(401)
  const asSession = device.replace('stowage-device', 'stowage')
  expect((await c.anonymous().send('getSession', {}, { headers: { cookie: asSession } })).status).toBe(401)
  const other = await c.newUser(nothing)
  await guess(other.accessKey, '192.0.2.9')
  const held = signInMs(signIn(other, '192.0.2.9', { ...page, cookie: device }))
  const guesses = await guess(owner.accessKey, '192.0.2.9', { ...page, cookie: device })
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(4)
  expect(await held).toBeGreaterThan(1000)
})

test('parallel guesses get no more answers than sequential ones', async () => {
  const { accessKey } = await c.newUser(nothing)
  const tries = Array.from({ length: 40 }, () => refused({ accessKey, secretKey: 'wrong-guess' }))
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  // Five at first, and three that are held.
  expect(statuses.filter((status) => status === 401)).toHaveLength(8)
  expect(statuses.filter((status) => status === 429)).toHaveLength(32)
})

test('a guess counts although its sender does not wait for the answer', async () => {
  const owner = await c.newUser(nothing)
  const body = JSON.stringify({ accessKey: owner.accessKey, secretKey: 'wrong-guess' })
  const headers = { ...from('192.0.2.11'), 'content-type': 'application/json', 'content-length': `${body.length}` }
  const ended = () => c.output().split('POST /api/v1/login ').length
  const before = ended()
  for (let n = 0; n < 5; n++) {
    const request = slowRequest(`${c.url}/api/v1/login`, 'POST', headers)
    await request.send(body)
    request.leave()
  }
  await expect.poll(ended).toBe(before + 5)
  // The pause after five wrong guesses is 0.5 s.
  expect(await signInMs(signIn(owner, '192.0.2.11'))).toBeGreaterThan(450)
})

ownStore.test('a refusal does not tell whether the key is known, by its words or by its time', async () => {
  const user = await c.newUser(nothing)
  const [disabled, owner] = [await c.newUser(nothing), await c.newUser(nothing)]
  await c.madmin.setUserStatus(disabled.accessKey, 'disabled')
  const region = 'us-east-1'
  const { credentials: temporary } = await assumeRole({ endpoint: c.serverUrl, credentials: owner, region }, {})
  const cases = {
    'an unknown key': { accessKey: 'nobody-here', secretKey: 'whatever-1' },
    'a wrong secret': { ...user, secretKey: 'whatever-1' },
    'a disabled user': disabled,
    'a disabled user with a wrong secret': { ...disabled, secretKey: 'whatever-1' },
    'temporary credentials': { accessKey: temporary.accessKey, secretKey: temporary.secretKey },
    'a key that no server can have': { accessKey: 'a/b c\u202e😀', secretKey: 'whatever-1' },
  }
  const refusals = new Map<string, unknown>()
  for (const [name, body] of Object.entries(cases)) {
    const begun = performance.now()
    const { status, headers, body: answer } = await refused(body, '192.0.2.12')
    expect(performance.now() - begun, name).toBeGreaterThanOrEqual(99)
    const { requestId: _, ...text } = answer
    const names = [...headers.keys()].filter((header) => header !== 'x-request-id')
    refusals.set(name, { status, text, names })
  }
  for (const [name, answer] of refusals) expect(answer, name).toEqual(refusals.get('a wrong secret'))
})

test('incomplete bodies from one address block nobody, not even at the same address', async () => {
  const { hostname, port } = new URL(c.url)
  const head =
    'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.20\r\nContent-Type: application/json\r\n'
  const half = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {}).resume()
      await once(socket, 'connect')
      const closed = once(socket, 'close')
      socket.write(`${head}Content-Length: 500\r\n\r\n{`)
      return { socket, closed }
    }),
  )
  const owner = { accessKey: c.rootUser, secretKey: c.rootPassword }
  for (const address of ['192.0.2.20', '192.0.2.21']) expect((await signIn(owner, address)).status).toBe(201)
  // The oldest are aborted, because the number per address is limited.
  await Promise.all(half.slice(0, 60).map(({ closed }) => closed))
  for (const { socket } of half) socket.destroy()
})

test('the body of a sign-in is limited in size', async () => {
  const body = { accessKey: 'x', secretKey: 'y'.repeat(20_000) }
  expect((await refused(body)).status).toBe(413)
  expect((await callFailure(c.anonymous().call('loginOperator', { body: { jwt: 'x'.repeat(100_000) } }))).status).toBe(
    413,
  )
})

test('settings that could be better cause one warning: an address that is not trusted, a short passphrase', async () => {
  const env = { STOWAGE_SERVER: c.serverUrl, CONSOLE_PBKDF_PASSPHRASE: 'SECRET' }
  await using other = await startConsole({ env })
  for (let n = 0; n < 3; n++) await fetch(`${other.url}/healthz`, { headers: from('192.0.2.1') })
  const warnings = () =>
    other
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":40'))
  await expect.poll(warnings).toHaveLength(2)
  expect(warnings()[0]).toMatch(/CONSOLE_PBKDF_PASSPHRASE has fewer than 16 characters.* STOWAGE_SECRET/)
  expect(warnings()[1]).toMatch(/X-Forwarded-For is not trusted.*STOWAGE_TRUST_PROXY/)
  expect(c.output()).not.toContain('X-Forwarded-For is not trusted')
})
