import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { newBucketWith } from '../../support/data/objects.ts'

const browser = useBrowser()
const { open } = browser

const shortcutsDialog = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

/** Returns the distinct left edges of the groups of shortcuts. */
const columnEdges = async (page: Page) =>
  new Set(
    await shortcutsDialog(page)
      .locator('section')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().x))),
  )

test('a wide dialog is at most 765 px wide, in two columns; on a small screen one [SHL-45]', async () => {
  const page = await open('/buckets')
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  await page.keyboard.press('?')
  await shortcutsDialog(page).waitFor()
  expect((await shortcutsDialog(page).boundingBox())?.width).toBe(765)
  expect((await columnEdges(page)).size).toBe(2)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(async () => (await columnEdges(page)).size).toBe(1)
  expect((await shortcutsDialog(page).boundingBox())?.width).toBeLessThanOrEqual(390)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.keyboard.press('Escape')
  await shortcutsDialog(page).waitFor({ state: 'hidden' })
})

test('the list of shortcuts opens with ?, from the palette and from the user menu; in a field ? is a character', async () => {
  const page = await open('/buckets')
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await shortcutsDialog(page).getByText('Go to the filter').waitFor()
  await page.keyboard.press('Escape')
  await shortcutsDialog(page).waitFor({ state: 'hidden' })

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('keyboard')
  await page.keyboard.press('Enter')
  await shortcutsDialog(page).waitFor()
  await page.keyboard.press('Escape')
  await shortcutsDialog(page).waitFor({ state: 'hidden' })

  await page.keyboard.press('/')
  await page.keyboard.type('a?b')
  expect(await page.getByLabel('Filter Buckets').inputValue()).toBe('a?b')
  expect(await shortcutsDialog(page).count()).toBe(0)
})

test('the shortcuts for rows work as listed: select, extend, all, clear', async () => {
  const bucket = await newBucketWith(browser.target, { a: '', b: '', c: '', d: '' })
  const page = await open(`/object-browser/${bucket}`)
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  await row('a').focus()
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByText('3 selected').waitFor()
  await page.keyboard.press('Control+a')
  await page.getByText('4 selected').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('4 selected').waitFor({ state: 'hidden' })
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Object details' }).getByRole('heading', { name: 'd' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('complementary', { name: 'Object details' }).waitFor({ state: 'hidden' })
})
