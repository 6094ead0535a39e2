import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { recordCalls } from '../../support/browser/page-calls.ts'
import { newBucketWith, newLockBucket } from '../../support/data/objects.ts'

const browser = useBrowser()
const { open } = browser

const put = (bucket: string, Key: string, Body: string | Uint8Array, more: object = {}) =>
  browser.target.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body, ...more }))

async function versionedBucket(): Promise<string> {
  const bucket = await browser.target.newBucket()
  await browser.target.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  return bucket
}

const detail = (page: Page) => page.getByRole('complementary', { name: 'Object details' })
const details = (bucket: string, prefix: string) =>
  browser.target.call('getObject', { params: { bucket }, query: { prefix } })

test('Share, Download and Delete Object are above the tabs, and are disabled for a deleted object [OBJ-33]', async () => {
  const bucket = await versionedBucket()
  await put(bucket, 'a.txt', 'x')
  const page = await open(`/object-browser/${bucket}/a.txt`)
  const button = (name: string) => detail(page).getByRole('button', { name, exact: true })
  for (const name of ['Share', 'Download', 'Delete Object'])
    await expect.poll(() => button(name).getAttribute('aria-disabled')).toBe(null)
  await browser.target.root.send('deleteObject', { params: { bucket }, query: { path: 'a.txt' } })
  await page.reload()
  await detail(page).getByText('The object is deleted.', { exact: true }).first().waitFor()
  for (const name of ['Share', 'Download', 'Delete Object'])
    await expect.poll(() => button(name).getAttribute('aria-disabled')).toBe('true')
})

test('tags are added when key and label are filled in, and removed [OBJ-34] [OBJ-45] [OBJ-46]', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'x' })
  const page = await open(`/object-browser/${bucket}/a.txt`)
  await detail(page).getByRole('button', { name: 'Add tag' }).click()
  const save = page.getByRole('button', { name: 'Save' })
  await page.getByLabel('New Tag Key').fill('env')
  await page.getByLabel('New Tag Label').fill('  ')
  expect(await save.isDisabled()).toBe(true)
  await page.getByLabel('New Tag Label').fill(' test ')
  await save.click()
  await detail(page).getByText('env : test').waitFor()
  expect((await details(bucket, 'a.txt')).tags).toEqual({ env: 'test' })
  await detail(page).getByRole('button', { name: 'Delete tag env' }).click()
  await page.getByRole('button', { name: 'Delete Tag', exact: true }).click()
  await detail(page).getByText('No tags').waitFor()
  expect((await details(bucket, 'a.txt')).tags).toEqual({})
})

test('metadata is shown and changed [OBJ-23] [OBJ-34]', async () => {
  const bucket = await browser.target.newBucket()
  await put(bucket, 'a.txt', 'x', { ContentType: 'text/plain', Metadata: { colour: 'blue' } })
  const page = await open(`/object-browser/${bucket}/a.txt`)
  const metadata = detail(page).getByRole('region', { name: 'Object Metadata' })
  await metadata.getByText('x-amz-meta-colour').waitFor()
  await metadata.getByRole('button', { name: 'Edit metadata' }).click()
  await page.getByLabel('Content type').fill('text/markdown')
  await page.getByLabel('Value').fill('green')
  await page.getByRole('button', { name: 'Save' }).click()
  await metadata.getByText('green').waitFor()
  expect(await details(bucket, 'a.txt')).toMatchObject({
    content_type: 'text/markdown',
    user_metadata: { colour: 'green' },
  })
})

test('storage class, checksums and encryption are shown with their values', async () => {
  const bucket = await browser.target.newBucket()
  const ServerSideEncryption = 'AES256' as const
  const more = { StorageClass: 'REDUCED_REDUNDANCY', ChecksumAlgorithm: 'SHA256', ServerSideEncryption }
  await put(bucket, 'a.txt', 'x', more)
  const page = await open(`/object-browser/${bucket}/a.txt`)
  const { checksums } = await details(bucket, 'a.txt')
  const fact = (name: string) =>
    detail(page)
      .locator('dt', { hasText: new RegExp(`^${name}$`) })
      .locator('+ dd')
  await fact('Storage class').getByText('REDUCED_REDUNDANCY').waitFor()
  expect(await fact('SHA256').textContent()).toBe(checksums.sha256)
  expect(await fact('Encryption').textContent()).toBe('AES256')
})

