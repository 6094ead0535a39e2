import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { listKeys, newBucketWith } from '../../support/data/objects.ts'

const browser = useBrowser()
const { open } = browser

test('A folder is checked and moved into another bucket, and a deletion of the rest is undone', async () => {
  const bucket = await newBucketWith(browser.target, {
    'italy/como.jpg': 'x',
    'italy/lakes/iseo.jpg': 'yy',
    'a.txt': 'z',
  })
  await browser.target.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  const target = await newBucketWith(browser.target, { 'photos/italy/como.jpg': 'other' })
  const page = await open(`/object-browser/${bucket}`)
  await page.getByRole('row', { name: /italy/ }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Copy or move' }).click()
  const dialog = page.getByRole('dialog', { name: /Copy, move or rename/ })
  await dialog.getByText('Move', { exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Target bucket' }).fill(target)
  await page.getByRole('option', { name: target }).click()
  await dialog.getByLabel('Target folder').fill('photos')
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByText('1 object would be changed (2 B)').waitFor()
  await dialog.getByText('1 object would be unchanged').waitFor()
  expect(await listKeys(browser.target, target)).toEqual(['photos/italy/como.jpg'])
  await dialog.getByRole('button', { name: 'Move' }).click()

  const tray = page.getByRole('region', { name: 'Transfers' })
  await tray.getByText('1 object moved, 1 unchanged').waitFor()
  expect(await listKeys(browser.target, target)).toEqual(['photos/italy/como.jpg', 'photos/italy/lakes/iseo.jpg'])
  expect(await listKeys(browser.target, bucket)).toEqual(['a.txt', 'italy/como.jpg'])

  await page.getByRole('row', { name: /italy/ }).getByRole('checkbox').check()
  await page
    .getByRole('row', { name: /a\.txt/ })
    .getByRole('checkbox')
    .check()
  await page.getByRole('button', { name: 'Delete Selected' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Selected' }).click()
  await tray.getByRole('button', { name: 'Undo' }).click()
  await tray.getByText('2 objects restored').waitFor()
  expect(await listKeys(browser.target, bucket)).toEqual(['a.txt', 'italy/como.jpg'])
})
