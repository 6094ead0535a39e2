import { PutObjectCommand } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { holdCalls } from '../../support/browser/page-calls.ts'
import { stopClock } from '../../support/browser/page-clock.ts'
import { clickRowAction, tableRow } from '../../support/browser/rows.ts'
import { newBucketWith } from '../../support/data/objects.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser
const pagePath = (page: { url(): string }) => new URL(page.url()).pathname

test('All Buckets lists names and used space, filters, and View opens the bucket [OBJ-01]', async () => {
  const bucket = await newBucketWith(browser.target, { a: 'x'.repeat(3000) })
  const page = await open('/object-browser')
  await page.getByRole('heading', { name: 'All Buckets' }).waitFor()
  await page.getByLabel('Filter Buckets').fill(bucket)
  const row = tableRow(page, bucket)
  await expect.poll(() => row.textContent()).toMatch(/2\.9\s*KiB/)
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  for (const column of ['Name', 'Used Space'])
    expect(await page.getByRole('columnheader', { name: column }).count()).toBe(1)
  await browser.target.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'b', Body: 'x'.repeat(3000) }))
  expect(await row.textContent()).toMatch(/2\.9\s*KiB/)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.poll(() => row.textContent()).toMatch(/5\.9\s*KiB/)
  await clickRowAction(page, bucket, 'View')
  await page.getByRole('heading', { name: bucket, level: 1 }).waitFor()
  expect(pagePath(page)).toBe(`/object-browser/${bucket}`)
})

test('a bucket created from here can be opened [OBJ-02]', async () => {
  const name = browser.target.freshName()
  const page = await open(`/object-browser?browse-buckets.filter=${name}`)
  await page.getByRole('button', { name: 'Create Bucket' }).click()
  await page.getByLabel('Bucket Name').fill(name)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByText('This location is empty, please try uploading a new file').waitFor()
})

test('folders are first; columns are Name, Last Modified and Size [OBJ-08]', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'a', 'm/x': '1', 'z/x': '1', 'b.txt': 'bb' })
  const page = await open(`/object-browser/${bucket}`)
  const names = page.locator('tbody a[data-row-link]')
  await expect.poll(() => names.allTextContents()).toEqual(['m/', 'z/', 'a.txt', 'b.txt'])
  const heads = page.getByRole('columnheader')
  const columns = (await heads.allTextContents()).filter((text) => text !== '' && text !== 'Actions')
  expect(columns).toEqual(['Name', 'Last Modified', 'Size'])
  const cells = await tableRow(page, 'b.txt').getByRole('cell').allTextContents()
  expect(cells.map((text) => text.trim()).filter((text) => text !== '')).toEqual([
    'b.txt',
    expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    expect.stringMatching(/^2\s?B$/),
  ])
  // In the other order too.
  await page.getByRole('button', { name: 'Name' }).click()
  await expect.poll(() => names.allTextContents()).toEqual(['z/', 'm/', 'b.txt', 'a.txt'])
})

