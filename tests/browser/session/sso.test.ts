import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenOptions, useBrowser } from '../../support/browser/browser.ts'
import { routeCalls } from '../../support/browser/page-calls.ts'
import { tableRow } from '../../support/browser/rows.ts'
import { startSsoConsole } from '../../support/console/sso-console.ts'
import type { TestConsole } from '../../support/console/start-console.ts'
import type { TestProvider } from '../../support/sign-in/oidc-provider.ts'

const browser = useBrowser()

/** Three programs take part in a sign-in, so it takes longer than other pages. */
const SLOW_MS = 60_000

async function open(path: string, options: OpenOptions): Promise<Page> {
  const page = await browser.open(path, options)
  page.setDefaultTimeout(SLOW_MS)
  return page
}

let provider: TestProvider
let c: TestConsole
beforeAll(async () => {
  ;({ provider, console: c } = await startSsoConsole({ CONSOLE_IDP_END_SESSION_ENDPOINT: 'on' }))
})
afterAll(async () => {
  await c[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

/** Signs in at the provider's own pages and agrees. */
async function signInAtProvider(page: Page, name: string) {
  await page.waitForURL(`${provider.issuer}/**`)
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('whatever')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('a user of the provider signs in with the code, has the rights in the claim, and their access keys show their name [LGN-07] [LGN-22] [LGN-24] [LGN-25]', async () => {
  const page = await open('/login', { console: c, as: false })
  const sent = page.waitForRequest('**/api/v1/login/oauth2/auth')
  await page.getByRole('link', { name: 'Login with SSO' }).click()
  await signInAtProvider(page, 'anna')
  const request = await sent
  const { code, state } = request.postDataJSON() as { code: string; state: string }
  expect(new URL(page.url()).origin).toBe(new URL(c.url).origin)
  expect([code, state]).toEqual([expect.stringMatching(/.{20,}/), expect.stringMatching(/.{20,}/)])
  const answer = await request.response()
  expect(answer?.status()).toBe(201)
  expect(await answer?.json()).toEqual({ sessionId: expect.stringMatching(/.+/) })
  await page.waitForURL('**/buckets')
  await page.getByText('anna@example.com').waitFor()
  const session = (await (await page.request.get('api/v1/session')).json()) as { pages: string[] }
  expect(session.pages).toContain('/buckets')
  expect(session.pages).not.toContain('/account/change-password')
  // No cookie of the sign-in remains, and no credential is where scripts can read it.
  expect((await page.context().cookies()).filter(({ name }) => name.includes('sso'))).toEqual([])
  // The same code and state again, as sent by someone who has seen the URL.
  const again = await page.request.post('api/v1/login/oauth2/auth', {
    data: { code, state },
    headers: { origin: c.url },
  })
  expect(again.status()).toBe(401)

  const created = await page.request.post('api/v1/service-accounts', {
    data: { policy: '' },
    headers: { origin: c.url },
  })
  const { accessKey } = (await created.json()) as { accessKey: string }
  const administrator = await open('/access-keys', { console: c })
  await administrator.getByPlaceholder('Search Service Accounts').fill('anna@example')
  await tableRow(administrator, accessKey).getByText('anna@example.com').waitFor()
})

test('Logout also ends the session at the provider, which leads back to the sign-in page', async () => {
  const page = await open('/login', { console: c, as: false })
  await page.getByRole('link', { name: 'Login with SSO' }).click()
  await signInAtProvider(page, 'anna')
  await page.waitForURL('**/buckets')
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL(`${provider.issuer}/session/end**`)
  await page.getByRole('button', { name: /sign me out/i }).click()
  await page.waitForURL(`${c.url}/login**`)
  expect((await page.request.get(`${c.url}/api/v1/session`)).status()).toBe(401)
  // The provider asks for a name again.
  await page.getByRole('link', { name: 'Login with SSO' }).click()
  await page.locator('input[name=login]').waitFor()
})

test('an answer of the provider does not work in another browser [LGN-26]', async () => {
  const page = await open('/login', { console: c, as: false })
  // The code remains unused, because the page cannot send it.
  await routeCalls(page, '**/api/v1/login/oauth2/auth', (route) => route.abort())
  const unsent = page.waitForRequest('**/api/v1/login/oauth2/auth')
  await page.getByRole('link', { name: 'Login with SSO' }).click()
  await signInAtProvider(page, 'mallory')
  const { code, state } = (await unsent).postDataJSON() as { code: string; state: string }
  const callback = `oauth_callback?${new URLSearchParams({ code, state })}`
  const victim = await open('/login', { console: c, as: false })
  await victim.goto(callback)
  await victim.waitForURL('**/login')
  expect((await victim.request.get('api/v1/session')).status()).toBe(401)
})

test('two sign-ins in two tabs do not mix', async () => {
  const first = await open('/login', { console: c, as: false })
  await first.getByRole('link', { name: 'Login with SSO' }).click()
  await first.waitForURL(`${provider.issuer}/**`)
  const second = await first.context().newPage()
  second.setDefaultTimeout(SLOW_MS)
  await second.goto('login')
  await second.getByRole('link', { name: 'Login with SSO' }).click()
  await signInAtProvider(second, 'anna')
  await second.waitForURL('**/buckets')
})

test('an error of the provider is shown with its description [LGN-22] [LGN-23]', async () => {
  const page = await open('/oauth_callback?error=access_denied&error_description=The+user+said+no', {
    console: c,
    as: false,
  })
  await page.getByRole('heading', { name: 'IDP Error:' }).waitFor()
  await page.getByText('access_denied').waitFor()
  await page.getByText('The user said no').waitFor()
})

test('an invalid callback leads to the sign-in page [LGN-26]', async () => {
  const page = await open('/oauth_callback?code=abc&state=def', { console: c, as: false })
  await page.waitForURL('**/login')
  await page.getByRole('link', { name: 'Login with SSO' }).waitFor()
})

test('next to the provider there is a link to the password form for access keys', async () => {
  const page = await open('/login', { console: c, as: false })
  await page.getByRole('button', { name: 'Use an access key' }).click()
  await page.getByLabel('Enter Username').fill(c.rootUser)
  await page.getByLabel('Enter Password').fill(c.rootPassword)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL('**/buckets')
})
