import { beforeAll, expect, test } from 'vitest'
import { Sealer } from '../../../apps/server/src/areas/session/sealed-sessions/sealer.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

/* A browser sends the cookies of a host to all its ports, and a page on any of them can add some. */

let c: TestTarget
let own: string
let session: string
let another: string
let atTls: TestConsole
let belowTls: TestConsole
const SECRET = 'a secret that this test seals with too'
beforeAll(async () => {
  c = await sharedConsole()
  own = `stowage-${new URL(c.url).port}`
  session = c.root.session ?? ''
  const user = await c.signInWith({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Deny', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] }],
  })
  another = user.session ?? ''
  const env = { STOWAGE_SERVER: c.serverUrl, STOWAGE_SECRET: SECRET }
  const start = async (url: string) => await startConsole({ env: { ...env, STOWAGE_PUBLIC_URL: url } })
  ;[atTls, belowTls] = await Promise.all([start('https://s3.example/'), start('https://s3.example/console/')])
  return async () => {
    for (const each of [atTls, belowTls]) await each[Symbol.asyncDispose]()
  }
})

const BROWSERS = [{ 'sec-fetch-site': 'same-origin' }, { origin: 'http://h' }, { referer: 'http://h/buckets' }]

const signIn = (headers: Record<string, string>, to: TestTarget = c) =>
  to.anonymous().send('login', { body: { accessKey: to.rootUser, secretKey: to.rootPassword } }, { headers })

interface Answer {
  status: number
  user: string | undefined
  /** Returns the names of the expired cookies, at the base path and elsewhere. */
  expired: string[]
  elsewhere: string[]
}

async function ask(cookie: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await c.anonymous().send('getSession', {}, { headers: { cookie, ...headers } })
  const { user } = (await response.json()) as { user?: string }
  const gone = response.headers.getSetCookie().filter((line) => line.includes('Max-Age=0'))
  const names = (lines: string[]) => [...new Set(lines.map((line) => line.split('=', 1)[0] ?? ''))].sort()
  const atBase = (line: string) => line.includes('; Path=/;')
  return {
    status: response.status,
    user,
    expired: names(gone.filter(atBase)),
    elsewhere: names(gone.filter((line) => !atBase(line))),
  }
}

test('a script gets the cookie of the specification, a browser one that names the port', async () => {
  const names = (response: Response) => response.headers.getSetCookie().map((line) => line.split('=', 1)[0])
  expect(names(await signIn({}))).toEqual(['token'])
  const origin = { origin: new URL(c.url).origin }
  const device = own.replace('stowage', 'stowage-device')
  expect(names(await signIn(origin))).toEqual([own, device])
  expect(names(await signIn({ 'sec-fetch-site': 'same-origin' }))).toEqual([own, device])
})

test('under TLS no other host, no longer path and no page without TLS can set a browser’s cookie', async () => {
  const signedIn = async (to: TestTarget) => {
    const [line = ''] = (await signIn({ 'sec-fetch-site': 'same-origin' }, to)).headers.getSetCookie()
    const headers = { cookie: line.split(';', 1)[0] ?? '', 'sec-fetch-site': 'same-origin' }
    expect((await to.anonymous().send('getSession', {}, { headers })).status).toBe(200)
    return line.replace(/=[\w.-]+;/, '=…;').replace(/\d+/g, '0')
  }
  expect(await signedIn(atTls)).toBe('__Host-stowage-0=…; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict')
  expect(await signedIn(belowTls)).toMatch(
    /^__Secure-stowage-0-\w+=…; Path=\/console\/; Max-Age=0; HttpOnly; Secure; SameSite=Strict$/,
  )
})

test('the plain cookie signs scripts in and no browser', async () => {
  expect(await ask(`token=${session}`)).toMatchObject({ status: 200, user: c.rootUser })
  for (const headers of BROWSERS)
    expect(await ask(`token=${session}`, headers)).toMatchObject({ status: 401, expired: ['token'] })
  expect(await ask(`${own}=${session}`, BROWSERS[0])).toMatchObject({ status: 200, user: c.rootUser })
})

