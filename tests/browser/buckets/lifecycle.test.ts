import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { expect, onTestFinished, test } from 'vitest'
import { setSettingDocument } from '../../../packages/object-store/src/bucket-settings/testing.ts'
import { openEngine } from '../../../packages/object-store/src/engine/open-engine.ts'
import { useBrowser } from '../../support/browser/browser.ts'
import { failCalls } from '../../support/browser/page-calls.ts'
import { clickRowAction } from '../../support/browser/rows.ts'
import { startConsole } from '../../support/console/start-console.ts'
import { listKeys, putReplica } from '../../support/data/objects.ts'
import { allowS3Except } from '../../support/data/policies.ts'
import { startFaultProxy } from '../../support/network/fault-proxy.ts'

const browser = useBrowser()
const { open } = browser

const DAY_MS = 86_400_000
const MINIO_HEALTH = 'HTTP/1.1 200 OK\r\nX-Minio-Write-Quorum: 3\r\nContent-Length: 0\r\n\r\n'

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

  await clickRowAction(page, `${year + 2}-02-28`, 'Edit')
  const edit = page.getByRole('dialog', { name: /Edit Lifecycle Rule/ })
  expect(await edit.getByLabel('Day', { exact: true }).inputValue()).toBe('28')
  await edit.getByRole('switch', { name: 'Status' }).press('Space')
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Disabled/ }).waitFor()
  const { lifecycle } = await target.call('listLifecycleRules', { params: { bucket } })
  expect(lifecycle).toMatchObject([{ status: 'Disabled', expiration: { date: `${year + 2}-02-28T23:59:59Z` } }])
})

test('a rule whose action is not in the form is switched off, and its action stays', async () => {
  const { target } = browser
  const bucket = await target.newBucket('life')
  await target.call('addLifecycleRule', { params: { bucket }, body: { prefix: 'old/', delete_marker_days: 3 } })
  const page = await open(`/buckets/${bucket}/lifecycle`)
  await clickRowAction(page, 'old/', 'Edit')
  const dialog = page.getByRole('dialog', { name: /Edit Lifecycle Rule/ })
  await dialog.getByText('This rule does not affect any objects now.').waitFor()
  await dialog.getByRole('switch', { name: 'Status' }).press('Space')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Disabled/ }).waitFor()
  const { lifecycle } = await target.call('listLifecycleRules', { params: { bucket } })
  expect(lifecycle).toMatchObject([{ status: 'Disabled', expiration: { days: 0, delete_marker_days: 3 } }])
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
  await clickRowAction(page, 'one', 'Delete')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Delete/ })
    .click()
  await page.getByRole('row', { name: /one/ }).waitFor({ state: 'hidden' })
  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Delete', exact: true }).last().click()
  await page.getByRole('button', { name: 'Delete 2 lifecycle rules' }).click()
  await page.getByText('There are no Lifecycle rules yet').waitFor()

  const user = await target.newUser(allowS3Except(['s3:PutLifecycleConfiguration']))
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
  const consoleMessage = page.waitForEvent('console', (message) =>
    message.text().includes('lifecycle rules could not be read'),
  )
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Lifecycle' }).click()
  await consoleMessage
  await page.getByRole('button', { name: 'Retry' }).waitFor()
  expect(await page.getByRole('region', { name: 'Messages' }).getByRole('button').count()).toBe(0)
})

test('one rule is simulated for each of several buckets and added to all; a refusal is shown at its bucket', async () => {
  const { target } = browser
  const word = target.freshName('w')
  const [first, second, third] = ['a', 'b', 'c'].map((letter) => `${letter}-${word}`) as [string, string, string]
  for (const name of [first, second, third]) await target.call('createBucket', { body: { name } })
  for (const Key of ['tmp/a', 'tmp/b']) await target.s3.send(new PutObjectCommand({ Bucket: first, Key, Body: 'x' }))
  const page = await open(`/buckets?buckets.filter=${word}`)
  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Add Lifecycle Rule' }).click()
  const dialog = page.getByRole('dialog', { name: /Add Lifecycle Rule/ })
  await dialog.getByLabel('Prefix').fill('tmp/')
  await dialog.getByLabel('Expiry Days').fill('7')
  const simulated = (name: string) => dialog.getByRole('region', { name })
  await simulated(first).getByText('It will act on 2 of the current objects').waitFor()
  await simulated(second).getByText('It will act on 0 of the current objects').waitFor()
  await simulated(third).getByText('It will act on 0 of the current objects').waitFor()
  await dialog.getByRole('button', { name: 'Next' }).click()
  // Nothing is added before the second step, in which one bucket disappears.
  await expect(target.call('listLifecycleRules', { params: { bucket: first } })).rejects.toThrow()
  await target.s3.send(new DeleteBucketCommand({ Bucket: second }))
  const results = page.getByRole('dialog', { name: 'Add to 3 buckets' })
  await results.getByRole('button', { name: 'Add to 3 buckets' }).click()
  await results.getByText('1 bucket does not have the rule').waitFor()
  const result = (name: string) => results.getByRole('listitem').filter({ hasText: name })
  await result(first).getByText('Added').waitFor()
  await result(third).getByText('Added').waitFor()
  expect(await result(second).getByText('Added').count()).toBe(0)
  for (const bucket of [first, third]) {
    const { lifecycle } = await target.call('listLifecycleRules', { params: { bucket } })
    expect(lifecycle).toMatchObject([{ prefix: 'tmp/', expiration: { days: 7 } }])
  }
})

