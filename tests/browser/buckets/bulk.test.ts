import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'

const browser = useBrowser()
const { open } = browser

test('settings are copied from another bucket on creation, and later after a confirmation', async () => {
  const { target } = browser
  const from = await target.newBucket('copied')
  await target.call('setBucketTags', { params: { bucket: from }, body: { tags: { team: 'design' } } })
  const name = target.freshName('copy')
  const page = await open('/buckets?create=bucket')
  const create = page.getByRole('dialog', { name: 'Create Bucket' })
  await create.getByLabel('Bucket Name').fill(name)
  await create.getByRole('combobox', { name: 'Copy Settings From' }).fill(from)
  await page.getByRole('option', { name: from, exact: true }).click()
  expect(await create.getByLabel('Tags', { exact: true }).isChecked()).toBe(true)
  // It may make the bucket public.
  expect(await create.getByLabel('Access policy').isChecked()).toBe(false)
  await create.getByRole('button', { name: 'Save' }).click()
  await create.waitFor({ state: 'hidden' })
  expect(await target.call('getBucketTags', { params: { bucket: name } })).toEqual({ tags: { team: 'design' } })

  await target.call('setBucketTags', { params: { bucket: from }, body: { tags: { team: 'music' } } })
  await page.goto(`buckets/${name}/summary`)
  await page.getByRole('button', { name: 'Copy Settings' }).click()
  const copy = page.getByRole('dialog', { name: 'Copy Settings' })
  expect(await copy.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)
  await copy.getByRole('combobox', { name: 'Copy Settings From' }).fill(from)
  await page.getByRole('option', { name: from, exact: true }).click()
  await copy.getByLabel('Versioning').click()
  // It may delete objects of the bucket.
  expect(await copy.getByLabel('Lifecycle rules').isChecked()).toBe(false)
  await copy.getByLabel('Lifecycle rules').click()
  await copy.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Lifecycle rules can delete or move objects of this bucket').waitFor()
  await page.getByRole('button', { name: /^Copy \d settings$/ }).click()
  const tags = page.getByRole('region', { name: 'Tags' })
  await tags.getByText('music').waitFor()
})

test('a bucket that cannot be deleted because it has objects is emptied from the dialog', async () => {
  const { target } = browser
  const Bucket = await target.newBucket('full')
  await target.call('setBucketVersioning', { params: { bucket: Bucket }, body: { versioning: true } })
  for (const Key of ['a', 'a', 'b/c']) await target.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))
  await target.s3.send(new DeleteObjectCommand({ Bucket, Key: 'a' }))
  await target.s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'large' }))
  const page = await open(`/buckets/${Bucket}/summary`)
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete Bucket' }).click()
  await dialog.getByText('Left in the bucket: 3 versions, 1 delete marker, and 1 unfinished upload.').waitFor()
  await dialog.getByRole('button', { name: 'Empty Bucket' }).click()
  const empty = page.getByRole('dialog', { name: 'Empty Bucket' })
  const confirm = empty.getByRole('button', { name: 'Empty Bucket' })
  await empty.getByRole('textbox').fill('another')
  expect(await confirm.isDisabled()).toBe(true)
  await empty.getByRole('textbox').fill(Bucket)
  await confirm.click()
  await expect
    .poll(async () => (await target.s3.send(new ListObjectVersionsCommand({ Bucket }))).Versions)
    .toBeUndefined()
})

test('a lifecycle rule is added to several buckets, after a preview for each', async () => {
  const { target } = browser
  const prefix = target.freshName('ruled')
  const names = [`${prefix}-a`, `${prefix}-b`]
  for (const name of names) await target.call('createBucket', { body: { name } })
  await target.s3.send(new PutObjectCommand({ Bucket: `${prefix}-a`, Key: 'old', Body: 'x' }))
  const page = await open(`/buckets?buckets.filter=${prefix}`)
  for (const name of names) await page.getByRole('row', { name }).getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Add Lifecycle Rule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Lifecycle Rule' })
  await dialog.getByLabel('Expiry Days').fill('9')
  await dialog.getByLabel('Unfinished Upload Days').fill('3')
  await dialog
    .getByRole('region', { name: `${prefix}-a` })
    .getByText('act on 1 of the current objects')
    .waitFor()
  await dialog
    .getByRole('region', { name: `${prefix}-b` })
    .getByText('act on 0 of the current objects')
    .waitFor()
  await dialog.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Add to 2 buckets' }).click()
  await page.getByText('Lifecycle rule added to 2 buckets').waitFor()
  for (const bucket of names) {
    const { lifecycle } = await target.call('listLifecycleRules', { params: { bucket } })
    expect(lifecycle).toMatchObject([{ expiration: { days: 9, abort_upload_days: 3 } }])
  }
})
