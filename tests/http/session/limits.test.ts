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

/** The console cuts off an address with more than 32 requests whose bodies have not arrived. */
const CONCURRENCY = 25

/** Guesses until the console requires a wait. */
async function guess(accessKey: string, address: string): Promise<CallFailure> {
  for (let n = 0; n < 20; n++) {
    const failure = await refused({ accessKey, secretKey: `wrong-guess-${n}` }, address)
    if (failure.status === 429) return failure
  }
  throw new Error('the console let every guess pass')
}

test('a guesser must wait; the owner elsewhere, and others at the same address, need not', async () => {
  const [owner, other] = [await c.newUser(nothing), await c.newUser(nothing)]
  const wait = await guess(owner.accessKey, '192.0.2.7')
  expect(Number(wait.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await signIn(owner, '192.0.2.7')).status).toBe(429)
  expect((await signIn(owner, '192.0.2.8')).status).toBe(201)
  expect((await signIn(other, '192.0.2.7')).status).toBe(201)
})

// The limiter's own test makes 10,000 of them (apps/server/src/areas/session/sign-in/sign-in-limiter.test.ts).
test('of many guesses nearly all are refused untried, and the owner signs in meanwhile', async () => {
  const owner = await c.newUser(nothing)
  const [addresses, each] = [5, 200]
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
    const tried = statuses.filter((status) => status !== '429')
    expect(new Set(tried)).toEqual(new Set(['401']))
    // Five at first, then one after 1, 2, 4 … seconds.
    expect(tried.length).toBeGreaterThanOrEqual(5)
    expect(tried.length).toBeLessThan(14)
  }
  expect((await signIn(owner, '192.0.2.31')).status).toBe(201)
  expect(c.output()).not.toContain('wrong-guess')
})

/** Sends requests over one connection, a few at once. Returns the status of each. */
async function sendAll(requests: readonly string[]): Promise<string[]> {
  const { hostname, port } = new URL(c.url)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  const chunks = socket[Symbol.asyncIterator]()
  const statuses: string[] = []
  for (let sent = 0; sent < requests.length; sent += CONCURRENCY) {
    const batch = requests.slice(sent, sent + CONCURRENCY)
    socket.write(batch.join(''))
    let answers = ''
    let found: string[] = []
    while (found.length < batch.length) {
      const chunk = await chunks.next()
      if (chunk.done) throw new Error('the console has closed the connection')
      answers += chunk.value
      found = [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status = '']) => status)
    }
    statuses.push(...found)
  }
  socket.destroy()
  return statuses
}

test('addresses of one IPv6 network count as one', async () => {
  const owner = await c.newUser(nothing)
  await guess(owner.accessKey, '2001:db8:1:2::1')
  expect((await signIn(owner, '2001:db8:1:2:ffff::1')).status).toBe(429)
  expect((await signIn(owner, '2001:db8:1:3::1')).status).toBe(201)
})

test('a browser that has signed in before is not locked out by guesses from its own address', async () => {
  const owner = await c.newUser(nothing)
  const page = { 'sec-fetch-site': 'same-origin' }
  const first = await signIn(owner, '192.0.2.9', page)
  const cookies = first.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '')
  const device = cookies.find((cookie) => cookie.startsWith('stowage-device-')) ?? ''
  await guess(owner.accessKey, '192.0.2.9')
  expect((await signIn(owner, '192.0.2.9', page)).status).toBe(429)
  expect((await signIn(owner, '192.0.2.9', { ...page, cookie: device })).status).toBe(201)
  // The cookie is not a session, is valid for this key only, and does not exempt its own guesses.
  expect((await c.anonymous().send('getSession', {}, { headers: { cookie: device } })).status).toBe(401)
  const asSession = device.replace('stowage-device', 'stowage')
  expect((await c.anonymous().send('getSession', {}, { headers: { cookie: asSession } })).status).toBe(401)
  const other = await c.newUser(nothing)
  await guess(other.accessKey, '192.0.2.9')
  expect((await signIn(other, '192.0.2.9', { ...page, cookie: device })).status).toBe(429)
  const guesses = []
  for (let n = 0; n < 6; n++) {
    const answer = await signIn({ ...owner, secretKey: 'wrong-guess' }, '192.0.2.9', { ...page, cookie: device })
    guesses.push(answer.status)
  }
  expect(guesses).toEqual([401, 401, 401, 401, 401, 429])
})

test('parallel guesses get no more answers than sequential ones', async () => {
  const { accessKey } = await c.newUser(nothing)
  const tries = Array.from({ length: 40 }, () => refused({ accessKey, secretKey: 'wrong-guess' }))
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(35)
})

test('a guess counts although its sender does not wait for the answer', async () => {
  const owner = await c.newUser(nothing)
  const body = JSON.stringify({ accessKey: owner.accessKey, secretKey: 'wrong-guess' })
  const headers = { ...from('192.0.2.11'), 'content-type': 'application/json', 'content-length': `${body.length}` }
  const ended = () => c.output().split('POST /api/v1/login ').length
  const before = ended()
  for (let n = 0; n < 6; n++) {
    const request = slowRequest(`${c.url}/api/v1/login`, 'POST', headers)
    await request.send(body)
    request.leave()
  }
  await expect.poll(ended).toBe(before + 6)
  expect((await signIn(owner, '192.0.2.11')).status).toBe(429)
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
