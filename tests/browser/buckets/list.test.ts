import { PutObjectCommand } from '@aws-sdk/client-s3'
import { GiB } from '@stowage/contract'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { holdCalls } from '../../support/browser/page-calls.ts'
import { clickRowAction, tableRow } from '../../support/browser/rows.ts'
import { startConsole } from '../../support/console/start-console.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

/** The names in the list, from the top. */
const names = async (page: Page) =>
  await page.getByRole('table', { name: 'Buckets' }).locator('tbody a[data-row-link]').allTextContents()

/** Creates three buckets with a common word in their names: 3 bytes, 2,000 bytes, empty. */
async function threeBuckets() {
  const { target } = browser
  const word = target.freshName('w')
  const [a, b, c] = [`a-${word}`, `b-${word}`, `c-${word}`] as const
  for (const name of [b, c, a]) await target.call('createBucket', { body: { name } })
  await target.s3.send(new PutObjectCommand({ Bucket: a, Key: 'k', Body: 'abc' }))
  await target.s3.send(new PutObjectCommand({ Bucket: b, Key: 'k', Body: 'x'.repeat(2000) }))
  return { word, a, b, c }
}

test('the list shows name, creation date and size, and filters by a part of the name [BKT-01] [BKT-02]', async () => {
  const { word, a, b, c } = await threeBuckets()
  const page = await open('/buckets')
  const filter = page.getByLabel('Filter Buckets')
  await filter.fill(word.slice(3))
  await expect.poll(() => names(page)).toEqual([a, b, c])
  for (const column of ['Name', 'Creation Date', 'Size'])
    expect(await page.getByRole('columnheader', { name: column, exact: true }).count()).toBe(1)
  const row = page.getByRole('row', { name: b })
  await row.getByRole('checkbox').waitFor()
  await row.getByText('2.0 KiB').waitFor()
  const now = new Date()
  const today = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`
  await row.getByText(today).waitFor()
  await filter.fill(`B-${word}`)
  await expect.poll(() => names(page)).toEqual([b])
  await filter.fill('no-bucket-is-called-this')
  await page.getByText('No Buckets match the filter.').waitFor()
})

test('a click on a column sorts by it, numbers as numbers, and the URL keeps it [BKT-02]', async () => {
  const { word, a, b, c } = await threeBuckets()
  const page = await open(`/buckets?buckets.filter=${word}`)
  await expect.poll(() => names(page)).toEqual([a, b, c])
  const size = page.getByRole('button', { name: 'Size' })
  await size.click()
  await expect.poll(() => names(page)).toEqual([c, a, b])
  await size.click()
  await expect.poll(() => names(page)).toEqual([b, a, c])
  expect(await page.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort')).toBe('descending')
  await page.reload()
  await expect.poll(() => names(page)).toEqual([b, a, c])
})

test('rows are shown before the access of each bucket is known', async () => {
  const bucket = await browser.target.newBucket()
  let full: Awaited<ReturnType<typeof holdCalls>> | undefined
  const page = await open(`/buckets?buckets.filter=${bucket}`, {
    before: async (page) => (full = await holdCalls(page, { url: '**/api/v1/buckets' })),
  })
  const row = tableRow(page, bucket)
  await row.waitFor()
  expect(await row.getByText('Private').count()).toBe(0)
  await full?.release()
  await row.getByText('Private').waitFor()
})

test('rows are selected by their boxes; the selection is counted, and deleted with a report [BKT-02] [BKT-03]', async () => {
  const { word, a, b, c } = await threeBuckets()
  const page = await open(`/buckets?buckets.filter=${word}`)
  await page.getByLabel('Select all').check()
  await page.getByText('3 selected').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete 3 buckets' })
  await dialog.getByRole('button', { name: 'Delete 3 buckets' }).click()
  // Two contain objects, so they remain, each with its reason.
  await dialog.getByText('2 buckets could not be deleted').waitFor()
  expect(await dialog.getByRole('listitem').filter({ hasText: c }).getByText('Deleted').count()).toBe(1)
  expect(
    await dialog
      .getByRole('listitem')
      .filter({ hasText: a })
      .getByText(/not empty/)
      .count(),
  ).toBe(1)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect.poll(() => names(page)).toEqual([a, b])
})

test('view goes to the bucket; delete asks first, and the list is reloaded [BKT-03] [BKT-07] [SHL-37] [SHL-40]', async () => {
  const { word, b, c } = await threeBuckets()
  const page = await open(`/buckets?buckets.filter=${word}`)
  await clickRowAction(page, c, 'View')
  await page.getByRole('heading', { name: c }).waitFor()
  await page.goBack()

  const dialog = page.getByRole('dialog', { name: /Delete Bucket/ })
  await clickRowAction(page, c, 'Delete')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await names(page)).toContain(c)
  await clickRowAction(page, c, 'Delete')
  const call = page.waitForRequest((request) => request.method() === 'DELETE')
  await dialog.getByRole('button', { name: 'Delete Bucket' }).click()
  expect((await call).postDataJSON()).toEqual({ name: c })
  await tableRow(page, c).waitFor({ state: 'hidden' })
  expect((await browser.target.call('listBuckets', {})).buckets.map(({ name }) => name)).not.toContain(c)

  // A bucket with objects remains, and the dialog shows the reason with a link to them.
  await clickRowAction(page, b, 'Delete')
  await dialog.getByRole('button', { name: 'Delete Bucket' }).click()
  await dialog
    .getByRole('alert')
    .getByText(/not empty/)
    .waitFor()
  await dialog.getByRole('link', { name: 'Open it in the Object Browser' }).click()
  await page.getByLabel('Search Objects').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/object-browser/${b}`)
})

