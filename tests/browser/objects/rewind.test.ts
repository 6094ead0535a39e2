import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { tableRow } from '../../support/browser/rows.ts'
import { newBucketWith, readObjectText } from '../../support/data/objects.ts'

const browser = useBrowser()
const { open } = browser

const put = (bucket: string, Key: string, Body: string) =>
  browser.target.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }))

/** Creates a bucket in which one object was replaced, one deleted and one added after a certain time. */
async function changedBucket(): Promise<{ bucket: string; before: string }> {
  const bucket = await browser.target.newBucket()
  await browser.target.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  await put(bucket, 'dir/kept.txt', 'one')
  await put(bucket, 'dir/gone.txt', 'x')
  const { objects } = await browser.target.call('listObjects', { params: { bucket }, query: { prefix: 'dir/' } })
  const before = Math.max(...objects.map(({ last_modified: at }) => Date.parse(at))) + 1
  // The next writes get a later time by the server's clock.
  await expect
    .poll(async () => {
      await put(bucket, 'clock', 'x')
      const query = { prefix: 'clock', limit: 1 }
      const { objects: now } = await browser.target.call('listObjects', { params: { bucket }, query })
      return Date.parse(now[0]?.last_modified ?? '')
    })
    .toBeGreaterThan(before)
  await put(bucket, 'dir/kept.txt', 'second')
  await browser.target.root.send('deleteObject', { params: { bucket }, query: { path: 'dir/gone.txt' } })
  await put(bucket, 'dir/new.txt', 'x')
  return { bucket, before: new Date(before).toISOString() }
}

const names = (page: Page) => page.locator('tbody a[data-row-link]').allTextContents()

test('Rewind shows a past state of a folder, with its breadcrumb, and nothing can be changed [OBJ-09] [OBJ-13] [OBJ-14] [OBJ-15] [OBJ-16]', async () => {
  const { bucket, before } = await changedBucket()
  const page = await open(`/object-browser/${bucket}/dir/`)
  await expect.poll(() => names(page)).toEqual(['kept.txt', 'new.txt'])
  await page.getByRole('button', { name: 'Rewind', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Rewind - ${bucket}` })
  expect(await dialog.getByRole('button', { name: 'Show Current Data' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Rewind to').fill('2020-01-01T00:00:00')
  await dialog.getByRole('button', { name: 'Show Rewind Data' }).click()
  await page.getByText('This location is empty').waitFor()
  await page.getByText(/^Rewind: 2020-01-01/).waitFor()

  // To the millisecond, as in a link.
  await page.goto(`object-browser/${bucket}/dir/?at=${before}`)
  await expect.poll(() => names(page)).toEqual(['gone.txt', 'kept.txt'])
  const heads = (await page.getByRole('columnheader').allTextContents()).filter(
    (text) => text !== '' && text !== 'Actions',
  )
  expect(heads).toEqual(['Name', 'Object Date', 'Size', 'Deleted'])
  expect(await tableRow(page, 'kept.txt').textContent()).toMatch(/3\s*B/)
  expect(await page.getByRole('button', { name: 'Upload' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'New Folder Path' }).count()).toBe(0)
  const remove = tableRow(page, 'kept.txt').getByRole('button', { name: /^Delete/ })
  await tableRow(page, 'kept.txt').hover()
  expect(await remove.getAttribute('aria-disabled')).toBe('true')

  // The version of that time is opened, and other folders of the bucket are rewound too.
  await page.getByRole('link', { name: 'kept.txt', exact: true }).click()
  const detail = page.getByRole('complementary', { name: 'Object details' })
  await detail.getByText('3 bytes').waitFor()
  await page.getByRole('link', { name: bucket, exact: true }).click()
  await expect.poll(() => names(page)).toContain('dir/')
  await page.getByText(/^Rewind: /).waitFor()
  await page.getByRole('button', { name: 'Rewind', exact: true }).click()
  await page.getByRole('button', { name: 'Show Current Data' }).click()
  await expect.poll(() => page.getByText(/^Rewind: /).count()).toBe(0)
  // Another bucket is not rewound.
  const other = await newBucketWith(browser.target, { 'a.txt': 'x' })
  await page.goto(`object-browser/${other}`)
  await expect.poll(() => names(page)).toEqual(['a.txt'])
})

test('an object that was deleted at that time cannot be downloaded [OBJ-15]', async () => {
  const { bucket } = await changedBucket()
  const page = await open(`/object-browser/${bucket}/dir/?at=${new Date(Date.now() + 60_000).toISOString()}`)
  await expect.poll(() => names(page)).toEqual(['gone.txt', 'kept.txt', 'new.txt'])
  const gone = tableRow(page, 'gone.txt')
  expect(await gone.textContent()).toContain('Yes')
  expect(await tableRow(page, 'kept.txt').textContent()).toContain('No')
  // Without a header, "No" would not say what it means.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => gone.textContent()).toContain('Deleted')
  expect(await tableRow(page, 'kept.txt').textContent()).not.toContain('No')
  await page.setViewportSize({ width: 1440, height: 900 })
  await gone.hover()
  for (const action of [/^Download/, /^Delete/, /^Preview/])
    expect(await gone.getByRole('button', { name: action }).getAttribute('aria-disabled')).toBe('true')
  const download = tableRow(page, 'kept.txt').getByRole('button', { name: /^Download/ })
  expect(await download.getAttribute('aria-disabled')).toBe(null)
})

test('Show deleted objects lists them, and a deletion is undone', async () => {
  const { bucket } = await changedBucket()
  const page = await open(`/object-browser/${bucket}/dir/`)
  await page.getByRole('button', { name: 'Show deleted objects' }).click()
  await expect.poll(() => names(page)).toEqual(['gone.txt', 'kept.txt', 'new.txt'])
  await page.getByRole('link', { name: 'gone.txt', exact: true }).click()
  await page.getByRole('button', { name: 'Undo Deletion' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo Deletion' }).click()
  await expect.poll(() => tableRow(page, 'gone.txt').textContent()).toContain('No')
})

test('a bucket without versions cannot be rewound', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'x' })
  const page = await open(`/object-browser/${bucket}`)
  await expect.poll(() => names(page)).toEqual(['a.txt'])
  expect(await page.getByRole('button', { name: 'Rewind', exact: true }).getAttribute('aria-disabled')).toBe('true')
})

test('A folder is restored to a date, after a preview of the changes', async () => {
  const { bucket, before } = await changedBucket()
  const page = await open(`/object-browser/${bucket}/dir/?at=${before}`)
  await page.getByRole('button', { name: 'Restore this folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'Restore this folder' })
  await dialog.getByText(/^3 objects would be changed/).waitFor()
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('region', { name: 'Transfers' }).getByText('3 objects restored').waitFor()
  await expect.poll(() => names(page)).toEqual(['gone.txt', 'kept.txt'])
  await expect.poll(() => readObjectText(browser.target, bucket, 'dir/kept.txt')).toBe('one')
})
