import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { expectFocus } from '../../support/browser/focus.ts'
import { holdCalls, recordCalls, routeCalls } from '../../support/browser/page-calls.ts'

const browser = useBrowser()
const { open } = browser

test('a newcomer without a session is sent to the login page and comes back after signing in [SHL-06] [LGN-12] [LGN-19]', async () => {
  const page = await open('/buckets', { as: false })
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  const read = recordCalls(page, /\/api\/v1\/login$/)
  expect(new URL(page.url()).pathname).toBe('/login')
  await page.getByLabel('Enter Username').fill(browser.target.rootUser)
  await page.getByLabel('Enter Password', { exact: true }).fill(browser.target.rootPassword)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/buckets')
  expect(read).toEqual(['POST /api/v1/login'])
})

test('the card has a picture at its left and the sign-in area at its right [LGN-02]', async () => {
  const page = await open('/login', { as: false })
  const heading = page.getByRole('heading', { name: 'Console Login' })
  await heading.waitFor()
  // The largest drawing, because the logo is one too.
  const pictures = await page.locator('main svg').evaluateAll((all) => all.map((svg) => svg.getBoundingClientRect()))
  const picture = pictures.find(({ width }) => width > 200)
  expect(picture?.right).toBeLessThan((await heading.boundingBox())?.x ?? 0)
})

test('Login needs both fields [LGN-05] [LGN-06]', async () => {
  const page = await open('/login', { as: false })
  const login = page.getByRole('button', { name: 'Login' })
  await login.waitFor()
  expect(await login.isDisabled()).toBe(true)
  await page.getByLabel('Enter Username').fill('someone')
  expect(await login.isDisabled()).toBe(true)
  await page.getByLabel('Enter Password', { exact: true }).fill('something')
  expect(await login.isEnabled()).toBe(true)
})

test('a wrong password shows the red banner, keeps the input, and a second attempt works [LGN-10] [LGN-11]', async () => {
  const page = await open('/login', { as: false })
  const user = page.getByLabel('Enter Username')
  const password = page.getByLabel('Enter Password', { exact: true })
  await user.fill(browser.target.rootUser)
  await password.fill('not-the-password')
  await page.getByRole('button', { name: 'Login' }).click()
  const banner = page.getByRole('alert').filter({ hasText: 'Invalid Login' })
  await banner.waitFor()
  const [above, card] = await Promise.all([banner.boundingBox(), page.locator('form').boundingBox()])
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(card?.y ?? 0)
  const [red = 0, green = 0, blue = 0] = await banner.evaluate((element) =>
    (getComputedStyle(element).backgroundColor.match(/[\d.]+/g) ?? []).map(Number),
  )
  expect(red).toBeGreaterThan(Math.max(green, blue))
  expect(await user.inputValue()).toBe(browser.target.rootUser)
  expect(await user.isEnabled()).toBe(true)
  await expectFocus(password)
  await password.fill(browser.target.rootPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
})

test('while the login runs the inputs are disabled and progress shows [LGN-05] [LGN-06] [LGN-10]', async () => {
  const page = await open('/login', { as: false })
  const login = await holdCalls(page, { url: '**/api/v1/login', method: 'POST' })
  await page.getByLabel('Enter Username').fill(browser.target.rootUser)
  await page.getByLabel('Enter Password', { exact: true }).fill(browser.target.rootPassword)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('progressbar').waitFor()
  expect(await page.getByLabel('Enter Username').isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Login' }).isDisabled()).toBe(true)
  await login.release()
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
})

test('the username is stored, encoded, under userLoggedIn, and deleted by logout [LGN-13] [LGN-21] [SHL-22]', async () => {
  const page = await open('/login', { as: false })
  await page.getByLabel('Enter Username').fill(browser.target.rootUser)
  await page.getByLabel('Enter Password', { exact: true }).fill(browser.target.rootPassword)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  const stored = () => page.evaluate(() => localStorage.getItem('userLoggedIn'))
  expect(Buffer.from((await stored()) ?? '', 'base64').toString()).toBe(browser.target.rootUser)
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  expect((await stored()) ?? '').toBe('')
  await page.goto('buckets')
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
})

test('logout leads to the login page even if the call fails [LGN-20] [LGN-21]', async () => {
  const page = await open('/buckets')
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  await routeCalls(page, '**/api/v1/logout', (route) =>
    route.fulfill({ status: 500, json: { code: 500, message: 'no', detailedMessage: 'no' } }),
  )
  const call = page.waitForRequest('**/api/v1/logout')
  const logged = page.waitForEvent('console', (message) => message.text().includes('logout failed'))
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  expect((await call).postData()).toBeNull()
  await logged
})

test('a spinner is shown until the strategy is known [LGN-03]', async () => {
  const page = await open('/login', { as: false })
  const strategy = await holdCalls(page, { url: '**/api/v1/login' })
  await page.reload({ waitUntil: 'commit' })
  await page.getByRole('status', { name: 'Loading...' }).waitFor()
  await strategy.release()
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
})

test('if the strategy cannot be loaded the text and Retry are shown, and Retry requests it again [LGN-04]', async () => {
  const page = await open('/login', { as: false })
  await routeCalls(page, '**/api/v1/login', (route) => route.abort())
  await page.reload()
  await page.getByText('An error has ocurred, the backend cannot be reached.').waitFor()
  await page.unroute('**/api/v1/login')
  const asked = recordCalls(page, /\/login$/)
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  expect(asked).toEqual(['GET /api/v1/login'])
})

// Changes the answer of the strategy call to show the forms of other strategies; everything else is real.
test('redirect: a welcome and a link to the provider [LGN-02] [LGN-07]', async () => {
  const page = await open('/login', { as: false })
  const redirect = 'https://idp.example/authorize?client=1'
  await routeCalls(page, '**/api/v1/login', (route) => route.fulfill({ json: { loginStrategy: 'redirect', redirect } }))
  await page.reload()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  expect(await page.getByRole('link', { name: 'Login with SSO' }).getAttribute('href')).toBe(redirect)
})

test('service-account: a field for the JWT, Login disabled while it is empty [LGN-02] [LGN-08] [LGN-09]', async () => {
  const page = await open('/login', { as: false })
  await routeCalls(page, '**/api/v1/login', (route) =>
    route.fulfill({ json: { loginStrategy: 'service-account', redirect: '' } }),
  )
  await page.reload()
  await page.getByRole('heading', { name: 'Operator Login' }).waitFor()
  const login = page.getByRole('button', { name: 'Login' })
  expect(await login.isDisabled()).toBe(true)
  await page.getByLabel('JWT').fill('eyJ')
  expect(await login.isEnabled()).toBe(true)
})
