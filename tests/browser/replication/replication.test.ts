import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { clickRowAction, tableRow } from '../../support/browser/rows.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import { allowS3Except } from '../../support/data/policies.ts'

/* Buckets of one console are replicated to the store of another. */

const browser = useBrowser()
let here: TestConsole
let there: TestConsole
beforeAll(async () => {
  // The targets are on this machine, and neither is the server under test.
  const env = { STOWAGE_EGRESS_ALLOW: '127.0.0.1', STOWAGE_SERVER: '' }
  ;[here, there] = await Promise.all([startConsole({ env }), startConsole({ env })])
})
afterAll(() => Promise.all([here, there].map((c) => c[Symbol.asyncDispose]())))

async function versioned(c: TestConsole): Promise<string> {
  const bucket = await c.newBucket('repl')
  await c.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  return bucket
}

const host = () => new URL(there.serverUrl).host

async function replicate(bucket: string, target: string, prefix = '', tags = '', more: object = {}): Promise<void> {
  const remote = { accessKey: there.rootUser, secretKey: there.rootPassword, targetURL: there.serverUrl }
  const bucketsRelation = [{ originBucket: bucket, destinationBucket: target }]
  await here.call('setReplication', { body: { ...remote, prefix, tags, bucketsRelation, ...more } })
}

async function fillRemote(dialog: Locator): Promise<void> {
  await dialog.getByLabel('Target URL').fill(host())
  await dialog.getByLabel('Access Key').fill(there.rootUser)
  await dialog.getByLabel('Secret Key').fill(there.rootPassword)
  await dialog.getByLabel('Use TLS').uncheck()
}

const cells = (row: Locator) => row.getByRole('cell').allTextContents()
const openDialog = (page: Page) => page.getByRole('dialog')

test('the rules of a bucket are listed; single rules cannot be deleted if there are several [REP-03] [REP-04] [REP-06]', async () => {
  const [bucket, target] = await Promise.all([versioned(here), versioned(there)])
  await replicate(bucket, target, 'docs/', 'team=a')
  const page = await browser.open(`/buckets/${bucket}/replication`, { console: here })
  const row = tableRow(page, target)
  await row.waitFor()
  const headers = await page.getByRole('columnheader').allTextContents()
  expect(headers.map((text) => text.trim()).filter((text) => text !== '' && text !== 'Actions')).toEqual([
    'Priority',
    'Destination',
    'Prefix',
    'Tags',
    'Status',
  ])
  expect((await cells(row)).slice(1, 6)).toEqual(['1', target, 'docs/', 'Yes', 'Enabled'])

  await replicate(bucket, target, 'b/')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('row').nth(2).waitFor()
  expect(await page.getByRole('button', { name: 'Delete 1' }).getAttribute('aria-disabled')).toBe('true')

  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await openDialog(page).getByRole('button', { name: 'Delete 2 replication rules' }).click()
  await page.getByText('There are no Replication Rules yet.').waitFor()
  expect((await here.call('listReplicationTargets', { params: { bucket } })).targets).toEqual([])
})

