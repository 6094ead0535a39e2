import { PutObjectCommand } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { failCalls } from '../../support/browser/page-calls.ts'
import { allowS3Except } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

test('a bucket’s address leads to its summary [BKT-20]', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/buckets/${bucket}`)
  await page.getByRole('region', { name: 'Access Policy' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/buckets/${bucket}/summary`)
})

test('the navigation has the sections, each with its address [BKT-20] [BKT-23]', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`)
  const nav = page.getByRole('navigation', { name: 'Sections' })
  await nav.waitFor()
  const sections = ['Summary', 'Events', 'Replication', 'Lifecycle', 'Access Audit', 'Access Rules', 'Usage']
  expect(await nav.getByRole('link').allTextContents()).toEqual(sections)
  for (const [i, path] of ['summary', 'events', 'replication', 'lifecycle', 'access', 'prefix', 'usage'].entries()) {
    const link = nav.getByRole('link').nth(i)
    await link.click()
    await page.waitForURL(`**/buckets/${bucket}/${path}`)
    await expect.poll(() => link.getAttribute('aria-current')).toBe('page')
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' })
    await expect.poll(() => trail.textContent()).toBe(`Buckets/${bucket}/${sections[i]}`)
    expect(await page.title()).toBe(`${sections[i]} – ${bucket} – Stowage`)
  }
})

test('the header has the way back, the name, the access, Refresh and Delete [BKT-21] [BKT-22]', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`)
  await page.getByRole('heading', { name: bucket, level: 1 }).waitFor()
  await page.getByText('Access: Private').waitFor()
  // Another client changes it; Refresh shows the change.
  await target.call('setBucketAccess', { params: { bucket }, body: { access: 'PUBLIC' } })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText('Access: Public').waitFor()

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Bucket' }).click()
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/buckets')
  expect((await target.call('listBuckets', {})).buckets.map(({ name }) => name)).not.toContain(bucket)
})

test('a failed Refresh keeps the summary, and shows its age', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`)
  const card = page.getByRole('region', { name: 'Access Policy' })
  await card.waitFor()
  const { mend } = await failCalls(page, { url: new RegExp(`/api/v1/buckets/${bucket}$`) }, 'the server is busy')
  await page.getByRole('button', { name: 'Refresh' }).click()
  const notice = page.getByRole('status').filter({ hasText: 'The server is busy. Last updated at' })
  await notice.waitFor()
  expect(await card.count()).toBe(1)
  await mend()
  await notice.getByRole('button', { name: 'Retry' }).click()
  await notice.waitFor({ state: 'hidden' })
  expect(await card.count()).toBe(1)
})

test('the breadcrumb leads back to Buckets [BKT-21]', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`)
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Buckets' }).click()
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
})

