import { PutBucketLifecycleConfigurationCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser.ts'
import { failCalls } from '../../support/calls.ts'
import { allowS3But } from '../../support/policies.ts'
import { rowAction } from '../../support/rows.ts'

const browser = useBrowser()
const { open } = browser

test('a rule is simulated and added in its dialog, and shown [LCY-02] [LCY-03] [LCY-04] [LCY-06] [LCY-07] [LCY-15]', async () => {
  const { target } = browser
  const bucket = await target.newBucket('life')
  for (const Key of ['tmp/a', 'tmp/b', 'kept']) {
    await target.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x' }))
  }
  const page = await open(`/buckets/${bucket}/lifecycle`)
  await page.getByText('There are no Lifecycle rules yet').waitFor()
  const headers = await page.getByRole('columnheader').allTextContents()
  expect(headers.filter((text) => text !== '').slice(0, 6)).toEqual([
    'ID',
    'Prefix',
    'Status',
    'Expiration',
    'Transition',
    'Storage Class',
  ])
  await page.getByRole('button', { name: 'Add Lifecycle Rule' }).click()
  const dialog = page.getByRole('dialog', { name: /Add Lifecycle Rule/ })
  const save = dialog.getByRole('button', { name: 'Save' })
  const days = dialog.getByLabel('Expiry Days')
  await days.waitFor()
  expect([await days.inputValue(), await save.isDisabled()]).toEqual(['0', true])
  await dialog.getByText('For example 7 days').waitFor()
  await dialog.getByLabel('Prefix').fill('tmp/')
  await days.fill('7')
  await dialog.getByText('This rule does not affect any objects now.').waitFor()
  await dialog.getByText('It will act on 2 of the current objects').waitFor()
  await dialog.getByLabel('Key of tag 1').fill('team')
  expect(await dialog.getByRole('button', { name: 'Add tag' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Value of tag 1').fill('design')
  await dialog.getByText('It will act on 0 of the current objects').waitFor()
  await save.click()
  const row = page.getByRole('row', { name: /tmp\// })
  await row.getByText('Enabled').waitFor()
  await row.getByText('7 days').waitFor()
  const { lifecycle } = await target.call('listLifecycleRules', { params: { bucket } })
  expect(lifecycle).toMatchObject([{ prefix: 'tmp/', tags: [{ key: 'team', value: 'design' }] }])
})

test('a date is a day of the calendar, and the row shows it; the status is switched in the dialog [LCY-05] [LCY-09] [LCY-12] [LCY-16]', async () => {
  const { target } = browser
  const bucket = await target.newBucket('life')
  const page = await open(`/buckets/${bucket}/lifecycle`)
  await page.getByRole('button', { name: 'Add Lifecycle Rule' }).click()
  const dialog = page.getByRole('dialog', { name: /Add Lifecycle Rule/ })
  const save = dialog.getByRole('button', { name: 'Save' })
  await dialog.getByText('Date', { exact: true }).click()
  const year = new Date().getFullYear()
  const [month, day, years] = ['Month', 'Day', 'Year'].map((name) => dialog.getByLabel(name, { exact: true }))
  expect(await years?.locator('option').allTextContents()).toEqual([
    '–',
    ...Array.from({ length: 25 }, (_, n) => String(year + n)),
  ])
  expect(await day?.locator('option').count()).toBe(32)
  await month?.selectOption('2')
  await day?.selectOption('31')
  await years?.selectOption(String(year + 2))
  await dialog.getByText('Choose a day of the calendar').waitFor()
  expect(await save.isDisabled()).toBe(true)
  await day?.selectOption('28')
  await save.click()
  const row = page.getByRole('row', { name: new RegExp(`${year + 2}-02-28`) })
  await row.waitFor()
  expect(await row.textContent()).not.toContain('0001')

  await rowAction(page, `${year + 2}-02-28`, 'Edit')
  const edit = page.getByRole('dialog', { name: /Edit Lifecycle Rule/ })
  expect(await edit.getByLabel('Day', { exact: true }).inputValue()).toBe('28')
  await edit.getByRole('switch', { name: 'Status' }).press('Space')
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Disabled/ }).waitFor()
  const { lifecycle } = await target.call('listLifecycleRules', { params: { bucket } })
  expect(lifecycle).toMatchObject([{ status: 'Disabled', expiration: { date: `${year + 2}-02-28T23:59:59Z` } }])
})

test('rules are deleted one by one and together; without the right the buttons name it', async () => {
  const { target } = browser
  const bucket = await target.newBucket('life')
  const Rules = ['one', 'two', 'three'].map((ID) => ({
    ID,
    Status: 'Enabled' as const,
    Filter: { Prefix: `${ID}/` },
    Expiration: { Days: 9 },
  }))
  const LifecycleConfiguration = { Rules }
  await target.s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration }))
  const page = await open(`/buckets/${bucket}/lifecycle`)
  await rowAction(page, 'one', 'Delete')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Delete/ })
    .click()
  await page.getByRole('row', { name: /one/ }).waitFor({ state: 'hidden' })
  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click()
  await page.getByRole('button', { name: 'Delete 2 lifecycle rules' }).click()
  await page.getByText('There are no Lifecycle rules yet').waitFor()

  const user = await target.newUser(allowS3But(['s3:PutLifecycleConfiguration']))
  const theirs = await open(`/buckets/${bucket}/lifecycle`, { as: user })
  await theirs.getByText('There are no Lifecycle rules yet').waitFor()
  const add = theirs.getByRole('button', { name: 'Add Lifecycle Rule' })
  await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true')
  await add.focus()
  await theirs.getByText('s3:PutLifecycleConfiguration').first().waitFor()
})

test('a list that cannot be read shows no snackbar, only a message in the browser console [LCY-17]', async () => {
  const bucket = await browser.target.newBucket('life')
  const page = await open(`/buckets/${bucket}/summary`)
  await page.getByRole('region', { name: 'Access Policy' }).waitFor()
  await failCalls(page, { url: /\/lifecycle$/ }, 'the server is busy')
  const told = page.waitForEvent('console', (message) => message.text().includes('lifecycle rules could not be read'))
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Lifecycle' }).click()
  await told
  await page.getByRole('button', { name: 'Retry' }).waitFor()
  expect(await page.getByRole('region', { name: 'Messages' }).getByRole('button').count()).toBe(0)
})