test('the title is the bucket or folder; Search Objects filters by a part of the name [OBJ-06] [OBJ-07]', async () => {
  const bucket = await newBucketWith(browser.target, { 'dir/one.txt': '1', 'dir/two.txt': '2', 'dir/three.csv': '3' })
  const page = await open(`/object-browser/${bucket}`)
  await page.getByRole('heading', { name: bucket, level: 1 }).waitFor()
  for (const name of ['Refresh', 'New Folder Path', 'Upload'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(1)
  await page.getByRole('link', { name: 'dir/', exact: true }).click()
  await page.getByRole('heading', { name: 'dir', level: 1 }).waitFor()
  const names = page.locator('tbody a[data-row-link]')
  await expect.poll(() => names.count()).toBe(3)
  await page.getByLabel('Search Objects').fill('O')
  await expect.poll(() => names.allTextContents()).toEqual(['one.txt', 'two.txt'])
  await page.getByLabel('Search Objects').fill('.csv')
  await expect.poll(() => names.allTextContents()).toEqual(['three.csv'])
})

test('Delete Selected is disabled without a selection, with the reason [OBJ-07]', async () => {
  const bucket = await newBucketWith(browser.target, { a: '1' })
  const page = await open(`/object-browser/${bucket}`)
  const button = page.getByRole('button', { name: 'Delete Selected' })
  await button.waitFor()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await page.getByLabel('Select a', { exact: true }).check()
  await expect.poll(() => button.getAttribute('aria-disabled')).not.toBe('true')
})

test('a row can be viewed, downloaded and deleted; View opens the object next to the list [OBJ-10]', async () => {
  const bucket = await newBucketWith(browser.target, { 'dir/one.txt': 'hello' })
  const page = await open(`/object-browser/${bucket}/dir/`)
  const row = tableRow(page, 'one.txt')
  await row.hover()
  for (const name of ['Download dir/one.txt', 'Delete dir/one.txt'])
    expect(await row.getByRole('button', { name }).count()).toBe(1)
  await clickRowAction(page, 'one.txt', 'View')
  const detail = page.getByRole('complementary', { name: 'Object details' })
  await detail.getByRole('heading', { name: 'one.txt' }).waitFor()
  await detail.getByText('5 bytes').waitFor()
  expect(pagePath(page)).toBe(`/object-browser/${bucket}/dir/one.txt`)
  await page.keyboard.press('Escape')
  await detail.waitFor({ state: 'hidden' })
  expect(pagePath(page)).toBe(`/object-browser/${bucket}/dir/`)
})

test('a URL without a trailing slash opens the object, or a folder if there is no object [OBJ-04] [OBJ-05]', async () => {
  const bucket = await newBucketWith(browser.target, { 'a/b.txt': '1', 'c/d/e': '2' })
  const page = await open(`/object-browser/${bucket}/a/b.txt/`)
  await page.getByRole('complementary', { name: 'Object details' }).getByRole('heading', { name: 'b.txt' }).waitFor()
  await page.goto(`object-browser/${bucket}/c/d`)
  await page.getByRole('link', { name: 'e', exact: true }).waitFor()
  expect(await page.getByRole('complementary', { name: 'Object details' }).count()).toBe(0)
  expect(pagePath(page)).toBe(`/object-browser/${bucket}/c/d/`)
})

test('breadcrumbs start with All Buckets, and each leads to its level [OBJ-16]', async () => {
  const bucket = await newBucketWith(browser.target, { 'a/b/c.txt': '1' })
  const page = await open(`/object-browser/${bucket}/a/b/`)
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
  await crumbs.waitFor()
  expect((await crumbs.textContent())?.split('/').map((s) => s.trim())).toEqual(['All Buckets', bucket, 'a', 'b'])
  await crumbs.getByRole('link', { name: 'a', exact: true }).click()
  await page.getByRole('link', { name: 'b/', exact: true }).waitFor()
  expect(pagePath(page)).toBe(`/object-browser/${bucket}/a/`)
  await crumbs.getByRole('link', { name: 'All Buckets', exact: true }).click()
  await page.getByRole('heading', { name: 'All Buckets' }).waitFor()
  expect(pagePath(page)).toBe('/object-browser')
})

test('a new path is chosen in a dialog; Go is disabled while it is blank [OBJ-12]', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/object-browser/${bucket}`)
  await page.getByRole('button', { name: 'New Folder Path' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose or create a new path' })
  const path = dialog.getByLabel('New Folder Path')
  const go = dialog.getByRole('button', { name: 'Go' })
  await path.waitFor()
  expect(await go.isDisabled()).toBe(true)
  await path.fill('  ')
  expect(await go.isDisabled()).toBe(true)
  await path.fill('2026/november')
  await dialog.getByRole('button', { name: 'Clear' }).click()
  expect(await path.inputValue()).toBe('')
  await path.fill('2026/november')
  await go.click()
  await page.getByRole('heading', { name: 'november', level: 1 }).waitFor()
  expect(pagePath(page)).toBe(`/object-browser/${bucket}/2026/november/`)
})

test('a slow list is announced after 3 s, with the duration from 6 s on [OBJ-19] [SHL-41]', async () => {
  const bucket = await newBucketWith(browser.target, { 'slow/a': '1' })
  const page = await open(`/object-browser/${bucket}`, { clock: true })
  await page.getByRole('link', { name: 'slow/', exact: true }).waitFor()
  const list = await holdCalls(page, { url: '**/objects?**' })
  const clock = await stopClock(page)
  await page.getByRole('link', { name: 'slow/', exact: true }).click()
  const notice = page.getByRole('table').getByRole('status')
  await clock.run(400)
  await expect.poll(() => notice.textContent()).toBe('Loading...')
  await clock.run(2_400)
  expect(await notice.textContent()).toBe('Loading...')
  await clock.run(1_000)
  await expect.poll(() => notice.textContent()).toBe('This operation is taking longer than expected...')
  await clock.run(3_000)
  await expect.poll(() => notice.textContent()).toMatch(/taking longer than expected.*6 seconds/)
  await clock.run(2_000)
  await expect.poll(() => notice.textContent()).toMatch(/8 seconds/)
  await list.release()
  await page.clock.resume()
  await page.getByRole('link', { name: 'a', exact: true }).waitFor()
  expect(await notice.count()).toBe(0)
})

test('a bucket that may not be listed shows the missing right', async () => {
  const bucket = await newBucketWith(browser.target, { a: '1' })
  const as = await browser.target.newUser(allowS3(['s3:GetBucketLocation'], [bucket]))
  const page = await open(`/object-browser/${bucket}`, { as })
  const denied = page.getByRole('alert').filter({ hasText: 'Access Denied' })
  await denied.getByText('s3:ListBucket').waitFor()
  await denied.getByRole('button', { name: 'Retry' }).waitFor()
})

test('a missing bucket is reported', async () => {
  const page = await open('/object-browser/no-such-bucket-anywhere')
  await page.getByRole('alert').getByText('The specified bucket does not exist').waitFor()
})

test('opening and closing an object keeps the view of the list; another folder resets it', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': '1', 'ab.txt': '22', 'ac/x': '3', 'b.txt': '4' })
  const page = await open(`/object-browser/${bucket}?starts=a&objects.sort=-size&objects.filter=a`)
  const search = () => Object.fromEntries(new URL(page.url()).searchParams)
  const shown = { starts: 'a', 'objects.sort': '-size', 'objects.filter': 'a' }
  await page.getByRole('link', { name: 'ab.txt', exact: true }).click()
  const detail = page.getByRole('complementary', { name: 'Object details' })
  await detail.getByRole('heading', { name: 'ab.txt' }).waitFor()
  expect(search()).toEqual(shown)
  await tableRow(page, 'a.txt').focus()
  await page.keyboard.press('Enter')
  await detail.getByRole('heading', { name: 'a.txt', exact: true }).waitFor()
  expect(search()).toEqual(shown)
  await detail.getByRole('button', { name: 'Close' }).click()
  await detail.waitFor({ state: 'hidden' })
  expect(search()).toEqual(shown)
  await page.getByRole('link', { name: 'ac/', exact: true }).click()
  await page.getByRole('link', { name: 'x', exact: true }).waitFor()
  expect(search()).toEqual({})
})

test('Refresh is busy while the folder is read again', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': '1' })
  const page = await open(`/object-browser/${bucket}`)
  await page.getByRole('link', { name: 'a.txt', exact: true }).waitFor()
  const answer = await holdCalls(page, { url: /\/objects\?/ })
  const refresh = page.getByRole('button', { name: 'Refresh' })
  await refresh.click()
  await expect.poll(() => refresh.getAttribute('data-loading')).toBe('true')
  await answer.release()
  await expect.poll(() => refresh.getAttribute('data-loading')).toBe(null)
})

test('the title of the tab is the folder, or the object that is open; times show their time zone', async () => {
  const bucket = await newBucketWith(browser.target, { 'dir/a.txt': '1' })
  const page = await open(`/object-browser/${bucket}/dir/`)
  await page.getByRole('link', { name: 'a.txt', exact: true }).waitFor()
  await expect.poll(() => page.title()).toBe('dir – Stowage')
  expect(await page.getByRole('row', { name: 'a.txt' }).locator('time').getAttribute('title')).toMatch(
    / GMT([+-]\d\d:\d\d)?$/,
  )
  await page.getByRole('link', { name: 'a.txt', exact: true }).click()
  await expect.poll(() => page.title()).toBe('a.txt – Stowage')
  await page.getByRole('complementary', { name: 'Object details' }).getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => page.title()).toBe('dir – Stowage')
})