test('one bucket is replicated: prefix, tags, switches, and each refusal is shown [REP-05] [REP-12] [REP-16] [REP-18] [REP-21]', async () => {
  const [bucket, target] = await Promise.all([versioned(here), versioned(there)])
  const page = await browser.open(`/buckets/${bucket}/replication`, { console: here })
  await page.getByRole('button', { name: 'Add Replication Rule' }).click()
  const dialog = openDialog(page)
  expect(await dialog.getByLabel('Use TLS').isChecked()).toBe(true)
  expect(await dialog.getByRole('radio', { name: 'Asynchronous' }).isChecked()).toBe(true)
  expect(await dialog.getByLabel('Bandwidth').inputValue()).toBe('100')
  expect(await dialog.getByLabel('Unit').inputValue()).toBe('GiB')
  expect(await dialog.getByLabel('Health Check Duration').inputValue()).toBe('60')
  for (const name of ['Delete Markers', 'Deletes', 'Metadata']) {
    expect(await dialog.getByLabel(name, { exact: true }).isChecked()).toBe(true)
  }
  await fillRemote(dialog)
  await dialog.getByLabel('Target Bucket').fill('no-such-bucket')
  await dialog.getByLabel('Prefix').fill('docs/')
  await dialog.getByLabel('Deletes', { exact: true }).uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'no-such-bucket' }).waitFor()

  await dialog.getByLabel('Target Bucket').fill(target)
  const sent = page.waitForRequest('**/buckets-replication')
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    targetURL: `http://${host()}`,
    syncMode: 'async',
    bandwidth: 100 * 2 ** 30,
    healthCheckPeriod: 60,
    prefix: 'docs/',
    replicateDeleteMarkers: true,
    replicateDeletes: false,
    replicateMetadata: true,
    bucketsRelation: [{ originBucket: bucket, destinationBucket: target }],
  })
  await tableRow(page, target).waitFor()
  await page
    .getByRole('region', { name: `${target} (${host()})` })
    .getByText('Online')
    .waitFor()
})

test('a tag row is added only after a complete one, and incomplete pairs are left out [REP-22]', async () => {
  const [bucket, target] = await Promise.all([versioned(here), versioned(there)])
  const page = await browser.open(`/buckets/${bucket}/replication`, { console: here, clock: true })
  await page.getByRole('button', { name: 'Add Replication Rule' }).click()
  const dialog = openDialog(page)
  await fillRemote(dialog)
  await dialog.getByLabel('Target Bucket').fill(target)
  const add = dialog.getByRole('button', { name: 'Add Tag' })
  expect(await add.getAttribute('aria-disabled')).toBe('true')
  await dialog.getByLabel('Tag Key 1').fill('team')
  await dialog.getByLabel('Tag Value 1').fill(' ')
  expect(await add.getAttribute('aria-disabled')).toBe('true')
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await dialog.getByLabel('Tag Value 1').fill('a b')
  const markers = dialog.getByLabel('Delete Markers')
  // A rule with tags has no delete markers, which shows that the form has the tags.
  await page.clock.runFor(499)
  expect(await markers.isDisabled()).toBe(false)
  await page.clock.runFor(2)
  await expect.poll(() => markers.isDisabled()).toBe(true)
  await page.clock.resume()
  await add.click()
  await dialog.getByLabel('Tag Key 2').fill('left-out')
  const sent = page.waitForRequest('**/buckets-replication')
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect((await sent).postDataJSON()).toMatchObject({ tags: 'team=a+b', replicateDeleteMarkers: false })
  await tableRow(page, target).waitFor()
})

test('several buckets are replicated in two steps, and failed ones remain [REP-08] [REP-09] [REP-11] [REP-17] [REP-20]', async () => {
  const [good, plain, target] = await Promise.all([versioned(here), here.newBucket('repl'), versioned(there)])
  const page = await browser.open('/buckets', { console: here })
  const button = page.getByRole('button', { name: 'Set Replication' })
  await tableRow(page, good).waitFor()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  for (const name of [good, plain]) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await button.click()
  const dialog = openDialog(page)
  await dialog.getByText('Remote Configuration').waitFor()
  await fillRemote(dialog)
  await dialog.getByLabel('Secret Key').fill('wrong-secret')
  await dialog.getByRole('button', { name: 'Next' }).click()
  await dialog.getByText('The other server refuses these credentials').waitFor()
  await dialog.getByLabel('Secret Key').fill(there.rootPassword)
  await dialog.getByRole('button', { name: 'Next' }).click()

  await dialog.getByRole('heading', { name: 'Buckets Assignation' }).waitFor()
  await dialog.getByLabel('Health Check Duration').waitFor()
  await dialog.getByRole('button', { name: 'Back' }).click()
  expect(await dialog.getByLabel('Target URL').inputValue()).toBe(host())
  await dialog.getByRole('button', { name: 'Next' }).click()
  const create = dialog.getByRole('button', { name: 'Create' })
  await create.waitFor()
  expect(await create.isDisabled()).toBe(true)
  for (const name of [good, plain]) await dialog.getByLabel(`Target bucket of ${name}`).selectOption(target)
  await dialog.getByText('Synchronous', { exact: true }).click()
  const sent = page.waitForRequest('**/buckets-replication')
  await create.click()
  expect((await sent).postDataJSON()).toMatchObject({ syncMode: 'sync', bandwidth: 0 })

  await dialog.getByRole('img', { name: `${good} is replicated` }).waitFor()
  await dialog.getByLabel(`Target bucket of ${good}`).waitFor({ state: 'detached' })
  const failure = dialog.getByRole('img', { name: new RegExp(`^${plain}: .*versioning`) })
  await failure.hover()
  await page.getByRole('tooltip').filter({ hasText: 'versioning' }).waitFor()
  expect(await listRules(good)).toHaveLength(1)
})

