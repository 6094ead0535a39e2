import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser.ts'
import { holdCalls } from '../../support/calls.ts'

const browser = useBrowser()
const { open } = browser

test.each(['light', 'dark'] as const)('the spinner of the main button can be seen: %s', async (colorScheme) => {
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
