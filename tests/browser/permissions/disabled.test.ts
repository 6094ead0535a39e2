import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { recordCalls } from '../../support/browser/page-calls.ts'
import { tableRow } from '../../support/browser/rows.ts'
import { newBucketWith } from '../../support/data/objects.ts'
import { allowS3, allowS3Except } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

/**
 * Checks a disabled control: it is marked as disabled, has its reason as description and tooltip, and only explains the missing
 * right.
 */
async function expectDisabled(page: Page, control: Locator, reason: string) {
  await expect.poll(() => control.getAttribute('aria-disabled')).toBe('true')
  // In the tab order, so that keyboard users find the reason too.
  expect(await control.getAttribute('disabled')).toBeNull()
  const description = await control.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(),
  )
  expect(description).toBe(reason)
  // Playwright waits for disabled elements to become enabled.
  await control.hover({ force: true })
  await page.getByRole('tooltip').getByText(reason).waitFor()
  await control.press('Enter')
  if (reason.startsWith('Needs ')) {
    // Nothing is done, but the deciding policy is shown.
    await page.getByRole('dialog', { name: reason }).getByText('How it was decided').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  } else {
    await control.click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
  }
  expect(await page.getByRole('menu').count()).toBe(0)
  await control.blur()
  await page.mouse.move(0, 0)
  await page.getByRole('tooltip').waitFor({ state: 'hidden' })
}

const reading = ['s3:ListBucket', 's3:GetBucketLocation', 's3:GetBucketPolicy', 's3:GetBucketVersioning']

test('actions that a reader may not use in a folder are disabled, with the missing right', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'a', 'dir/b.txt': 'b' })
  const as = await browser.target.newUser(allowS3(reading, [bucket]))
  const page = await open(`/object-browser/${bucket}`, { as })
  const row = tableRow(page, 'a.txt')
  await row.waitFor()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await expectDisabled(page, button('Upload'), 'Needs s3:PutObject')
  await expectDisabled(page, button('Delete Selected'), 'Needs s3:DeleteObject')
  await row.hover()
  await expectDisabled(page, row.getByRole('button', { name: 'Download a.txt' }), 'Needs s3:GetObject')
  await row.hover()
  await expectDisabled(page, row.getByRole('button', { name: 'Delete a.txt' }), 'Needs s3:DeleteObject')

  await page.getByLabel('Select all').check()
  await expectDisabled(page, button('Download'), 'Needs s3:GetObject')
  await expectDisabled(page, button('Delete Selected'), 'Needs s3:DeleteObject')

  await row.getByRole('link', { name: 'a.txt', exact: true }).click()
  const detail = page.getByRole('complementary', { name: 'Object details' })
  await expectDisabled(page, detail.getByRole('button', { name: 'Download' }), 'Needs s3:GetObject')
  await expectDisabled(page, detail.getByRole('button', { name: 'Delete Object' }), 'Needs s3:DeleteObject')
})

test('on a small screen the menu of a row shows it too', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'a' })
  const as = await browser.target.newUser(allowS3(reading, [bucket]))
  const page = await open(`/object-browser/${bucket}`, { as, width: 390, height: 844 })
  await page.getByRole('button', { name: 'Actions of a.txt' }).click()
  const remove = page.getByRole('menuitem', { name: /^Delete/ })
  await remove.getByText('Needs s3:DeleteObject').waitFor()
  expect(await remove.getAttribute('aria-disabled')).toBe('true')
  await remove.click({ force: true })
  expect(await page.getByRole('dialog').count()).toBe(0)
  // The arrow keys do not skip it.
  await page.getByRole('menuitem', { name: 'View', exact: true }).focus()
  for (const _ of ['Preview', 'Download', 'Delete']) await page.keyboard.press('ArrowDown')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Delete/)
})

test('a user may upload into their own folder, and nowhere else', async () => {
  const bucket = await newBucketWith(browser.target, { 'home/bob/a': '1', 'home/eve/b': '2' })
  const as = await browser.target.newUser({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: reading, Resource: [`arn:aws:s3:::${bucket}`] },
      { Effect: 'Allow', Action: ['s3:PutObject'], Resource: [`arn:aws:s3:::${bucket}/home/bob/*`] },
    ],
  })
  const page = await open(`/object-browser/${bucket}/home/eve/`, { as })
  const upload = page.getByRole('button', { name: 'Upload', exact: true })
  await expectDisabled(page, upload, 'Needs s3:PutObject')
  await page.goto(`object-browser/${bucket}/home/bob/`)
  await tableRow(page, 'a').waitFor()
  await page.waitForLoadState('networkidle')
  expect(await upload.getAttribute('aria-disabled')).toBeNull()
  await upload.click()
  await page.getByRole('menuitem', { name: 'Upload Files' }).waitFor()
})

