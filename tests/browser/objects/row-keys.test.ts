import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { listKeys, newBucketWith } from '../../support/data/objects.ts'

const browser = useBrowser()
const { open } = browser

test('The rows of a folder are walked, selected, previewed, opened and deleted by keys', async () => {
  const bucket = await newBucketWith(browser.target, { 'a/inner.txt': '1', 'b.txt': 'text of b', 'c.txt': '3' })
  const page = await open(`/object-browser/${bucket}`)
  const row = (name: RegExp) => page.getByRole('row', { name })
  await row(/c\.txt/).waitFor()
  const focused = () =>
    page.evaluate(() => document.activeElement?.closest('tr')?.textContent?.match(/[abc](\.txt|\/)?/)?.[0] ?? '')
  await expect
    .poll(async () => {
      await page.keyboard.press('j')
      return await focused()
    })
    .toContain('c')
  await page.keyboard.press('k')
  await expect.poll(focused).toContain('b')
  await page.keyboard.press('Space')
  await page.getByRole('dialog').getByText('text of b').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await expect.poll(focused).toContain('b')
  await page.keyboard.press('x')
  expect(
    await row(/b\.txt/)
      .getByRole('checkbox')
      .isChecked(),
  ).toBe(true)
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Object' }).click()
  await expect.poll(() => listKeys(browser.target, bucket)).toEqual(['a/inner.txt', 'c.txt'])
})