test('legal hold and retention of a locked bucket [OBJ-39] [OBJ-40] [OBJ-41] [OBJ-47]', async () => {
  const bucket = await newLockBucket(browser.target)
  if (!bucket) return
  await put(bucket, 'a.txt', 'x')
  const page = await open(`/object-browser/${bucket}/a.txt`)
  await detail(page).getByRole('button', { name: 'Change legal hold' }).click()
  await page.getByRole('button', { name: 'Set Legal Hold' }).click()
  await detail(page).getByText('On', { exact: true }).waitFor()
  expect((await details(bucket, 'a.txt')).legal_hold_status).toBe('ON')

  const change = detail(page).getByRole('button', { name: 'Change retention' })
  await change.click()
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: 'Save' })
  expect(await save.isDisabled()).toBe(true)
  await dialog.getByText('In governance mode, users with a special right').waitFor()
  await dialog.getByText('Governance', { exact: true }).click()
  await dialog.getByText('Only users with a special right').waitFor()
  expect(await save.isDisabled()).toBe(true)
  await dialog.getByLabel('Date').fill('2031-01-02')
  await save.click()
  await detail(page)
    .getByText(/Governance until/)
    .waitFor()
  const { retention_until_date: until } = await details(bucket, 'a.txt')
  expect(Date.parse(until ?? '')).toBe(Date.parse('2031-01-02T23:59:59Z'))

  await change.click()
  expect(await dialog.getByRole('radio', { name: 'Compliance' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Status').click({ force: true })
  await save.click()
  await expect.poll(async () => (await details(bucket, 'a.txt')).retention_mode).toBeUndefined()

  const compliance = { mode: 'compliance' as const, expires: '2031-01-02T23:59:59Z' }
  await browser.target.call('setObjectRetention', { params: { bucket }, query: { prefix: 'a.txt' }, body: compliance })
  await page.reload()
  await change.click()
  await dialog.getByLabel('Date').waitFor()
  expect(await dialog.getByLabel('Status').count()).toBe(0)
})

test('versions have a number, an ID and a date; are searched, shared, restored and deleted [OBJ-35] [OBJ-36]', async () => {
  const bucket = await versionedBucket()
  const { VersionId: first = '' } = await put(bucket, 'a.txt', 'one')
  await put(bucket, 'a.txt', 'second')
  await put(bucket, 'a.txt.bak', 'neighbour')
  await browser.target.root.send('deleteObject', { params: { bucket }, query: { path: 'a.txt' } })
  const page = await open(`/object-browser/${bucket}/a.txt?tab=versions`)
  const rows = detail(page).getByRole('list', { name: 'Versions' }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(3)
  expect(await rows.nth(0).textContent()).toMatch(/^3.*Deleted, latest/)
  expect(await rows.nth(2).textContent()).toMatch(/^1.*, 3 B/)
  for (const name of ['Share', 'Download'])
    expect(
      await rows
        .nth(0)
        .getByRole('button', { name: `${name} version 3` })
        .getAttribute('aria-disabled'),
    ).toBe('true')
  await page.getByLabel('Search by version ID').fill(first)
  await expect.poll(() => rows.count()).toBe(1)
  await rows.nth(0).getByRole('button', { name: 'More actions for version 1' }).click()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  await page.getByRole('button', { name: 'Restore Version' }).click()
  await page.getByLabel('Search by version ID').fill('')
  await expect.poll(() => rows.count()).toBe(4)
  expect((await details(bucket, 'a.txt')).size).toBe(3)
  await rows.nth(1).getByLabel('Select version 3').check()
  await page.getByRole('button', { name: 'Delete 1 version' }).click()
  await page.getByRole('button', { name: 'Delete Versions' }).click()
  await expect.poll(() => rows.count()).toBe(3)
})

test('a bucket without versions has no Versions tab to open [OBJ-24] [OBJ-35]', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'x' })
  let calls: string[] = []
  const page = await open(`/object-browser/${bucket}/a.txt`, {
    before: async (page) => {
      calls = recordCalls(page, /\/versioning$/)
    },
  })
  const tab = detail(page).getByRole('tab', { name: 'Versions' })
  await expect.poll(() => tab.getAttribute('aria-disabled')).toBe('true')
  await tab.click({ force: true })
  expect(await tab.getAttribute('aria-selected')).toBe('false')
  expect(calls).toContain(`GET /api/v1/buckets/${bucket}/versioning`)
})

