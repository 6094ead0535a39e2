import { ListBucketsCommand } from '@aws-sdk/client-s3'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { breakCalls, recordCalls } from '../../support/browser/page-calls.ts'

const browser = useBrowser()
const { open } = browser

async function signIn(page: Page, { accessKey, secretKey } = root()) {
  await page.getByLabel('Enter Username').fill(accessKey)
  await page.getByLabel('Enter Password', { exact: true }).fill(secretKey)
  await page.getByRole('button', { name: 'Login' }).click()
}
const root = () => ({ accessKey: browser.target.rootUser, secretKey: browser.target.rootPassword })

test('a 401 leads to login and back to the same page, with the input kept [SHL-33]', async () => {
  const name = browser.target.freshName()
  const page = await open(`/buckets?buckets.filter=${name}`)
  await page.getByRole('button', { name: 'Create Bucket' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Bucket' })
  await dialog.getByLabel('Bucket Name').fill(name)
  await page.context().clearCookies()
  await dialog.getByRole('button', { name: 'Save' }).click()

  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')
  expect(await dialog.isVisible()).toBe(false)
  const why = page.getByRole('status').filter({ hasText: 'Your session has ended' })
  expect(await why.textContent()).toContain(`Sign in as ${root().accessKey} to go on where you were`)

  await signIn(page)
  await dialog.waitFor()
  expect(await dialog.getByLabel('Bucket Name').inputValue()).toBe(name)
  // The sign-in page has reported the end of the session, once.
  expect(await dialog.getByRole('alert').count()).toBe(0)
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toContain(`/buckets?buckets.filter=${name}`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name }).waitFor()
})

test('a 401 removes the session from the browser: opening the page again requires sign-in [SHL-33]', async () => {
  const page = await open('/buckets')
  // A call that the page makes automatically would lead to login before the click.
  await page.locator('table[aria-busy="false"]').waitFor()
  await page.locator('button[aria-label="Refresh"]:not([data-loading])').waitFor()
  await page.waitForLoadState('networkidle')
  const cookies = await page.context().cookies()
  await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, value: `${cookie.value.slice(0, -4)}xxxx` })))
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  expect((await page.context().cookies()).filter(({ name, value }) => /^stowage-\d/.test(name) && value)).toEqual([])
})

test('another user gets a new page, without the input of the first one', async () => {
  const other = await browser.target.newUser({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] }],
  })
  const page = await open('/buckets')
  await page.getByRole('button', { name: 'Create Bucket' }).first().click()
  await page.getByLabel('Bucket Name').fill('secret-plans')
  await page.context().clearCookies()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  await signIn(page, other)
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  expect(await page.locator('input').evaluateAll((all) => all.map((i) => (i as HTMLInputElement).value))).not.toContain(
    'secret-plans',
  )
})

test('a call without an answer leads to login; when the console answers again the page returns without sign-in [SHL-35]', async () => {
  const page = await open('/buckets?buckets.filter=abc')
  await page.getByRole('button', { name: 'Refresh' }).waitFor()
  // Not all calls: one that the page makes automatically would lead to login before the click.
  const network = await breakCalls(page, { url: '**/api/v1/{buckets,login}' })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('An error has ocurred, the backend cannot be reached.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')
  await page.getByRole('button', { name: 'Retry' }).waitFor()

  // It retries automatically, so there may be nothing left to click.
  const logins = recordCalls(page, /\/api\/v1\/login$/)
  await network.mend()
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  expect(page.url()).toContain('/buckets?buckets.filter=abc')
  expect(logins.filter((call) => call.startsWith('POST'))).toEqual([])
})

test('offline a change fails immediately and is not repeated when the network returns [SHL-35]', async () => {
  const name = browser.target.freshName()
  const page = await open('/buckets')
  await page.getByRole('button', { name: 'Create Bucket' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Bucket' })
  await dialog.getByLabel('Bucket Name').fill(name)
  await page.waitForLoadState('networkidle')
  const created = recordCalls(page, /\/api\/v1\/buckets$/)
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('An error has ocurred, the backend cannot be reached.').waitFor()

  // Back on the page with the input; only the failed attempt was made.
  await page.context().setOffline(false)
  await dialog.getByText('The console cannot be reached').waitFor()
  expect(await dialog.getByLabel('Bucket Name').inputValue()).toBe(name)
  await page.waitForLoadState('networkidle')
  expect(created.filter((call) => call.startsWith('POST'))).toHaveLength(1)
  expect((await browser.target.s3.send(new ListBucketsCommand({ Prefix: name }))).Buckets ?? []).toEqual([])
})

test('a user who is disabled while signed in gets to the sign-in page with the next call', async () => {
  const { madmin, newUser } = browser.target
  const as = await newUser({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] }],
  })
  const page = await open('/buckets', { as })
  await page.locator('table[aria-busy="false"]').waitFor()
  await madmin.setUserStatus(as.accessKey, 'disabled')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('Your session has ended').waitFor()
})
