import { PutBucketLifecycleConfigurationCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGoogleServer } from '../../../packages/object-store/src/tiers/testing.ts'
import { useBrowser } from '../../support/browser/browser.ts'
import { clickRowAction, tableRow } from '../../support/browser/rows.ts'
import { startTierConsoles, type TierConsoles } from '../../support/console/tier-consoles.ts'

const browser = useBrowser()
let consoles: TierConsoles
beforeAll(async () => {
  consoles = await startTierConsoles()
  await consoles.target.call('addTier', { body: { type: 's3', s3: consoles.place('COLD') } })
})
afterAll(() => consoles[Symbol.asyncDispose]())

const open = (path: string) =>
  browser.open(path, {
    console: consoles.target,
    as: { accessKey: consoles.target.rootUser, secretKey: consoles.target.rootPassword },
  })

test('the list of tiers has its six columns, and a filter; credentials are replaced when both are given [TIR-01] [TIR-02] [TIR-11]', async () => {
  const page = await open('/settings/tiers')
  await tableRow(page, 'COLD').waitFor()
  const headers = await page.getByRole('columnheader').allTextContents()
  expect(headers.slice(0, 6)).toEqual(['Tier Name', 'Type', 'Endpoint', 'Bucket', 'Prefix', 'Region'])
  await tableRow(page, 'COLD').getByText('Online').waitFor()
  await clickRowAction(page, 'COLD', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Update Credentials - s3 / COLD' })
  const save = dialog.getByRole('button', { name: 'Save' })
  const { accesskey, secretkey } = consoles.place('COLD')
  await dialog.getByLabel('Access Key').fill(accesskey)
  expect(await save.isDisabled()).toBe(true)
  await dialog.getByLabel('Secret Key').fill('wrong-secret')
  await save.click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Secret Key').fill(secretkey)
  await save.click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByPlaceholder('Filter').fill('nothing')
  await page.getByText('No tiers match the filter.').waitFor()
})

test('a tier is added by type and form, and the list is shown again [TIR-03] [TIR-04] [TIR-05] [TIR-06] [TIR-09] [TIR-10]', async () => {
  const page = await open('/settings/tiers')
  await page.getByRole('button', { name: 'Add Tier' }).click()
  await page.getByRole('link', { name: 'Back To Tiers' }).waitFor()
  for (const [kind, endpoint] of [
    ['MinIO', ''],
    ['Google Cloud Storage', 'https://storage.googleapis.com/'],
    ['Azure', 'http://blob.core.windows.net'],
    ['AWS S3', 'https://s3.amazonaws.com'],
  ] as const) {
    await page.getByRole('button', { name: kind }).click()
    await page.getByRole('heading', { name: `${kind} - Add Tier Configuration` }).waitFor()
    expect(await page.getByLabel('Endpoint').inputValue()).toBe(endpoint)
    if (kind !== 'AWS S3') await page.getByRole('link', { name: 'Back To Tier Type Selection' }).click()
  }
  const save = page.getByRole('button', { name: 'Save' })
  const { name, endpoint, accesskey, secretkey, bucket, prefix, region } = consoles.place('COLD2')
  await page.getByLabel('Endpoint').fill(endpoint)
  const fill = {
    Name: name,
    'Access Key': accesskey,
    'Secret Key': secretkey,
    Bucket: bucket,
    Prefix: prefix,
    Region: region,
  }
  for (const [label, value] of Object.entries(fill)) {
    expect(await save.isDisabled()).toBe(true)
    await page.getByLabel(label, { exact: true }).fill(value)
  }
  await save.click()
  await page.getByText('Tier COLD2 added').waitFor()
  await tableRow(page, 'COLD2').waitFor()
  await consoles.target.call('deleteTier', { params: { type: 's3', name: 'COLD2' } })
})

test('a key file of Google is sent as Base64, and the tier is tried with it [TIR-07]', async () => {
  await using google = await startGoogleServer()
  const page = await open('/settings/tiers?add=gcs')
  const buffer = Buffer.from(google.creds, 'base64')
  await page.locator('input[type=file]').setInputFiles({ name: 'key.json', mimeType: 'application/json', buffer })
  await page.getByLabel('Endpoint').fill(google.url)
  for (const [label, value] of Object.entries({ Name: 'GOOGLE', Bucket: 'cold', Prefix: 'p', Region: 'eu' })) {
    await page.getByLabel(label, { exact: true }).fill(value)
  }
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Tier GOOGLE added').waitFor()
  await tableRow(page, 'GOOGLE').waitFor()
  expect(google.calls).toContain('POST /token')
  await consoles.target.call('deleteTier', { params: { type: 'gcs', name: 'GOOGLE' } })
})

test('a rule moves objects to a tier that is chosen from the list [LCY-08] [LCY-14]', async () => {
  const { target } = consoles
  const bucket = await target.newBucket('move')
  await target.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: 'content' }))
  const page = await open(`/buckets/${bucket}/lifecycle`)
  await page.getByRole('button', { name: 'Add Lifecycle Rule' }).click()
  const dialog = page.getByRole('dialog', { name: /Add Lifecycle Rule/ })
  const save = dialog.getByRole('button', { name: 'Save' })
  await dialog.getByText('Transition', { exact: true }).click()
  const tiers = dialog.getByLabel('Storage Class', { exact: true })
  await expect.poll(() => tiers.inputValue()).toBe('COLD')
  expect(await save.isDisabled()).toBe(true)
  await dialog.getByLabel('Transition Days').fill('3')
  await dialog.getByText('moves to the tier').waitFor()
  await save.click()
  const row = page.getByRole('row', { name: /COLD/ })
  await row.getByText('3 days').waitFor()
  const { lifecycle } = await target.call('listLifecycleRules', { params: { bucket } })
  expect(lifecycle).toMatchObject([{ transition: { days: 3, storage_class: 'COLD' }, expiration: { days: 0 } }])
  await page.goto('settings/tiers')
  await tableRow(page, 'COLD').getByRole('link', { name: bucket }).click()
  await page.getByRole('row', { name: /COLD/ }).waitFor()
})

test('an object on a tier shows its storage class, and is brought back for some days', async () => {
  const { target } = consoles
  const bucket = await target.newBucket()
  await target.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'k.txt', Body: 'content' }))
  const Rules = [
    { ID: 'move', Status: 'Enabled', Filter: { Prefix: '' }, Transitions: [{ Days: 0, StorageClass: 'COLD' }] },
  ]
  const LifecycleConfiguration = { Rules: Rules as never }
  await target.s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration }))
  const details = () => target.call('getObject', { params: { bucket }, query: { prefix: 'k.txt' } })
  await expect.poll(async () => (await details()).storage_class).toBe('COLD')
  const page = await open(`/object-browser/${bucket}/k.txt`)
  const drawer = page.getByRole('complementary', { name: 'Object details' })
  await drawer.getByText('COLD', { exact: true }).waitFor()
  await drawer.getByRole('button', { name: 'Bring back from tier' }).click()
  await page.getByLabel('Days').fill('3')
  await page.getByRole('button', { name: 'Bring Back', exact: true }).click()
  await expect.poll(async () => (await details()).restore).toContain('expiry-date')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await drawer.getByText('Restored copy').waitFor()
})