test('a share link is shown immediately, changes with the date and is copied [OBJ-48] [OBJ-49] [OBJ-50] [OBJ-52]', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'content' })
  const page = await open(`/object-browser/${bucket}/a.txt`)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const calls = recordCalls(page, /\/objects\/share$/)
  await detail(page).getByRole('button', { name: 'Share' }).click()
  expect(await page.getByLabel('Specific Date').isChecked()).toBe(true)
  const link = page.getByLabel('Link', { exact: true })
  await expect.poll(() => link.inputValue()).toMatch(/^http.*X-Amz-Signature=/)
  expect(await (await fetch(await link.inputValue())).text()).toBe('content')
  const day = new Date(Date.now() + 86_400_000).toLocaleDateString('sv')
  await page.getByLabel('Active until').fill(day)
  await expect.poll(() => calls.length).toBe(2)
  expect(calls[0]).not.toBe(calls[1])
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Share URL Copied to clipboard').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await link.inputValue())
  await page.getByLabel('Active until').fill('2020-01-01')
  await page.getByText('Selected date must be greater than current time.').waitFor()
  expect(await link.inputValue()).toBe('')
  await page.getByLabel('Active until').fill('2099-01-01')
  await page.getByText('You can share a file only for less than 7 days.').waitFor()
})

test('a link can be created to outlive the session, and revoked', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'content' })
  const page = await open(`/object-browser/${bucket}/a.txt`)
  await detail(page).getByRole('button', { name: 'Share' }).click()
  // On a phone, the button is below the text of the notice.
  await page.setViewportSize({ width: 390, height: 844 })
  const create = page.getByRole('button', { name: 'Create link' })
  const notice = page.getByText(/^This link is signed by your session/)
  await expect.poll(async () => (await notice.boundingBox())?.width).toBeGreaterThan(240)
  expect(await create.isVisible()).toBe(true)
  await page.setViewportSize({ width: 1440, height: 900 })
  await create.click()
  const revoke = page.getByRole('button', { name: /^Revoke the link/ })
  await revoke.waitFor()
  const link = await page.getByLabel('Link', { exact: true }).inputValue()
  expect(Number(new URL(link).searchParams.get('X-Amz-Expires'))).toBeGreaterThan(5 * 86_400)
  expect((await fetch(link)).status).toBe(200)
  await revoke.click()
  await expect.poll(async () => (await fetch(link)).status).toBe(403)
})

test('text, tables and images are previewed, in the drawer and from the row [OBJ-10] [OBJ-11] [OBJ-37]', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const bucket = await newBucketWith(browser.target, {
    'a.txt': '<b>plain</b>',
    'b.csv': 'name,size\nlake,1',
    'c.png': png,
    'd.zip': 'x',
  })
  const page = await open(`/object-browser/${bucket}/a.txt?tab=preview`)
  await detail(page).getByText('<b>plain</b>').waitFor()
  await page.goto(`object-browser/${bucket}/d.zip`)
  await expect.poll(() => detail(page).getByRole('tab', { name: 'Preview' }).getAttribute('aria-disabled')).toBe('true')
  await page.goto(`object-browser/${bucket}`)
  const preview = async (name: string) => {
    const row = page.getByRole('row').filter({ hasText: name })
    await row.hover()
    await row.getByRole('button', { name: 'Preview' }).click()
    return page.getByRole('dialog', { name: `Preview - ${name}` })
  }
  const table = await preview('b.csv')
  await table.getByRole('columnheader', { name: 'size' }).waitFor()
  await page.keyboard.press('Escape')
  const image = (await preview('c.png')).getByRole('img', { name: 'c.png' })
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1)
})

test('content that is not a text or image is reported [OBJ-38]', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': Buffer.from([1, 0, 2]), 'b.png': 'no picture' })
  const page = await open(`/object-browser/${bucket}/a.txt?tab=preview`)
  const fallback = page.getByText("File couldn't be loaded. Please try Download instead")
  await fallback.waitFor()
  await page.goto(`object-browser/${bucket}/b.png?tab=preview`)
  await fallback.waitFor()
})

test('no script of a previewed file runs, and nothing it refers to is fetched', async () => {
  const attack = '<script>parent.hacked = 1; document.cookie</script><img src="/api/v1/session?stolen">'
  const bucket = await browser.target.newBucket()
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="parent.hacked = 1"><image href="/api/v1/session?stolen"/></svg>`
  for (const name of ['a.html', 'a.md', 'a.txt', 'a.xml']) await put(bucket, name, attack, { ContentType: 'text/html' })
  await put(bucket, 'a.svg', svg, { ContentType: 'image/svg+xml' })
  const page = await open('/buckets')
  const calls = recordCalls(page, /session/)
  for (const name of ['a.html', 'a.md', 'a.txt', 'a.xml', 'a.svg']) {
    await page.goto(`object-browser/${bucket}/${name}?tab=preview`)
    if (name === 'a.svg') await detail(page).getByRole('img').waitFor({ state: 'attached' })
    else await detail(page).getByText('<script>').waitFor()
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  }
  expect(calls.filter((call) => call.includes('stolen'))).toEqual([])
})
