import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { expectFocus } from '../../support/browser/focus.ts'

const browser = useBrowser()

// In a home network the console is opened as http://192.168.1.2:9090, where scripts have no clipboard access.
test('a copy button works over plain HTTP, as plain text, and keeps the focus', async () => {
  const bucket = await browser.target.newBucket()
  const { port } = new URL(browser.target.url)
  const page = await browser.open(`/buckets/${bucket}/summary`, { as: false, url: `http://insecure.test:${port}` })
  await page.getByLabel('Enter Username').fill(browser.target.rootUser)
  await page.getByLabel('Enter Password', { exact: true }).fill(browser.target.rootPassword)
  await page.keyboard.press('Enter')
  const copy = page.getByRole('button', { name: 'Copy ARN' })
  await copy.waitFor()
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false)
  await copy.click()
  const copied = page.getByRole('button', { name: 'Copied' })
  await copied.waitFor()
  await expectFocus(copied)
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox')
  await expectFocus(search)
  await page.keyboard.press('Control+v')
  await expect.poll(() => search.inputValue()).toBe(`arn:aws:s3:::${bucket}`)
})