test('the simulation names the objects that a lock protects', async () => {
  const { target } = browser
  const bucket = target.freshName('life')
  await target.s3.send(new CreateBucketCommand({ Bucket: bucket, ObjectLockEnabledForBucket: true }))
  const put = (Key: string, days: number, lock = {}) =>
    putReplica(target.s3, { Bucket: bucket, Key, Body: '12345', ...lock }, Date.now() - days * DAY_MS)
  await put('held', 9, { ObjectLockLegalHoldStatus: 'ON' })
  await put('free', 9)
  for (const key of ['held', 'free']) await put(key, 5)
  const page = await open(`/buckets/${bucket}/lifecycle`)
  await page.getByRole('button', { name: 'Add Lifecycle Rule' }).click()
  const dialog = page.getByRole('dialog', { name: /Add Lifecycle Rule/ })
  await dialog.getByLabel('Expiry Days').fill('3650')
  await dialog.getByLabel('Noncurrent Expiration Days').fill('2')
  await dialog.getByText('This rule will immediately act on 2 objects (10 B).').waitFor()
  await dialog.getByText('1 of them is protected by a lock.').waitFor()
  const locked = dialog.getByRole('listitem').filter({ hasText: '· locked' })
  expect(await locked.allTextContents()).toEqual([expect.stringMatching(/^held/)])
})

test('the days of unfinished uploads are offered for expiry, only if the server removes uploads by rules', async () => {
  const { target } = browser
  const bucket = await target.newBucket('life')
  const openDialog = async (console = target) => {
    const page = await open(`/buckets/${bucket}/lifecycle`, { console })
    await page.getByRole('button', { name: 'Add Lifecycle Rule' }).click()
    const dialog = page.getByRole('dialog', { name: /Add Lifecycle Rule/ })
    await dialog.getByLabel('Expiry Days').waitFor()
    return dialog
  }
  const dialog = await openDialog()
  const field = dialog.getByLabel('Unfinished Upload Days')
  await field.fill('4')
  await dialog.getByText('Transition', { exact: true }).click()
  await field.waitFor({ state: 'detached' })
  await dialog.getByText('Expiry', { exact: true }).click()
  await dialog.getByLabel('Expiry Days').fill('7')
  await field.fill('4')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { lifecycle } = await target.call('listLifecycleRules', { params: { bucket } })
  expect(lifecycle).toMatchObject([{ expiration: { days: 7, abort_upload_days: 4 } }])

  // MinIO's answer, by which the console recognizes a server without such rules.
  await using proxy = await startFaultProxy(target.serverUrl)
  proxy.set({ answer: { to: '/minio/health/cluster', with: MINIO_HEALTH } })
  await using console = await startConsole({ env: { STOWAGE_SERVER: proxy.url } })
  const other = await openDialog(console)
  await other.getByLabel('Prefix').waitFor()
  expect(await other.getByLabel('Unfinished Upload Days').count()).toBe(0)
})

test('a store whose clock jumped shows that rules wait; after the confirmation they act, and the next one is named', async () => {
  const data = await mkdtemp(join(tmpdir(), 'stowage-clock-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  const drives = [1, 2, 3, 4].map((n) => join(data, 'drives', String(n)))
  // The store stood still for three days.
  const engine = await openEngine({ data, drives, minFree: 0, now: () => Date.now() - 3 * DAY_MS })
  await engine.createBucket('clock')
  await engine.putObject('clock', 'tmp/old', Readable.from([Buffer.from('x')]), {})
  const rule = '<ID>clean</ID><Status>Enabled</Status><Filter><Prefix>tmp/</Prefix></Filter>'
  const rules = `<LifecycleConfiguration><Rule>${rule}<Expiration><Days>1</Days></Expiration></Rule></LifecycleConfiguration>`
  await setSettingDocument(engine, 'clock', 'lifecycle', rules)
  await engine.close()
  await using console = await startConsole({ data, env: { STOWAGE_SERVER: '' } })
  await console.s3.send(new PutObjectCommand({ Bucket: 'clock', Key: 'tmp/new', Body: 'x' }))
  const page = await open('/buckets/clock/lifecycle', { console })
  await page.getByText('Lifecycle rules are waiting').waitFor()
  expect(await listKeys(console, 'clock')).toEqual(['tmp/new', 'tmp/old'])
  await page.getByRole('button', { name: 'Confirm clock' }).click()
  await page.getByText('Clock confirmed').waitFor()
  await expect.poll(() => listKeys(console, 'clock')).toEqual(['tmp/new'])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByText(/Next: the rule clean acts on 1 object \(1 B\)/).waitFor()
  expect(await page.getByText('Lifecycle rules are waiting').count()).toBe(0)
})
