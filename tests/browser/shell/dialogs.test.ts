import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { holdCalls } from '../../support/browser/page-calls.ts'
import { clickRowAction, tableRow } from '../../support/browser/rows.ts'

const browser = useBrowser()
const { open } = browser

/** Opens the dialog of a new bucket, with a name filled in. */
async function halfTyped(): Promise<Page> {
  const page = await open('/buckets?create=bucket')
  await page.getByRole('dialog').getByLabel('Bucket Name').fill('half-typed')
  return page
}
/** Closes the dialog by Escape, which asks first. */
async function discard(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard Changes' }).click()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
}
const typed = async (page: Page) => await page.getByLabel('Bucket Name').inputValue()

test('neither palette nor shortcuts open over a dialog', async () => {
  const page = await halfTyped()
  // If the palette were requested, later keys would be kept for it.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('-name')
  expect(await typed(page)).toBe('half-typed-name')
  await page.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByLabel('Quota', { exact: true }).click()
  await page.getByRole('dialog').getByLabel('Size').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
  // In a field of the page it works.
  await discard(page)
  await page.getByLabel('Filter Buckets').focus()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
})

test('a click outside a dialog closes it only if it has no inputs', async () => {
  const bucket = await browser.target.newBucket()
  const page = await halfTyped()
  await page.mouse.click(20, 450)
  await page.getByRole('dialog').getByLabel('Quota', { exact: true }).click()
  expect(await typed(page)).toBe('half-typed')
  await discard(page)
  await page.getByLabel('Filter Buckets').fill(bucket)
  await clickRowAction(page, bucket, 'Delete')
  await page.getByRole('dialog').waitFor()
  await page.mouse.click(20, 450)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

test('a confirmation whose action is running cannot be closed, which would look like a cancellation', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/buckets?buckets.filter=${bucket}`)
  await clickRowAction(page, bucket, 'Delete')
  const call = await holdCalls(page, { url: `**/buckets/${bucket}`, method: 'DELETE' })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete Bucket' }).click()
  await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Close' }).click()
  expect(await dialog.count()).toBe(1)
  await call.release()
  await page.getByText(`Bucket ${bucket} deleted`).waitFor()
  await tableRow(page, bucket).waitFor({ state: 'hidden' })
})

test.each(['light', 'dark'] as const)('the spinner of the main button is visible: %s', async (colorScheme) => {
  const page = await open(`/buckets/${await browser.target.newBucket()}/summary`, { colorScheme })
  await page.getByRole('button', { name: 'Edit Quota' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Enabled').click()
  const save = dialog.getByRole('button', { name: 'Save' })
  const ground = async () => await save.evaluate((element) => getComputedStyle(element).backgroundColor)
  await expect.poll(() => save.isEnabled()).toBe(true)
  const before = await ground()
  await holdCalls(page, { url: /\/quota$/, method: 'PUT' })
  await page.keyboard.press('Enter')
  await expect.poll(() => save.getAttribute('data-loading')).toBe('true')
  expect(await ground()).toBe(before)
  const spinner = save.locator('.mantine-Button-loader > *')
  expect(await spinner.evaluate((element) => getComputedStyle(element).getPropertyValue('--loader-color'))).not.toBe('')
})