test('the wizard closes without errors, and the selection is cleared [REP-19]', async () => {
  const [bucket, target] = await Promise.all([versioned(here), versioned(there)])
  const page = await browser.open('/buckets', { console: here })
  const box = page.getByRole('checkbox', { name: `Select ${bucket}` })
  await box.check()
  await page.getByRole('button', { name: 'Set Replication' }).click()
  const dialog = openDialog(page)
  await fillRemote(dialog)
  await dialog.getByRole('button', { name: 'Next' }).click()
  await dialog.getByLabel(`Target bucket of ${bucket}`).selectOption(target)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => box.isChecked()).toBe(false)
  expect(await listRules(bucket)).toHaveLength(1)
})

test('if the other server lists no buckets the wizard says so, and a name is typed', async () => {
  const [bucket, target] = await Promise.all([versioned(here), versioned(there)])
  const page = await browser.open('/buckets', { console: here })
  await page.getByRole('checkbox', { name: `Select ${bucket}` }).check()
  await page.getByRole('button', { name: 'Set Replication' }).click()
  const dialog = openDialog(page)
  await fillRemote(dialog)
  await page.route('**/list-external-buckets', (route) => route.fulfill({ json: { buckets: [], total: 0 } }))
  await dialog.getByRole('button', { name: 'Next' }).click()
  await dialog.getByRole('status').getByText('No bucket of the other server is listed').waitFor()
  await dialog.getByLabel(`Target bucket of ${bucket}`).fill(target)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await listRules(bucket)).toHaveLength(1)
})

test('a rule is edited and deleted with its target', async () => {
  const [bucket, target] = await Promise.all([versioned(here), versioned(there)])
  await replicate(bucket, target)
  const page = await browser.open(`/buckets/${bucket}/replication`, { console: here })
  await clickRowAction(page, target, 'Edit')
  const dialog = openDialog(page)
  // A target without a limit stays one.
  expect(await dialog.getByLabel('Bandwidth').inputValue()).toBe('')
  await dialog.getByLabel('Health Check Duration').fill('90')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { targets } = await here.call('listReplicationTargets', { params: { bucket } })
  expect(targets).toMatchObject([{ sync_mode: 'async', bandwidth: 0, health_check_period: 90 }])

  await clickRowAction(page, target, 'Edit')
  await dialog.getByText('Synchronous', { exact: true }).click()
  await dialog.getByLabel('Enabled').uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await tableRow(page, target).getByText('Disabled').waitFor()
  await page.getByRole('region', { name: target }).getByText('Synchronous').waitFor()
  await clickRowAction(page, target, 'Delete')
  await openDialog(page).getByRole('button', { name: 'Delete 1 replication rule' }).click()
  await page.getByText('There are no Replication Rules yet.').waitFor()
})