test('files dropped into a folder without the right to upload are refused with the reason', async () => {
  const bucket = await newBucketWith(browser.target, {})
  const as = await browser.target.newUser(allowS3(reading, [bucket]))
  const page = await open(`/object-browser/${bucket}`, { as })
  await page.getByRole('heading', { name: /This location is empty/ }).waitFor()
  await expect
    .poll(() => page.getByRole('button', { name: 'Upload', exact: true }).first().getAttribute('aria-disabled'))
    .toBe('true')
  // Neither the sentence nor the command mentions what the user may not do.
  expect(await page.getByText(/Drop files or folders/).count()).toBe(0)
  expect(await page.getByText(/mc cp/).count()).toBe(0)
})

test('the cells of a bucket and its deletion show the missing right', async () => {
  const bucket = await browser.target.newBucket()
  const closed = ['s3:PutBucketPolicy', 's3:PutBucketVersioning', 's3:DeleteBucket']
  const as = await browser.target.newUser(allowS3Except(closed, [bucket]))
  const page = await open(`/buckets/${bucket}/summary`, { as })
  const cell = (name: string) => page.getByRole('button', { name: `Edit ${name}` })
  await expectDisabled(page, cell('Access Policy'), 'Needs s3:PutBucketPolicy')
  await expectDisabled(page, cell('Versioning'), 'Needs s3:PutBucketVersioning')
  await expectDisabled(page, page.getByRole('button', { name: 'Delete', exact: true }), 'Needs s3:DeleteBucket')
})

test('the list of buckets shows which of them may be deleted', async () => {
  const { target } = browser
  const [mine, theirs] = [await target.newBucket('mine'), await target.newBucket('theirs')]
  const as = await target.newUser(allowS3Except(['s3:DeleteBucket'], [theirs]))
  const page = await open('/buckets', { as })
  await page.getByLabel('Filter Buckets').fill(theirs)
  const row = tableRow(page, theirs)
  await row.hover()
  await expectDisabled(page, row.getByRole('button', { name: `Delete ${theirs}` }), 'Needs s3:DeleteBucket')
  await page.getByLabel(`Select ${theirs}`).check()
  await expectDisabled(page, page.getByRole('button', { name: 'Delete', exact: true }), 'Needs s3:DeleteBucket')
  await page.keyboard.press('Escape')
  await page.getByLabel('Filter Buckets').fill(mine)
  const own = tableRow(page, mine)
  await own.hover()
  await own.getByRole('button', { name: `Delete ${mine}` }).click()
  await page.getByRole('dialog', { name: /Delete Bucket/ }).waitFor()
})

test('settings that a new bucket cannot have are disabled in its dialog', async () => {
  const as = await browser.target.newUser(allowS3Except(['s3:PutBucketVersioning']))
  const page = await open('/buckets?create=bucket', { as })
  const dialog = page.getByRole('dialog', { name: 'Create Bucket' })
  await dialog.getByText('Needs s3:PutBucketVersioning').first().waitFor()
  await dialog.getByText('Needs admin:SetBucketQuota').waitFor()
  expect(await dialog.getByLabel('Versioning').isDisabled()).toBe(true)
  expect(await dialog.getByLabel('Quota').isDisabled()).toBe(true)
})

test('a page requests all rights in one call, and no more later', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'a', 'b.txt': 'b' })
  const as = await browser.target.newUser(allowS3Except(['s3:DeleteObject']))
  let calls: string[] = []
  const page = await open(`/object-browser/${bucket}`, {
    as,
    before: async (p) => {
      calls = recordCalls(p, /has-permission$/)
    },
  })
  const remove = page.getByRole('button', { name: 'Delete Selected' })
  await expect.poll(() => remove.getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('link', { name: 'a.txt', exact: true }).click()
  await page.getByRole('button', { name: 'Delete Object' }).waitFor()
  await page.waitForLoadState('networkidle')
  // One call about the server, for the top bar; one about the bucket, for everything else.
  expect(calls).toHaveLength(2)
})