test.each([
  ['the plain one beside its own', () => `token=${another}; ${own}=${session}`],
  ['its own twice, the planted one first', () => `${own}=${another}; ${own}=${session}`],
  ['its own twice, the planted one last', () => `${own}=${session}; ${own}=planted`],
])('a request with two sessions is refused, and the planted one is expired: %s', async (_name, cookie) => {
  for (const headers of [{}, ...BROWSERS]) {
    const answer = await ask(cookie(), headers)
    expect(answer.status).toBe(401)
    // The console's own cookie is kept, so that the next request is signed in again.
    expect(answer.expired).not.toContain(own)
    expect([...answer.expired, ...answer.elsewhere]).toContain(cookie().split('=', 1)[0])
  }
})

test('a script that sends the plain cookie twice is refused', async () => {
  expect((await ask(`token=${session}; token=${another}`)).status).toBe(401)
})

test('consoles of other ports, and other programs with a token, do not interfere', async () => {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const others = 'token=bWluaW8tY29uc29sZQ==; stowage-1=s1.00000000.AAAA; stowage-1.1=x; stowage-10-0a1b2c3d=y'
  expect(await ask(`${others}; ${own}=${session}`, headers)).toEqual({
    status: 200,
    user: c.rootUser,
    expired: [],
    elsewhere: [],
  })
  // Theirs are not expired either if a session of this console has ended or there is none.
  expect(await ask(`${others}; ${own}=ended`, headers)).toMatchObject({ status: 401, expired: [own], elsewhere: [] })
  expect(await ask(others, headers)).toMatchObject({ status: 401, expired: [], elsewhere: [] })
})

test('a session of more than 4 KB is split into cookies, which are all expired with it', async () => {
  const sealer = new Sealer([SECRET])
  const opened = JSON.parse(sealer.open(belowTls.root.session ?? '') ?? '')
  // Other storage servers issue session tokens of this length.
  const sealed = sealer.seal(JSON.stringify({ ...opened, id: 'x'.repeat(9000) }))
  const [line = ''] = (await signIn({ 'sec-fetch-site': 'same-origin' }, belowTls)).headers.getSetCookie()
  const [name = ''] = line.split('=', 1)
  const pieces = [0, 3800, 7600, 11400].map((at) => sealed.slice(at, at + 3800)).filter(Boolean)
  const cookie = pieces.map((piece, i) => `${i === 0 ? name : `${name}.${i}`}=${piece}`).join('; ')
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  expect((await belowTls.anonymous().send('getSession', {}, { headers })).status).toBe(200)
  const out = await belowTls.anonymous().send('logout', {}, { headers })
  expect([out.status, out.headers.getSetCookie().length]).toEqual([200, 4])
})

test('sign-in expires cookies of an older console', async () => {
  const lines = (
    await signIn({ origin: new URL(c.url).origin, cookie: `token=${another}; token.1=x; ${own}.1=y` })
  ).headers.getSetCookie()
  expect(lines.map((line) => line.slice(0, line.indexOf('=') + 3))).toEqual([
    `${own}=s1`,
    `${own}.1=; `,
    'token=; ',
    'token.1=; ',
    `${own.replace('stowage', 'stowage-device')}=s1`,
  ])
})

test('sign-out expires a browser’s cookie', async () => {
  const response = await signIn({ origin: new URL(c.url).origin })
  const [cookie = ''] = response.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '')
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const out = await c.anonymous().send('logout', {}, { headers })
  expect([out.status, out.headers.getSetCookie()]).toEqual([
    200,
    [`${own}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`],
  ])
  expect((await c.anonymous().send('getSession', {}, { headers })).status).toBe(401)
})
