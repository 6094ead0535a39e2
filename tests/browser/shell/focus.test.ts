import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { expectFocus } from '../../support/browser/focus.ts'
import { failCalls, holdCalls } from '../../support/browser/page-calls.ts'
import { tableRow } from '../../support/browser/rows.ts'
import { chooseFiles, memoryFile } from '../../support/browser/upload-files.ts'
import { newBucketWith } from '../../support/data/objects.ts'

const browser = useBrowser()
const { open } = browser

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Creates three buckets with a common word in their names. */
async function threeBuckets() {
  const word = browser.target.freshName('w')
  const names = [`a-${word}`, `b-${word}`, `c-${word}`] as const
  for (const name of names) await browser.target.call('createBucket', { body: { name } })
  return { word, names }
}

test('a dialog returns the focus to the button that opened it', async () => {
  const page = await open('/buckets')
  const create = button(page, 'Create Bucket').first()
  await create.focus()
  await page.keyboard.press('Enter')
  const name = page.getByRole('dialog').getByLabel('Bucket Name')
  await expectFocus(name)
  await page.keyboard.press('Escape')
  await expectFocus(create)
})

test('the palette returns the focus, and a dialog opened from it returns it to the same element', async () => {
  const page = await open('/buckets')
  const filter = page.getByLabel('Filter Buckets')
  await filter.focus()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search or run a command' })
  await expectFocus(field)
  await page.keyboard.press('Escape')
  await expectFocus(filter)
  await page.keyboard.press('Control+k')
  await field.fill('keyboard shortcuts')
  await page.keyboard.press('Enter')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expectFocus(help.getByRole('button', { name: 'Close' }))
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })
  await expectFocus(filter)
})

test('after a row is deleted, the next one has the focus', async () => {
  const { word, names } = await threeBuckets()
  const page = await open(`/buckets?buckets.filter=${word}`)
  for (const [gone, next] of [
    [names[1], names[2]],
    [names[2], names[0]],
  ] as const) {
    // Its actions are shown once it has the focus.
    await tableRow(page, gone).focus()
    await tableRow(page, gone)
      .getByRole('button', { name: /^Delete/ })
      .focus()
    await page.keyboard.press('Enter')
    await expectFocus(button(page, 'Cancel'))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await tableRow(page, gone).waitFor({ state: 'hidden' })
    await expectFocus(tableRow(page, next))
  }
})

test('a menu that opened a dialog has the focus after it', async () => {
  const { word, names } = await threeBuckets()
  const page = await open(`/buckets?buckets.filter=${word}`, { width: 390, height: 844 })
  const menu = button(page, `Actions of ${names[1]}`)
  await menu.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expectFocus(button(page, 'Cancel'))
  await page.keyboard.press('Escape')
  await expectFocus(menu)
})

test('the detail of a row returns the focus to it, and to the next row once it is deleted', async () => {
  const bucket = await newBucketWith(browser.target, { a: '1', b: '2', c: '3' })
  const page = await open(`/object-browser/${bucket}`)
  const detail = page.getByRole('complementary', { name: 'Object details' })
  await tableRow(page, 'b').focus()
  await page.keyboard.press('Enter')
  await expectFocus(detail)
  await page.keyboard.press('Escape')
  await expectFocus(tableRow(page, 'b'))
  await page.keyboard.press('Enter')
  await detail.getByRole('button', { name: 'Delete Object' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Object' }).click()
  await detail.waitFor({ state: 'hidden' })
  await expectFocus(tableRow(page, 'c'))
})

test('a button keeps the focus while it works: Refresh, and a Save that fails', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`)
  const refresh = button(page, 'Refresh')
  await refresh.click()
  await expect.poll(() => refresh.getAttribute('data-loading')).toBe(null)
  await expectFocus(refresh)
  await button(page, 'Edit Quota').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Enabled').click()
  // Deleted meanwhile by another client.
  await browser.target.call('deleteBucket', { params: { bucket }, body: { name: bucket } })
  const save = dialog.getByRole('button', { name: 'Save' })
  const call = await holdCalls(page, { url: /\/quota$/, method: 'PUT' })
  await save.click()
  await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
  await expectFocus(save)
  await call.release()
  await dialog.getByRole('alert').waitFor()
  await expectFocus(save)
})

test('the overlay sidebar returns the focus to Menu', async () => {
  const page = await open('/buckets', { width: 390, height: 844 })
  await button(page, 'Menu').click()
  await expectFocus(page.getByRole('complementary').getByRole('link', { name: 'Start page' }))
  await page.keyboard.press('Escape')
  await expectFocus(button(page, 'Menu'))
})

test('cancelling a transfer in the tray moves the focus to the next one, the last one returns it to where it came from', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/object-browser/${bucket}`)
  const held = await holdCalls(page, { url: /\/objects\/upload/, method: 'POST' })
  await chooseFiles(page, [memoryFile('a.txt', 'a'), memoryFile('b.txt', 'b')])
  const tray = page.getByRole('region', { name: 'Transfers' })
  const cancel = (name: string) => tray.getByRole('button', { name: `Cancel ${name}` })
  await cancel('b.txt').waitFor()
  await cancel('a.txt').focus()
  await page.keyboard.press('Enter')
  await cancel('a.txt').waitFor({ state: 'hidden' })
  await expect.poll(() => tray.locator('li :focus').count()).toBe(1)
  await cancel('b.txt').focus()
  await page.keyboard.press('Enter')
  await tray.waitFor({ state: 'hidden' })
  await expectFocus(button(page, 'Upload').first())
  await held.release()
})

