import { GetObjectTaggingCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { newBucketWith, newLockBucket } from '../../support/data/objects.ts'

const browser = useBrowser()
const { open } = browser

test('Content type, metadata and tags of a folder and an object are checked and changed', async () => {
  const bucket = await newBucketWith(browser.target, { 'italy/como.jpg': 'x', 'a.txt': 'z', 'b.txt': 'z' })
  const page = await open(`/object-browser/${bucket}`)
  await page.getByRole('row', { name: /italy/ }).getByRole('checkbox').check()
  await page
    .getByRole('row', { name: /a\.txt/ })
    .getByRole('checkbox')
    .check()
  await page.getByRole('button', { name: 'Change Objects' }).click()
  const dialog = page.getByRole('dialog', { name: /Change Objects/ })
  expect(await dialog.getByRole('button', { name: 'Change', exact: true }).isDisabled()).toBe(true)
  await dialog.getByLabel('Content type').fill('image/jpeg')
  await dialog.getByRole('button', { name: 'Add Tag' }).click()
  await dialog.getByLabel('Tag: name 1').fill('project')
  await dialog.getByLabel('Tag: value 1').fill('lakes')
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByText('2 objects would be changed (2 B)').waitFor()
  await dialog.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByRole('region', { name: 'Transfers' }).getByText('2 objects changed').waitFor()
  const { s3 } = browser.target
  for (const Key of ['italy/como.jpg', 'a.txt']) {
    expect((await s3.send(new HeadObjectCommand({ Bucket: bucket, Key }))).ContentType).toBe('image/jpeg')
    const { TagSet } = await s3.send(new GetObjectTaggingCommand({ Bucket: bucket, Key }))
    expect(TagSet).toEqual([{ Key: 'project', Value: 'lakes' }])
  }
  expect((await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: 'b.txt' }))).ContentType).not.toBe('image/jpeg')
})

test('Legal hold of a selection is set, and what is refused is listed with its reason', async ({ skip }) => {
  const bucket = await newLockBucket(browser.target)
  if (!bucket) return skip()
  const { s3 } = browser.target
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'free.txt', Body: 'x' }))
  const lock = { ObjectLockMode: 'COMPLIANCE', ObjectLockRetainUntilDate: new Date(Date.now() + 86_400_000) } as const
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'kept.txt', Body: 'x', ...lock }))
  const page = await open(`/object-browser/${bucket}`)
  for (const name of [/free/, /kept/]) await page.getByRole('row', { name }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Change Objects' }).click()
  const dialog = page.getByRole('dialog', { name: /Change Objects/ })
  await dialog.getByRole('radiogroup', { name: 'Retention' }).getByText('Governance').click()
  await dialog.getByLabel('Date').fill('2099-01-02')
  await dialog.getByRole('button', { name: 'Change', exact: true }).click()
  const tray = page.getByRole('region', { name: 'Transfers' })
  await tray.getByText('1 object could not be changed').waitFor()
  await tray.getByRole('button', { name: 'Details' }).click()
  await page.getByText('kept.txt: Compliance retention cannot be shortened, changed or removed.').waitFor()
  const head = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: 'free.txt' }))
  expect(head).toMatchObject({ ObjectLockMode: 'GOVERNANCE' })
})