test('Create Bucket is shown only with the right to create buckets [BKT-04] [OBJ-02]', async () => {
  const bucket = await browser.target.newBucket()
  const reader = await browser.target.newUser(
    allowS3(['s3:ListBucket', 's3:GetBucketLocation', 's3:ListAllMyBuckets', 's3:GetBucketPolicy'], [bucket]),
  )
  const page = await open('/object-browser', { as: reader })
  await page.getByRole('link', { name: bucket, exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('button', { name: 'Create Bucket' }).count()).toBe(0)

  const roots = await open('/object-browser')
  await roots.getByRole('button', { name: 'Create Bucket' }).waitFor()
  await roots.goto('buckets')
  await roots.getByRole('button', { name: 'Create Bucket' }).waitFor()
})

// With the right to see this page one may also create; only a changed answer shows the difference.
test('the list has no Create Bucket if the server does not allow it [BKT-04]', async () => {
  const page = await open('/buckets', {
    before: (p) =>
      p.route('**/api/v1/has-permission', (route) => {
        const { actions } = route.request().postDataJSON() as { actions: { id: string; action: string }[] }
        const permissions = actions.map(({ id, action }) => ({ id, can: action !== 's3:CreateBucket', sure: true }))
        return route.fulfill({ json: { permissions } })
      }),
  })
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('button', { name: 'Create Bucket' }).count()).toBe(0)
})

test('an empty list offers to create the first bucket, which then appears [SHL-41] [SHL-43] [SHL-37]', async () => {
  await using console = await startConsole()
  const page = await open('/buckets', { console })
  await page.getByRole('heading', { name: 'There are no Buckets yet.' }).waitFor()
  await page.getByRole('button', { name: 'Create Bucket' }).last().click()
  await page.getByLabel('Bucket Name').fill('first')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'first', exact: true }).waitFor()
  await page.getByRole('heading', { name: 'There are no Buckets yet.' }).waitFor({ state: 'hidden' })
})

test('public buckets and those near their quota are counted, and a click filters them', async () => {
  const { word, a, b } = await threeBuckets()
  const { target } = browser
  await target.call('setBucketAccess', { params: { bucket: a }, body: { access: 'PUBLIC' } })
  const body = { enabled: true, quota_type: 'hard', amount: 2100 } as const
  await target.call('setBucketQuota', { params: { bucket: b }, body })
  await target.call('setBucketQuota', { params: { bucket: a }, body: { ...body, amount: GiB } })
  const page = await open(`/buckets?buckets.filter=${word}`)
  await page.getByRole('button', { name: /public$/ }).click()
  await expect.poll(() => names(page)).toEqual([a])
  await page.getByRole('button', { name: /near (its|their) quota$/ }).click()
  await expect.poll(() => names(page)).toEqual([b])
})

test('a name uses the remaining width, and the creation date stays visible in a narrow window', async () => {
  const { target } = browser
  const bucket = target.freshName('a-name-of-some-length')
  await target.call('createBucket', { body: { name: bucket } })
  const page = await open(`/buckets?buckets.filter=${bucket}`)
  const link = page.getByRole('link', { name: bucket, exact: true })
  await link.waitFor()
  await page.getByRole('columnheader', { name: 'Creation Date' }).waitFor()
  const cut = () => link.locator('xpath=..').evaluate((cell) => cell.scrollWidth > cell.clientWidth)
  expect(bucket.length).toBeGreaterThan(33)
  expect(await cut()).toBe(false)
  await page.setViewportSize({ width: 1024, height: 800 })
  await page.getByRole('columnheader', { name: 'Features' }).waitFor({ state: 'hidden' })
  expect(await page.getByRole('columnheader', { name: 'Creation Date' }).count()).toBe(1)
  await page.getByRole('button', { name: 'Columns' }).click()
  const features = page.getByRole('dialog', { name: 'Columns' }).getByLabel(/^Features/)
  expect(await features.isChecked()).toBe(true)
  await page.getByRole('dialog', { name: 'Columns' }).getByText('Features').getByText('No room at this width').waitFor()
})
