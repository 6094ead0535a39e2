import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { breakCalls, routeCalls } from '../../support/browser/page-calls.ts'
import { tableRow } from '../../support/browser/rows.ts'
import { newBucketWith } from '../../support/data/objects.ts'

const browser = useBrowser()
const { open } = browser

// What happens in a tab that was opened before an update of the console: it requests files that no longer exist.
test.each([
  ['a page', /\/assets\/BucketPage-/],
  ['the shell', /\/assets\/Shell-.*js/],
  ['the message itself', /\/assets\/(states|BucketPage|Banner)-.*js/],
])('if %s cannot be loaded that is reported, with a way to try again', async (_what, part) => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`, {
    before: (p) => p.route(part, (route) => route.fulfill({ status: 404, json: { message: 'not found' } })),
  })
  const retry = page.getByRole('button', { name: /Retry|Reload/ })
  await retry.waitFor()
  await page.unroute(part)
  await retry.click()
  await page.getByRole('heading', { name: bucket }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/buckets/${bucket}/summary`)
})

/** Sets a mark that disappears if the page is reloaded. */
async function markPage(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(window, { stillHere: true }))
  return () => page.evaluate(() => 'stillHere' in window)
}

test.each([
  ['code', /\/assets\/TracePage-.*js/],
  ['styles', /\/assets\/TracePage-.*css/],
])('if the %s of a page cannot be fetched the shell remains, and Retry fetches it', async (_what, part) => {
  const page = await open('/buckets')
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  const sameApp = await markPage(page)
  const network = await breakCalls(page, { url: part })
  await page.getByRole('navigation').getByRole('link', { name: 'Trace' }).click()
  await page.getByRole('heading', { name: 'This part of the console could not be loaded' }).waitFor()
  const retry = page.getByRole('main').getByRole('button', { name: 'Retry' })
  await retry.click()
  await page.locator('main button[data-loading]').waitFor({ state: 'detached' })
  expect(await page.getByRole('button', { name: 'Reload Page' }).count()).toBe(0)
  expect(await page.getByRole('navigation').getByRole('link', { name: 'Buckets', exact: true }).isVisible()).toBe(true)
  await network.mend()
  await retry.click()
  await page.getByRole('heading', { name: 'Trace', exact: true }).waitFor()
  const styles = page.locator('link[rel="stylesheet"][href*="TracePage"]')
  await expect
    .poll(() => styles.evaluateAll((all) => all.map((link) => (link as HTMLLinkElement).sheet !== null)))
    .toEqual([true])
  expect(await sameApp()).toBe(true)
})

test('when the console was updated, a button offers to reload the page', async () => {
  const page = await open('/buckets')
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  const sameApp = await markPage(page)
  const part = /\/assets\/DashboardPage-/
  await routeCalls(page, part, (route) => route.fulfill({ status: 404, json: { message: 'not found' } }))
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click()
  const reload = page.getByRole('main').getByRole('button', { name: 'Reload Page' })
  await reload.waitFor()
  expect(await sameApp()).toBe(true)
  await page.unroute(part)
  await reload.click()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
})

test('a dialog that cannot be fetched is reported; the page keeps its selection, and the next attempt opens it', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': '1' })
  const page = await open(`/object-browser/${bucket}`)
  await tableRow(page, 'a.txt').getByRole('checkbox').check()
  const network = await breakCalls(page, { url: /\/assets\/ConfirmDialog-/ })
  const ask = page.getByRole('button', { name: 'Delete Selected' })
  await ask.click()
  const failure = page.getByRole('dialog', { name: 'This part of the console could not be loaded' })
  await failure.getByRole('button', { name: 'Close' }).click()
  await failure.waitFor({ state: 'hidden' })
  await page.getByText('1 selected').waitFor()
  await ask.click()
  await failure.waitFor()
  await network.mend()
  await failure.getByRole('button', { name: 'Retry' }).click()
  await page
    .getByRole('dialog', { name: /Delete/ })
    .getByRole('button', { name: 'Cancel' })
    .waitFor()
  await failure.waitFor({ state: 'hidden' })
})

test('the sign-in page is available without a network [SHL-35]', async () => {
  const page = await open('/buckets')
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('An error has ocurred, the backend cannot be reached.').waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
})
