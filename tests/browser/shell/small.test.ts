import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { chooseFiles, memoryFile } from '../../support/browser/upload-files.ts'
import { listKeys, newBucketWith } from '../../support/data/objects.ts'

const browser = useBrowser()
const { open } = browser

const WIDTH = 390
/** The page margin, left and right (px). */
const GUTTER = 16
/** Minimum size of a touch target (px). */
const TOUCH = 44

/** Waits for a control, checks its size for touch, and taps it. */
async function tap(control: Locator) {
  await expectTouchable(control)
  await control.click()
}

async function expectTouchable(control: Locator) {
  await control.waitFor()
  const box = await control.boundingBox()
  expect(box?.height, `height of ${control}`).toBeGreaterThanOrEqual(TOUCH)
  expect(box?.width, `width of ${control}`).toBeGreaterThanOrEqual(TOUCH)
}

/** Neither the page nor any part of it scrolls sideways, except where it should. */
async function expectNoSidewaysScroll(page: Page) {
  const wide = await page.evaluate(() =>
    [document.documentElement, document.body, ...document.querySelectorAll('main, main div, [role="dialog"]')]
      .filter(
        (part) => part.scrollWidth > part.clientWidth && ['auto', 'scroll'].includes(getComputedStyle(part).overflowX),
      )
      .map((part) => `${part.tagName}.${part.className}: ${part.scrollWidth} in ${part.clientWidth}`),
  )
  expect(wide).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(WIDTH)
}

/** A filter starts at the page margin; right of it is the sort button. */
async function expectInGutters(filter: Locator) {
  const sort = filter.page().getByRole('button', { name: 'Sort' })
  await expectTouchable(sort)
  const [box, right] = [await filter.boundingBox(), await sort.boundingBox()]
  expect(box?.x).toBe(GUTTER)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0)
}

test('on a phone everything works by touch: sign-in, opening a folder, upload, selection and deletion', async () => {
  const { target } = browser
  const bucket = await newBucketWith(target, {
    'dir/a-file-with-a-name-that-is-longer-than-any-phone-is-wide.txt': 'a',
  })
  const page = await open('/login', { as: false, width: WIDTH, height: 844 })
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  await page.getByLabel('Enter Username').fill(target.rootUser)
  await page.getByLabel('Enter Password', { exact: true }).fill(target.rootPassword)
  await expectNoSidewaysScroll(page)
  await tap(button('Login'))

  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  await expectTouchable(button('Create Bucket'))
  const filter = page.locator('.mantine-TextInput-wrapper').filter({ has: page.getByLabel('Filter Buckets') })
  await expectInGutters(filter)
  await page.getByLabel('Filter Buckets').fill(bucket)
  await tap(button(`Actions of ${bucket}`))
  await expectTouchable(page.getByRole('menuitem', { name: 'View' }))
  await page.keyboard.press('Escape')
  await expectNoSidewaysScroll(page)

  await tap(button('Menu'))
  await tap(page.getByRole('link', { name: 'Object Browser' }))
  await page.getByRole('heading', { name: 'All Buckets' }).waitFor()
  await expectInGutters(page.locator('.mantine-TextInput-wrapper').filter({ has: page.getByLabel('Filter Buckets') }))
  await page.getByLabel('Filter Buckets').fill(bucket)
  await expectNoSidewaysScroll(page)
  await tap(page.getByRole('row').filter({ hasText: bucket }))
  await tap(page.getByRole('row').filter({ hasText: 'dir/' }))
  await page.getByRole('heading', { name: 'dir', exact: true }).waitFor()
  await expectNoSidewaysScroll(page)

  await expectTouchable(button('Upload'))
  await chooseFiles(page, [memoryFile('b.txt', 'b'), memoryFile('c.txt', 'c')])
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row('c.txt').waitFor()
  await expectNoSidewaysScroll(page)
  await tap(button('Clear transfers'))

  for (const name of ['b.txt', 'c.txt']) {
    await tap(button(`Actions of dir/${name}`))
    await tap(page.getByRole('menuitem', { name: 'Select' }))
  }
  await page.getByText('2 selected').waitFor()
  await expectTouchable(button('Clear selection'))
  await expectTouchable(button('Download'))
  await expectNoSidewaysScroll(page)
  await tap(button('Delete Selected'))
  const dialog = page.getByRole('dialog', { name: 'Delete Selected' })
  await expectTouchable(dialog.getByRole('button', { name: 'Cancel' }))
  await expectNoSidewaysScroll(page)
  await tap(dialog.getByRole('button', { name: 'Delete Selected' }))
  await row('b.txt').waitFor({ state: 'hidden' })
  await expect.poll(() => listKeys(target, bucket)).toHaveLength(1)

  await tap(row('a-file'))
  const detail = page.getByRole('complementary', { name: 'Object details' })
  await expectTouchable(detail.getByRole('button', { name: 'Download' }))
  await expectTouchable(detail.getByRole('button', { name: 'Delete Object' }))
  await expectNoSidewaysScroll(page)
  await tap(detail.getByRole('button', { name: 'Close' }))
  await row('a-file').waitFor()
})

test('on a phone a list is sorted, and several rows are selected by taps', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': '1', 'b.txt': '22', 'c.txt': '333' })
  const page = await open(`/object-browser/${bucket}`, { width: WIDTH, height: 844 })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const names = () => page.locator('tbody a[data-row-link]').allTextContents()
  await expect.poll(names).toEqual(['a.txt', 'b.txt', 'c.txt'])
  await tap(button('Sort'))
  const bySize = page.getByRole('menuitem', { name: /^Size/ })
  await tap(bySize)
  await tap(bySize)
  await expect.poll(names).toEqual(['c.txt', 'b.txt', 'a.txt'])
  expect(await bySize.textContent()).toBe('Size, descending')
  await page.keyboard.press('Escape')

  await tap(button('Actions of a.txt'))
  await tap(page.getByRole('menuitem', { name: 'Select' }))
  await tap(page.getByRole('row').filter({ hasText: 'b.txt' }))
  // A tap on its link too, which would otherwise open the object.
  await page.getByRole('link', { name: 'c.txt', exact: true }).click()
  await page.getByText('3 selected').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/object-browser/${bucket}`)
  await page.getByRole('link', { name: 'c.txt', exact: true }).click()
  await page.getByText('2 selected').waitFor()
  await page.getByRole('toolbar').getByLabel('Select all').check()
  await page.getByText('3 selected').waitFor()
  await expectNoSidewaysScroll(page)
  await tap(button('Clear selection'))
  await page.getByRole('link', { name: 'c.txt', exact: true }).click()
  await page.getByRole('complementary', { name: 'Object details' }).waitFor()
})

test('the buttons of a long dialog stay in view while its fields scroll', async () => {
  const page = await open('/buckets', { width: WIDTH, height: 600 })
  await page.getByRole('button', { name: 'Create Bucket' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Bucket' })
  await dialog.getByRole('switch', { name: 'Quota' }).click()
  const save = await dialog.getByRole('button', { name: 'Save' }).boundingBox()
  expect((save?.y ?? 0) + (save?.height ?? 0)).toBeLessThanOrEqual(600)
  expect(await dialog.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true)
})