test('the access is changed in a dialog, and the page shows it [BKT-22] [BKT-24] [BKT-27]', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`)
  const card = page.getByRole('region', { name: 'Access Policy' })
  await card.getByText('Private', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Edit Access Policy' }).click()
  const dialog = page.getByRole('dialog', { name: /Change Access Policy/ })
  await expect.poll(() => dialog.getByRole('radio').count()).toBe(3)
  expect(await dialog.getByRole('radio', { name: /Private/ }).isChecked()).toBe(true)
  await dialog.getByRole('radio', { name: /write and delete/ }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await card.getByText('Public', { exact: true }).waitFor()
  await page.getByText('Access: Public').waitFor()
  expect((await target.call('getBucket', { params: { bucket } })).access).toBe('PUBLIC')
})

test('Reported Usage shows size and objects [BKT-37]', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  for (const Key of ['a', 'b'])
    await target.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x'.repeat(1024) }))
  const page = await open(`/buckets/${bucket}/summary`)
  const card = page.getByRole('region', { name: 'Reported Usage' })
  await card.getByText('2 objects').waitFor()
  expect(await card.textContent()).toMatch(/2\.0\s*KiB/)
})

test('versioning is enabled and suspended after a confirmation, which warns about remaining versions [BKT-24] [BKT-38]', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const versioned = async () => (await target.call('getBucketVersioning', { params: { bucket } })).is_versioned
  const page = await open(`/buckets/${bucket}/summary`)
  const card = page.getByRole('region', { name: 'Versioning' })
  await card.getByText('Disabled', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Edit Versioning' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Enable Versioning' }).click()
  await card.getByText('Enabled', { exact: true }).waitFor()
  expect(await versioned()).toBe(true)

  await card.getByRole('button', { name: 'Edit Versioning' }).click()
  await page
    .getByRole('dialog')
    .getByText(/are not deleted automatically/)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable Versioning' }).click()
  await card.getByText('Suspended', { exact: true }).waitFor()
  expect(await versioned()).toBe(false)
})

test('the quota dialog’s switch turns its fields on; the card shows type and size [BKT-24] [BKT-41]', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  await target.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a', Body: Buffer.alloc(1024 * 1024) }))
  const page = await open(`/buckets/${bucket}/summary`)
  const card = page.getByRole('region', { name: 'Quota' })
  await card.getByText('Disabled', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'Edit Quota' }).click()
  const dialog = page.getByRole('dialog', { name: /Bucket Quota/ })
  const size = dialog.getByLabel('Size')
  await size.waitFor()
  expect(await size.isDisabled()).toBe(true)
  await dialog.getByLabel('Enabled').click()
  expect(await size.isEnabled()).toBe(true)
  await size.fill('4')
  await dialog.getByLabel('Unit').selectOption('MiB')
  await dialog.getByText('25%').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await card.getByText('of 4.0 MiB, hard limit').waitFor()
  await card.getByText('25%').waitFor()
  expect(await target.call('getBucketQuota', { params: { bucket } })).toEqual({ type: 'hard', quota: 4 * 1024 ** 2 })

  // Off removes it.
  await card.getByRole('button', { name: 'Edit Quota' }).click()
  await dialog.getByLabel('Enabled').click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await card.getByText('Disabled', { exact: true }).waitFor()
})

test('without the right a card shows why it cannot be changed', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const as = await target.newUser(allowS3Except(['s3:PutBucketVersioning']))
  const page = await open(`/buckets/${bucket}/summary`, { as })
  const edit = page.getByRole('region', { name: 'Versioning' }).getByRole('button', { name: 'Edit Versioning' })
  await expect.poll(() => edit.getAttribute('aria-disabled')).toBe('true')
  await edit.focus()
  await page.getByRole('tooltip').getByText('s3:PutBucketVersioning').waitFor()
})

test('a missing bucket is reported, with a link back', async () => {
  const page = await open('/buckets/no-such-bucket-anywhere/summary')
  await page.getByRole('alert').getByText('The specified bucket does not exist').waitFor()
  await page.getByRole('link', { name: 'Back to Buckets' }).click()
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
})

test('an enabled quota without a value is reported [SHL-50]', async () => {
  const page = await open(`/buckets/${await browser.target.newBucket()}/summary`)
  await page.getByRole('button', { name: 'Edit Quota' }).click()
  const dialog = page.getByRole('dialog', { name: /Bucket Quota/ })
  await dialog.getByLabel('Enabled').click()
  await dialog.getByLabel('Size').fill('')
  await dialog.getByText('Field cannot be empty', { exact: true }).waitFor()
  await dialog.getByLabel('Size').fill('2')
  await dialog.getByText('Field cannot be empty', { exact: true }).waitFor({ state: 'hidden' })
})

test('a comma in a size is a decimal point; an invalid size shows what is allowed', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`)
  await page.getByRole('button', { name: 'Edit Quota' }).click()
  const dialog = page.getByRole('dialog', { name: /Bucket Quota/ })
  const size = dialog.getByLabel('Size')
  await dialog.getByLabel('Enabled').click()
  await size.fill('99999999')
  await dialog.getByText('The size must be less than 8.0 PiB', { exact: true }).waitFor()
  expect(await dialog.getByText(/ bytes/).count()).toBe(0)
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await size.fill('0')
  await dialog.getByText('The size must be larger than 0', { exact: true }).waitFor()
  // Pasted, and typed.
  await size.fill('1,5')
  expect(await size.inputValue()).toBe('1.5')
  await size.fill('')
  await size.pressSequentially('2,25')
  await dialog.getByLabel('Unit').selectOption('GiB')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page
    .getByRole('region', { name: 'Quota' })
    .getByText(/of 2\.\d+ GiB, hard limit/)
    .waitFor()
  expect(await target.call('getBucketQuota', { params: { bucket } })).toMatchObject({ quota: 2.25 * 1024 ** 3 })
})

test.each([
  ['Access Policy', 'Change Access Policy'],
  ['Quota', 'Bucket Quota'],
  ['Versioning', 'Enable Versioning'],
  ['Encryption', 'Bucket Encryption'],
])('a click anywhere on the card %s opens its dialog [BKT-27] [BKT-31] [BKT-38] [BKT-41]', async (card, title) => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`)
  const region = page.getByRole('region', { name: card })
  await region.getByRole('button', { name: `Edit ${card}`, exact: true }).waitFor()
  await region.click({ position: { x: 200, y: 20 } })
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  // A click in the dialog does not count as a click on the card.
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('a card without the right to change it opens no dialog', async () => {
  const bucket = await browser.target.newBucket()
  const as = await browser.target.newUser(allowS3Except(['s3:PutBucketVersioning'], [bucket]))
  const page = await open(`/buckets/${bucket}/summary`, { as })
  const card = page.getByRole('region', { name: 'Versioning' })
  await expect.poll(() => card.getByRole('button').getAttribute('aria-disabled')).toBe('true')
  await card.click({ position: { x: 200, y: 20 } })
  await page.getByRole('region', { name: 'Access Policy' }).click({ position: { x: 200, y: 20 } })
  await page.getByRole('dialog', { name: 'Change Access Policy' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
})

test('a bucket can be made public for reading only; it counts as public, and its card shows what everyone may do', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`)
  await page.getByRole('button', { name: 'Edit Access Policy' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change Access Policy' })
  await dialog.getByText('Everyone who knows the address can list, read, write and delete objects').waitFor()
  await dialog.getByText('Public, read only', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  const card = page.getByRole('region', { name: 'Access Policy' })
  await card.getByText('Everyone can read objects, without signing in.').waitFor()
  const { serverUrl, s3 } = browser.target
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: 'abc' }))
  expect(await (await fetch(`${serverUrl}/${bucket}/k`)).text()).toBe('abc')
  expect((await fetch(`${serverUrl}/${bucket}/k`, { method: 'DELETE' })).status).toBe(403)
  await page.goto(`buckets?buckets.filter=${bucket}&show=public`)
  await page.getByRole('row', { name: bucket }).getByText('Public, read only').waitFor()
})
