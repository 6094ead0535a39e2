import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { startSsoConsole } from '../../support/console/sso-console.ts'
import type { TestConsole } from '../../support/console/start-console.ts'
import { CLIENT_SECRETS, LONG_TOKEN_USER, type TestProvider } from '../../support/sign-in/oidc-provider.ts'

/** A provider whose discovery document has no end. */
const endless = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"issuer":"')
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  }
  response.on('drain', more)
  more()
})
let provider: TestProvider
let c: TestConsole
beforeAll(async () => {
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
  const { port } = endless.address() as AddressInfo
  ;({ provider, console: c } = await startSsoConsole({
    // Nothing listens at this address.
    CONSOLE_IDP_URL_BROKEN: 'http://127.0.0.1:1/.well-known/openid-configuration',
    CONSOLE_IDP_CLIENT_ID_BROKEN: 'stowage',
    CONSOLE_IDP_CALLBACK_BROKEN: 'http://127.0.0.1:1/oauth_callback',
    CONSOLE_IDP_URL_ENDLESS: `http://127.0.0.1:${port}/.well-known/openid-configuration`,
    CONSOLE_IDP_CLIENT_ID_ENDLESS: 'stowage',
    CONSOLE_IDP_CALLBACK_ENDLESS: 'http://127.0.0.1:1/oauth_callback',
    STOWAGE_EGRESS_ALLOW: '127.0.0.1,localhost',
  }))
})
afterAll(async () => {
  await c[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
  endless.closeAllConnections()
  endless.close()
})

/** A client with cookies, like a browser. */
class Browser {
  readonly #cookies = new Map<string, Map<string, string>>()

  async get(url: string, form?: Record<string, string>): Promise<Response> {
    const { host } = new URL(url)
    const own = this.#cookies.get(host) ?? new Map<string, string>()
    this.#cookies.set(host, own)
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: this.cookies(host) },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') own.delete(name)
      else own.set(name, value)
    }
    return response
  }

  cookies(host: string): string {
    return [...(this.#cookies.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  }
}

/** Starts a sign-in and agrees to everything at the provider; returns the URL of the redirect back. */
async function signInAtProvider(
  browser: Browser,
  name: string,
  start = '/api/v1/login/oauth2/start/main',
): Promise<URL> {
  let at = c.url + start
  for (let step = 0; step < 20; step++) {
    let response = await browser.get(at)
    if (response.status === 200) {
      const prompt = (await response.text()).includes('name="login"') ? 'login' : 'consent'
      response = await browser.get(at, { prompt, login: name, password: 'whatever' })
    }
    at = new URL(response.headers.get('location') ?? '', at).href
    if (at.startsWith(`${c.url}/oauth_callback`)) return new URL(at)
  }
  throw new Error(`the provider does not send back: ${at}`)
}

const finish = (browser: Browser, back: URL, change: Record<string, string> = {}) =>
  fetch(`${c.url}/api/v1/login/oauth2/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: browser.cookies(new URL(c.url).host) },
    body: JSON.stringify({ ...Object.fromEntries(back.searchParams), ...change }),
  })

test('the strategy is redirect, with an address for every provider [LGN-01]', async () => {
  const strategy = await c.anonymous().call('getLoginStrategy', {})
  expect(strategy.loginStrategy).toBe('redirect')
  expect(strategy.redirect).toBe('/api/v1/login/oauth2/start/main')
  expect(strategy.redirectRules).toHaveLength(3)
})

// Another server would have to know this provider.
ownStore.test('a code of the provider opens a session with the rights of the claim, once [LGN-24]', async () => {
  const browser = new Browser()
  const back = await signInAtProvider(browser, 'anna')
  const answer = await finish(browser, back)
  expect(answer.status).toBe(201)
  const { sessionId } = (await answer.json()) as { sessionId: string }
  const bearer = { headers: { authorization: `Bearer ${sessionId}` } }
  const session = await c.anonymous().call('getSession', {}, bearer)
  expect(session).toMatchObject({ status: 'ok', user: 'anna@example.com' })
  expect(session.pages).toContain('/buckets')
  expect(session.pages).not.toContain('/account/change-password')
  expect((await finish(browser, back)).status).toBe(401)
  const made = await c.anonymous().call('createServiceAccount', { body: { policy: '' } }, bearer)
  const { keys } = await c.call('listAccessKeys', { query: { all: 'true' } })
  expect(keys.find(({ accessKey }) => accessKey === made.accessKey)).toMatchObject({
    user: expect.stringMatching(/^openid=/),
    owner_name: 'anna@example.com',
    status: 'enabled',
  })
  const body = { current_secret_key: 'whatever-1', new_secret_key: 'whatever-2' }
  expect((await c.anonymous().send('changePassword', { body }, bearer)).status).toBe(403)
  expect(c.output()).not.toContain(back.searchParams.get('code'))
})

ownStore.test('an ID token of 12 KB signs in', async () => {
  const browser = new Browser()
  const answer = await finish(browser, await signInAtProvider(browser, LONG_TOKEN_USER))
  expect(answer.status).toBe(201)
  const { sessionId } = (await answer.json()) as { sessionId: string }
  const bearer = { headers: { authorization: `Bearer ${sessionId}` } }
  expect((await c.anonymous().call('getSession', {}, bearer)).user).toBe(`${LONG_TOKEN_USER}@example.com`)
})

test.each([
  ['in another browser', (b: URL) => ({ browser: new Browser(), back: b, change: {} })],
  ['with another state', (b: URL, own: Browser) => ({ browser: own, back: b, change: { state: 'made-up' } })],
  ['with another code', (b: URL, own: Browser) => ({ browser: own, back: b, change: { code: 'made-up' } })],
  ['of another issuer', (b: URL, own: Browser) => ({ browser: own, back: b, change: { iss: 'http://evil.example' } })],
])('a code %s is refused [LGN-26]', async (_, how) => {
  const own = new Browser()
  const { browser, back, change } = how(await signInAtProvider(own, 'mallory'), own)
  const answer = await finish(browser, back, change)
  expect(answer.status).toBe(401)
  expect(answer.headers.getSetCookie().some((line) => line.startsWith('token='))).toBe(false)
})

test('a code with the state of another tab is refused: the nonce belongs to one sign-in', async () => {
  const browser = new Browser()
  const [first, second] = [await signInAtProvider(browser, 'anna'), await signInAtProvider(browser, 'anna')]
  const mixed = { code: first.searchParams.get('code') ?? '' }
  expect((await finish(browser, second, mixed)).status).toBe(401)
})

// Another server would have to know this provider.
ownStore.test(
  'a provider of the stored configuration is offered, with its secret, until it is removed [LGN-24]',
  async () => {
    const rules = async () => (await c.anonymous().call('getLoginStrategy', {})).redirectRules
    const [client_id, client_secret] = ['second-client', CLIENT_SECRETS['second-client']]
    const values = {
      config_url: `${provider.issuer}/.well-known/openid-configuration`,
      client_id,
      client_secret,
      redirect_uri: `${c.url}/oauth_callback`,
      display_name: 'The second',
    }
    const params = { name: 'identity_openid' }
    const key_values = Object.entries(values).map(([key, value]) => ({ key, value }))
    await c.call('setConfig', { params, body: { key_values, arn_resource_id: 'second' } })
    await expect.poll(rules).toHaveLength(4)
    const { displayName, redirect = '' } = (await rules()).at(-1) ?? {}
    expect(displayName).toBe('The second')
    const browser = new Browser()
    const answer = await finish(browser, await signInAtProvider(browser, 'otto', redirect))
    expect(answer.status).toBe(201)
    const { sessionId } = (await answer.json()) as { sessionId: string }
    const bearer = { headers: { authorization: `Bearer ${sessionId}` } }
    expect((await c.anonymous().call('getSession', {}, bearer)).user).toBe('otto@example.com')
    // The answer to another client's sign-in is not taken for it.
    const mixed = await signInAtProvider(browser, 'otto')
    const other = await signInAtProvider(browser, 'otto', redirect)
    expect((await finish(browser, other, { code: mixed.searchParams.get('code') ?? '' })).status).toBe(401)
    await c.call('resetConfig', { params, body: { arn_resource_id: 'second' } })
    await expect.poll(rules).toHaveLength(3)
    expect((await c.anonymous().send('getSession', {}, bearer)).status).toBe(401)
    expect(JSON.stringify(await c.call('getConfig', { params }))).not.toContain(client_secret)
    expect(c.output()).not.toContain(client_secret)
  },
)

test('a browser has at most five sign-ins in progress', async () => {
  const browser = new Browser()
  for (let n = 0; n < 8; n++) await browser.get(`${c.url}/api/v1/login/oauth2/start/main`)
  expect(browser.cookies(new URL(c.url).host).match(/stowage-sso-/g)).toHaveLength(5)
})

test('an unreachable or unknown provider is reported', async () => {
  const browser = new Browser()
  const broken = await browser.get(`${c.url}/api/v1/login/oauth2/start/broken`)
  expect(broken.status).toBe(502)
  expect(await broken.json()).toMatchObject({ message: 'unable to contact configured identity provider' })
  expect((await browser.get(`${c.url}/api/v1/login/oauth2/start/none`)).status).toBe(404)
  // The console stops to read at 1 MiB.
  expect((await browser.get(`${c.url}/api/v1/login/oauth2/start/endless`)).status).toBe(502)
})
