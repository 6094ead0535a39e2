import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { breakCalls, holdCalls } from '../../support/browser/page-calls.ts'
import { stopClock } from '../../support/browser/page-clock.ts'
import { listKeys, newBucketWith } from '../../support/data/objects.ts'

const browser = useBrowser()
const { open } = browser

/** Presses Tab until this element has the focus. */
async function tabTo(page: Page, name: RegExp, most = 40) {
  for (let i = 0; i < most; i++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
    )
    if (name.test(focused)) return
  }
  throw new Error(`Tab does not reach ${name}`)
}

test('from sign-in to a deleted object using only the keyboard', async () => {
  const { target } = browser
  const bucket = await newBucketWith(target, { 'a.txt': '1', 'b.txt': '2', 'c.txt': '3' })
  const page = await open('/', { as: false })
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  // The first field has the focus.
  await page.keyboard.type(target.rootUser)
  await page.keyboard.press('Tab')
  await page.keyboard.type(target.rootPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()

  // The palette is used to open a bucket.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
  await page.keyboard.type(bucket)
  await page.getByRole('option', { name: new RegExp(bucket) }).waitFor()
  await page.keyboard.press('Tab')
  await page.getByRole('link', { name: 'a.txt', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/object-browser/${bucket}`)

  // Rows: down, select, open, close.
  const rows = page.locator('tbody tr[data-index]')
  await page.keyboard.press('/')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Search Objects')
  for (let i = 0; i < 20 && (await page.locator('tbody tr:focus').count()) === 0; i++) await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('x')
  expect(await rows.nth(1).getAttribute('aria-selected')).toBe('true')
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('1 selected').waitFor({ state: 'hidden' })
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const detail = page.getByRole('complementary', { name: 'Object details' })
  await detail.getByRole('heading', { name: 'c.txt' }).waitFor()
  await detail.getByRole('button', { name: 'Delete Object' }).waitFor()
  await tabTo(page, /^Delete Object$/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /Delete Object/ })
  await dialog.waitFor()
  // Cancel has the focus first.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText("Object 'c.txt' deleted successfully.").waitFor()
  expect(await listKeys(target, bucket)).toEqual(['a.txt', 'b.txt'])
})

test('the palette finds pages, buckets and commands; Escape closes it and returns the focus', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open('/buckets')
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  await page
    .getByRole('button', { name: /Search or run a command/ })
    .first()
    .click()
  const field = page.getByRole('combobox', { name: 'Search or run a command' })
  await field.fill('object br')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'All Buckets' }).waitFor()

  await page.keyboard.press('Control+k')
  await field.fill(bucket)
  await page.getByRole('option', { name: new RegExp(bucket) }).click()
  await page.getByRole('region', { name: 'Access Policy' }).waitFor()

  await page.keyboard.press('Control+k')
  await field.fill('no such thing at all')
  await page.getByText('Nothing found').waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'hidden' })

  await page.keyboard.press('Control+k')
  await field.fill('create bucket')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Create Bucket' }).waitFor()
})

test('Skip to the page is the first stop of Tab', async () => {
  const page = await open('/buckets')
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the page')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('page')
})

test('keys pressed before the palette is open go into its field, and not to the page', async () => {
  const page = await open('/buckets')
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  const code = await holdCalls(page, { url: /Palette-[^/]*\.js$/ })
  await page.keyboard.press('Control+k')
  // Slash and question mark are shortcuts of the page.
  await page.keyboard.type('x/?b')
  await page.keyboard.press('Backspace')
  await code.release()
  const field = page.getByRole('combobox', { name: 'Search or run a command' })
  await field.waitFor()
  await page.keyboard.type('y')
  await expect.poll(() => field.inputValue()).toBe('x/?y')
  expect(await page.getByRole('dialog').count()).toBe(1)
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'hidden' })
  // The shortcuts of the page work again.
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
})

test('if the palette cannot be loaded, the failure is reported and the page’s shortcuts work', async () => {
  const page = await open('/buckets')
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  await breakCalls(page, { url: /Palette-[^/]*\.js$/ })
  await page.keyboard.press('Control+k')
  const failure = page.getByRole('dialog', { name: 'This part of the console could not be loaded' })
  await failure.getByRole('button', { name: 'Retry' }).waitFor()
  await page.keyboard.press('Escape')
  await failure.waitFor({ state: 'hidden' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
})

test('a dialog opens as soon as its code is loaded, without waiting for a timer', async () => {
  const page = await open('/buckets', { clock: true })
  const create = page.getByRole('button', { name: 'Create Bucket' }).first()
  await create.waitFor()
  await stopClock(page)
  await create.click()
  await page.getByRole('dialog', { name: 'Create Bucket' }).waitFor()
})