test('a folder opened by keyboard focuses its first row, one opened by click the page', async () => {
  const bucket = await newBucketWith(browser.target, { 'a/b/1': '1', 'a/b/2': '2', 'c/3': '3' })
  const page = await open(`/object-browser/${bucket}`)
  await tableRow(page, 'a/').focus()
  await page.keyboard.press('ArrowDown')
  await expectFocus(tableRow(page, 'c/'))
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expectFocus(tableRow(page, 'b/'))
  await page.keyboard.press('Enter')
  await expectFocus(tableRow(page, '1'))
  await page.keyboard.press('ArrowDown')
  await expectFocus(tableRow(page, '2'))
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
  await crumbs.getByRole('link', { name: 'a', exact: true }).click()
  await tableRow(page, 'b/').waitFor()
  await expectFocus(page.getByRole('main'))
})

test('hiding the sidebar moves the focus to Menu, showing it back to Hide', async () => {
  const page = await open('/buckets')
  await button(page, 'Hide sidebar').click()
  await expectFocus(button(page, 'Menu'))
  await page.keyboard.press('Enter')
  await expectFocus(button(page, 'Hide sidebar'))
})

test('Download in the detail of an object keeps the focus while the download starts', async () => {
  const bucket = await newBucketWith(browser.target, { a: '1' })
  const page = await open(`/object-browser/${bucket}/a`)
  const download = page.getByRole('complementary', { name: 'Object details' }).getByRole('button', { name: 'Download' })
  const held = await holdCalls(page, { url: /\/objects\/download/ })
  await download.click()
  await expect.poll(() => download.getAttribute('data-loading')).toBe('true')
  await expectFocus(download)
  await held.release()
  await expect.poll(() => download.getAttribute('data-loading')).toBe(null)
  await expectFocus(download)
})

test('a successful Retry moves the focus to Refresh, the one of the small tray to its other button', async () => {
  const bucket = await newBucketWith(browser.target, { a: '1' })
  const page = await open(`/object-browser/${bucket}`, { width: 390, height: 844 })
  await tableRow(page, 'a').waitFor()
  const { mend } = await failCalls(page, { url: /\/objects\?/ }, 'the server is busy')
  await button(page, 'Refresh').click()
  const retry = button(page, 'Retry')
  await retry.waitFor()
  await mend()
  await retry.click()
  await retry.waitFor({ state: 'hidden' })
  await expectFocus(button(page, 'Refresh'))

  const uploads = await failCalls(page, { url: /\/objects\/upload/, method: 'POST' }, 'not now', 403)
  await chooseFiles(page, [memoryFile('b.txt', 'b')])
  const tray = page.getByRole('region', { name: 'Transfers' })
  await tray.getByRole('button', { name: 'Retry' }).waitFor()
  await uploads.mend()
  await tray.getByRole('button', { name: 'Retry' }).click()
  await expectFocus(tray.getByRole('button', { name: 'Expand transfers' }))
  await tray.getByText('1 done').last().waitFor()
})