test('a target shows what it refused, which is tried again; a resync sends what was there before the rule', async () => {
  const [bucket, target] = await Promise.all([versioned(here), versioned(there)])
  await here.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'before', Body: 'x' }))
  await replicate(bucket, target, '', '', { bandwidth: 2 ** 30 })
  const key = { SSECustomerAlgorithm: 'AES256', SSECustomerKey: Buffer.alloc(32, 1).toString('base64') }
  await here.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'own-key', Body: 'x', ...key }))
  const counts = async () => (await here.call('listReplicationTargets', { params: { bucket } })).targets
  await expect.poll(counts).toMatchObject([{ failed: { count: 1 }, pending: { count: 0 } }])
  const page = await browser.open(`/buckets/${bucket}/replication`, { console: here })
  const cell = page.getByRole('region', { name: target })
  await cell.getByText('1 failed').waitFor()
  await cell.getByText('0 waiting').waitFor()
  await cell.getByText('at most 1.0 GiB/s').waitFor()
  await cell.getByRole('button', { name: 'Show Failures' }).click()
  const dialog = page.getByRole('dialog', { name: /Failed Replication/ })
  await dialog
    .getByRole('listitem')
    .filter({ hasText: 'own-key' })
    .getByText(/key of a customer/)
    .waitFor()
  await dialog.getByRole('button', { name: 'Try All Again' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('1 object is sent again').waitFor()

  await cell.getByRole('button', { name: 'Resync' }).click()
  await openDialog(page).getByRole('button', { name: 'Resync' }).click()
  await page.getByText(`Resync to ${target} started`).waitFor()
  const arrived = () =>
    there.s3.send(new GetObjectCommand({ Bucket: target, Key: 'before' })).then(
      () => true,
      () => false,
    )
  await expect.poll(arrived).toBe(true)
})

test('the details of an object show whether it is replicated', async () => {
  const [bucket, target] = await Promise.all([versioned(here), versioned(there)])
  await replicate(bucket, target)
  await here.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a', Body: 'x' }))
  const details = () => here.call('getObject', { params: { bucket }, query: { prefix: 'a' } })
  await expect.poll(async () => (await details()).replication_status).toBe('COMPLETED')
  const page = await browser.open(`/object-browser/${bucket}/a`, { console: here })
  const label = page.locator('dt', { hasText: /^Replication$/ })
  expect(await label.locator('+ dd').textContent()).toBe('COMPLETED')
})

test('without the rights the section is disabled, and Add names what is missing [REP-02] [REP-05]', async () => {
  const bucket = await versioned(here)
  const reader = await here.newUser(allowS3Except(['s3:GetReplicationConfiguration']))
  const page = await browser.open(`/buckets/${bucket}/summary`, { console: here, as: reader })
  const link = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Replication' })
  await expect.poll(() => link.getAttribute('aria-disabled')).toBe('true')
  await link.click({ force: true })
  expect(new URL(page.url()).pathname).toBe(`/buckets/${bucket}/summary`)

  const other = await here.newUser(allowS3Except(['s3:PutReplicationConfiguration']))
  const second = await browser.open(`/buckets/${bucket}/replication`, { console: here, as: other })
  const add = second.getByRole('button', { name: 'Add Replication Rule' })
  await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true')
  await add.hover()
  await second.getByRole('tooltip').filter({ hasText: 's3:PutReplicationConfiguration' }).waitFor()
})

test('a server of one drive has no section of replication, and no button for it [REP-01] [BKT-25]', async () => {
  await using plain = await startConsole({ env: { STOWAGE_SERVER: '', STOWAGE_DRIVES: `${here.data}/alone` } })
  const bucket = await plain.newBucket('repl')
  const page = await browser.open(`/buckets/${bucket}/replication`, { console: plain })
  await page.waitForURL(`**/buckets/${bucket}/summary`)
  await page.getByRole('region', { name: 'Access Policy' }).waitFor()
  const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  expect(await sections.allTextContents()).not.toContain('Replication')
  const list = await browser.open('/buckets', { console: plain })
  await tableRow(list, bucket).waitFor()
  expect(await list.getByRole('button', { name: 'Set Replication' }).count()).toBe(0)
})

const listRules = async (bucket: string) => (await here.call('listReplicationRules', { params: { bucket } })).rules
