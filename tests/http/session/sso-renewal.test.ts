import { afterAll, beforeAll, expect } from 'vitest'
import { Sealer } from '../../../apps/server/src/areas/session/sealed-sessions/sealer.ts'
import type { StsSession } from '../../../apps/server/src/lib/session/session-payload.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startSsoConsole } from '../../support/console/sso-console.ts'
import type { TestConsole } from '../../support/console/start-console.ts'
import type { TestProvider } from '../../support/sign-in/oidc-provider.ts'
import { signInAtProvider } from '../../support/sign-in/provider-sign-in.ts'

const SECRET = 'a-secret-that-only-this-test-has'
const sealer = new Sealer([SECRET])

let provider: TestProvider
let c: TestConsole
beforeAll(async () => {
  ;({ provider, console: c } = await startSsoConsole({
    STOWAGE_SECRET: SECRET,
    STOWAGE_SESSION_HOURS: '8',
    CONSOLE_IDP_SCOPES: 'openid,offline_access',
    CONSOLE_IDP_END_SESSION_ENDPOINT: 'on',
  }))
})
afterAll(async () => {
  await c[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

const opened = (sealed: string) => JSON.parse(sealer.open(sealed) ?? '{}') as StsSession
const bearer = (sealed: string) => ({ headers: { authorization: `Bearer ${sealed}` } })

async function signIn(user: string): Promise<string> {
  const { sent, cookie } = await signInAtProvider(`${c.url}/api/v1/login/oauth2/start/main`, user)
  return (await c.anonymous().call('loginOauth2', { body: sent }, { headers: { cookie } })).sessionId
}

/** The session as it is a second before its credentials end: the shortest that STS gives would take a test 15 minutes. */
function aged(sealed: string, change: Partial<StsSession> = {}): string {
  const session = opened(sealed)
  if (!session.renewal) throw new Error('the session cannot be renewed')
  return sealer.seal(
    JSON.stringify({ ...session, renewal: { ...session.renewal, tokenExpires: Date.now() + 1000 }, ...change }),
  )
}

ownStore.test('a session outlives its credentials: the provider renews them, once for requests at once', async () => {
  const sealed = await signIn('anna')
  const { expires, renewal } = opened(sealed)
  expect((renewal?.tokenExpires ?? 0) - Date.now()).toBeLessThanOrEqual(3_600_000)
  expect(expires - Date.now()).toBeGreaterThan(7 * 3_600_000)
  const old = aged(sealed)
  const before = provider.renewed()
  const answers = await Promise.all([1, 2, 3].map(() => c.anonymous().send('getSession', {}, bearer(old))))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(provider.renewed()).toBe(before + 1)
})

ownStore.test('a browser gets the renewed session as its cookie, and new keys in it', async () => {
  const sealed = await signIn('bert')
  const { port } = new URL(c.url)
  const headers = { cookie: `stowage-${port}=${aged(sealed)}`, 'sec-fetch-site': 'same-origin' }
  const answer = await fetch(`${c.url}/api/v1/session`, { headers })
  expect(answer.status).toBe(200)
  const [, value = ''] = /^stowage-\d+=([^;]+)/.exec(answer.headers.getSetCookie()[0] ?? '') ?? []
  const [one, other] = [opened(sealed), opened(value)]
  expect([other.id, other.user, other.expires]).toEqual([one.id, one.user, one.expires])
  expect(other.accessKey).not.toBe(one.accessKey)
  expect((await c.anonymous().call('getSession', {}, bearer(value))).user).toBe('bert@example.com')
})

ownStore.test(
  'a user whom the provider refuses is signed out, and so is a session that is of somebody else',
  async () => {
    const [refused, foreign] = [await signIn('carl'), await signIn('dora')]
    provider.block('carl')
    expect((await c.anonymous().send('getSession', {}, bearer(aged(refused)))).status).toBe(401)
    const made = aged(foreign, { subject: 'emil' })
    expect((await c.anonymous().send('getSession', {}, bearer(made))).status).toBe(401)
  },
)

ownStore.test(
  'logout ends renewed credentials as well, and leads to the page of the provider that ends its session',
  async () => {
    const old = aged(await signIn('fred'))
    const { redirect } = await c.anonymous().call('logout', {}, bearer(old))
    const address = new URL(redirect)
    expect(address.origin).toBe(provider.issuer)
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: 'stowage',
      post_logout_redirect_uri: `${c.url}/login`,
    })
    // The provider knows the address to come back to: it asks the user instead of refusing.
    expect((await fetch(address)).status).toBe(200)
    expect((await c.anonymous().send('getSession', {}, bearer(old))).status).toBe(401)
    expect(await c.root.call('logout', {})).toEqual({ redirect: '' })
  },
)
