import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { MiB } from '@stowage/contract'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { holdCalls } from '../../support/browser/page-calls.ts'
import { clickRowAction, tableRow } from '../../support/browser/rows.ts'
import { md5Digest, newBucketWith } from '../../support/data/objects.ts'
import { allowS3Conditionally } from '../../support/data/policies.ts'
import { unzip } from '../../support/data/zip.ts'
import { startFaultProxy } from '../../support/network/fault-proxy.ts'

const browser = useBrowser()
const { open } = browser

/** Returns the file that the browser saved after a click. */
async function saved(page: Page, click: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}
const buffer = (bytes: Buffer) => new Uint8Array(bytes).buffer

test('a row’s Download saves the object under its name [OBJ-10] [OBJ-28]', async () => {
  const bytes = randomBytes(2 * MiB)
  const bucket = await newBucketWith(browser.target, { 'in/rapport é 😀.bin': bytes })
  const page = await open(`/object-browser/${bucket}/in/`)
  const file = await saved(page, () => clickRowAction(page, 'rapport é 😀.bin', 'Download'))
  expect(file.name).toBe('rapport é 😀.bin')
  expect(md5Digest(file.bytes)).toBe(md5Digest(bytes))
  expect(await page.getByText('Download process started').count()).toBe(0)
})

test('an object’s detail has Download too, for an empty object as well [OBJ-28]', async () => {
  const bucket = await newBucketWith(browser.target, { empty: '' })
  const page = await open(`/object-browser/${bucket}/empty`)
  const detail = page.getByRole('complementary', { name: 'Object details' })
  const file = await saved(page, () => detail.getByRole('button', { name: 'Download' }).click())
  expect(file.name).toBe('empty')
  expect(file.bytes).toHaveLength(0)
})

test('the button shows progress only while a download is requested [OBJ-18] [SHL-40]', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'a' })
  const page = await open(`/object-browser/${bucket}`)
  await tableRow(page, 'a.txt').waitFor()
  const call = await holdCalls(page, { url: '**/objects/download?**' })
  const download = page.waitForEvent('download')
  await clickRowAction(page, 'a.txt', 'Download')
  const button = tableRow(page, 'a.txt').locator('button[data-loading]')
  await button.waitFor({ state: 'attached' })
  await call.release()
  await download
  await button.waitFor({ state: 'detached' })
})

test('a download over 100 MiB shows that it may take a while [OBJ-31]', async () => {
  const bucket = await newBucketWith(browser.target, { huge: Buffer.alloc(100 * MiB + 1) })
  const page = await open(`/object-browser/${bucket}`)
  await tableRow(page, 'huge').waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), clickRowAction(page, 'huge', 'Download')])
  await page.getByText('Download process started, it may take a few moments to complete').waitFor()
  await page.getByText('If the download is interrupted, resume it in the downloads of your browser.').waitFor()
  await download.cancel()
})

test('a download that is cut in the middle does not look whole, and can be repeated', async () => {
  const bytes = randomBytes(8 * MiB)
  const bucket = await newBucketWith(browser.target, { 'big.bin': bytes })
  await using network = await startFaultProxy(browser.target.url)
  const page = await open(`/object-browser/${bucket}`, { url: network.url })
  await tableRow(page, 'big.bin').waitFor()
  const click = () => clickRowAction(page, 'big.bin', 'Download')
  network.set({ cutDownAfter: 3 * MiB })
  const [cut] = await Promise.all([page.waitForEvent('download'), click()])
  expect(await cut.failure()).not.toBeNull()
  expect(network.cuts).toBe(1)
  expect(md5Digest((await saved(page, click)).bytes)).toBe(md5Digest(bytes))
})

test('a selection is downloaded as one zip, folders with their content', async () => {
  const bucket = await newBucketWith(browser.target, {
    'a.txt': 'a',
    'b.txt': 'b',
    'dir/c.txt': 'c',
    'dir/d/e.txt': 'e',
  })
  const page = await open(`/object-browser/${bucket}`)
  await page.getByLabel('Select a.txt').check()
  await page.getByLabel('Select dir/', { exact: true }).check()
  const file = await saved(page, () => page.getByRole('toolbar').getByRole('button', { name: 'Download' }).click())
  expect(file.name).toBe(`${bucket}.zip`)
  expect(await unzip(buffer(file.bytes))).toEqual({ 'a.txt': 'a', 'dir/c.txt': 'c', 'dir/d/e.txt': 'e' })
})

test('a folder is downloaded as a zip with its name', async () => {
  const bucket = await newBucketWith(browser.target, { 'x/dir/c.txt': 'c' })
  const page = await open(`/object-browser/${bucket}/x/`)
  const file = await saved(page, () => clickRowAction(page, 'dir/', 'Download'))
  expect(file.name).toBe('dir.zip')
  expect(Object.values(await unzip(buffer(file.bytes)))).toEqual(['c'])
})

test('a refused download is reported in the page, and leaves no file', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'a' })
  const as = await browser.target.newUser(allowS3Conditionally(['s3:GetObject'], ['s3:ListBucket']))
  const page = await open(`/object-browser/${bucket}`, { as })
  const downloads: string[] = []
  page.on('download', (download) => downloads.push(download.suggestedFilename()))
  await clickRowAction(page, 'a.txt', 'Download')
  await page
    .getByRole('alert')
    .getByText(/access denied/i)
    .waitFor()
  expect(downloads).toEqual([])
})
