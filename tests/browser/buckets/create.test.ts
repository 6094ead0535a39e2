import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { holdCalls } from '../../support/browser/page-calls.ts'
import { stopClock } from '../../support/browser/page-clock.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole } from '../../support/console/start-console.ts'

const browser = useBrowser()
const { open } = browser

test('a bucket is created with versioning and a quota, and is in the list [BKT-15] [SHL-36] [SHL-37]', async () => {
  const name = browser.target.freshName()
  const page = await open(`/buckets?buckets.filter=${name}`)
  await page.getByRole('button', { name: 'Create Bucket' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Bucket' })
  await dialog.getByLabel('Bucket Name').fill(name)
  await dialog.getByLabel('Versioning').click()
  await dialog.getByLabel('Quota', { exact: true }).click()
  await dialog.getByLabel('Size').fill('3')
  await dialog.getByLabel('Unit').selectOption('GiB')
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/v1/buckets'),
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect((await sent).postDataJSON()).toEqual({
    name,
    versioning: true,
    locking: false,
    quota: { enabled: true, quota_type: 'hard', amount: 3 * 1024 ** 3 },
  })
  await page.getByRole('link', { name, exact: true }).waitFor()
  await page.getByRole('row', { name }).getByText('Versioned').waitFor()
  expect(await browser.target.call('getBucketQuota', { params: { bucket: name } })).toEqual({
    type: 'hard',
    quota: 3 * 1024 ** 3,
  })
})

test('Save waits for a name that is not blank, and Clear resets the form [BKT-15]', async () => {
  const page = await open('/buckets?create=bucket')
  const dialog = page.getByRole('dialog', { name: 'Create Bucket' })
  const save = dialog.getByRole('button', { name: 'Save' })
  const name = dialog.getByLabel('Bucket Name')
  await name.waitFor()
  expect(await save.isDisabled()).toBe(true)
  await name.fill('   ')
  expect(await save.isDisabled()).toBe(true)
  await name.fill('a-name')
  expect(await save.isEnabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Clear' }).click()
  expect(await name.inputValue()).toBe('')
  expect(await save.isDisabled()).toBe(true)
})

test('during creation a second click sends nothing [BKT-14]', async () => {
  const name = browser.target.freshName()
  const page = await open('/buckets?create=bucket')
  const dialog = page.getByRole('dialog', { name: 'Create Bucket' })
  let sent = 0
  page.on('request', (request) => request.method() === 'POST' && request.url().endsWith('/api/v1/buckets') && sent++)
  const call = await holdCalls(page, { url: '**/api/v1/buckets', method: 'POST' })
  await dialog.getByLabel('Bucket Name').fill(name)
  await page.keyboard.press('Enter')
  await expect.poll(() => sent).toBe(1)
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  expect(await dialog.isVisible()).toBe(true)
  await call.release()
  await dialog.waitFor({ state: 'hidden' })
  expect(sent).toBe(1)
})

test('the name is checked one second after the last key [BKT-17]', async () => {
  const taken = await browser.target.newBucket()
  const page = await open('/buckets', { clock: true })
  await page.getByRole('button', { name: 'Create Bucket' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Bucket' })
  const exists = dialog.getByText('A bucket with this name already exists')
  await dialog.getByLabel('Bucket Name').waitFor()
  const clock = await stopClock(page)
  await dialog.getByLabel('Bucket Name').fill(taken.slice(0, -1))
  await clock.run(900)
  await dialog.getByLabel('Bucket Name').fill(taken)
  await clock.run(950)
  expect(await exists.count()).toBe(0)
  await clock.run(100)
  await exists.waitFor()
})

test('empty required fields are reported with the text of the specification [SHL-50]', async () => {
  const page = await open('/buckets?create=bucket')
  const dialog = page.getByRole('dialog', { name: 'Create Bucket' })
  const name = dialog.getByLabel('Bucket Name')
  const message = dialog.getByText('Field cannot be empty', { exact: true })
  await name.focus()
  expect(await message.count()).toBe(0)
  await page.keyboard.press('Tab')
  await message.waitFor()
  expect(await name.getAttribute('aria-invalid')).toBe('true')
  await name.fill('a-name')
  await message.waitFor({ state: 'hidden' })

  await dialog.getByLabel('Quota', { exact: true }).click()
  await dialog.getByLabel('Size').fill('')
  await message.waitFor()
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Size').fill('3')
  await message.waitFor({ state: 'hidden' })
})

test('Clear also removes the server’s error and the hint about the name', async () => {
  const page = await open('/buckets?create=bucket', { clock: true })
  const dialog = page.getByRole('dialog', { name: 'Create Bucket' })
  await dialog.getByLabel('Bucket Name').fill('a-b.-c')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Clear' }).click()
  await dialog.getByRole('alert').waitFor({ state: 'hidden' })

  const clock = await stopClock(page)
  await dialog.getByLabel('Bucket Name').fill('a-good-name')
  await clock.run(1_100)
  await dialog.getByText('The name is valid').waitFor()
  await dialog.getByRole('button', { name: 'Clear' }).click()
  await dialog.getByText('3 to 63 lowercase letters, digits, hyphens and dots.').waitFor()
})

test('a name is checked when its field loses focus, before the second is over', async () => {
  const page = await open('/buckets?create=bucket', { clock: true })
  const dialog = page.getByRole('dialog', { name: 'Create Bucket' })
  await dialog.getByLabel('Bucket Name').waitFor()
  await stopClock(page)
  await dialog.getByLabel('Bucket Name').fill('My_Bucket')
  expect(await dialog.getByText('Only lowercase letters, digits, hyphens and dots').count()).toBe(0)
  await page.keyboard.press('Tab')
  await dialog.getByText('Only lowercase letters, digits, hyphens and dots').waitFor()
})

test('a bucket is created with retention, which turns object locking on [BKT-06] [BKT-08] [BKT-10] [BKT-11] [BKT-16]', async () => {
  const { target } = browser
  const name = target.freshName()
  const page = await open(`/buckets?create=bucket&buckets.filter=${name}`)
  const dialog = page.getByRole('dialog', { name: 'Create Bucket' })
  const field = (label: string) => dialog.getByLabel(label, { exact: true })
  const save = dialog.getByRole('button', { name: 'Save' })
  await field('Bucket Name').fill(name)
  expect(await field('Retention').isDisabled()).toBe(true)
  await field('Versioning').click()
  await expect.poll(() => field('Retention').isEnabled()).toBe(true)
  await field('Retention').click()
  await field('Validity').waitFor()
  expect(await field('Object Locking').isChecked()).toBe(true)
  expect(await field('Object Locking').isDisabled()).toBe(true)

  for (const wrong of ['', '0', '1.5']) {
    await field('Validity').fill(wrong)
    await expect.poll(() => save.isDisabled()).toBe(true)
  }
  await field('Validity').fill('30')
  await dialog.getByText('Governance', { exact: true }).click()
  await field('Quota').click()
  await field('Size').fill('')
  await expect.poll(() => save.isDisabled()).toBe(true)
  await field('Size').fill('0')
  await expect.poll(() => save.isDisabled()).toBe(true)
  await field('Size').fill('2')
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/v1/buckets'),
  )
  await save.click()
  expect((await sent).postDataJSON()).toEqual({
    name,
    versioning: true,
    locking: true,
    quota: { enabled: true, quota_type: 'hard', amount: 2 * 1024 ** 4 },
    retention: { mode: 'governance', unit: 'days', validity: 30 },
  })
  await page.getByRole('row', { name }).getByText('Locked').waitFor()
  const retention = await target.call('getBucketRetention', { params: { bucket: name } })
  expect(retention).toEqual({ mode: 'governance', unit: 'days', validity: 30 })
})

test('retention falls back to its defaults with its switch and with versioning; Clear restores all [BKT-12] [BKT-13] [BKT-19]', async () => {
  const page = await open('/buckets?create=bucket')
  const dialog = page.getByRole('dialog', { name: 'Create Bucket' })
  const field = (label: string) => dialog.getByLabel(label, { exact: true })
  const defaults = async () => {
    await expect.poll(() => field('Validity').inputValue()).toBe('1')
    expect(await field('Validity').getAttribute('min')).toBe('1')
    expect(await field('Compliance').isChecked()).toBe(true)
    expect(await field('Days').isChecked()).toBe(true)
  }
  const change = async () => {
    await field('Validity').fill('7')
    await dialog.getByText('Governance', { exact: true }).click()
    await dialog.getByText('Years', { exact: true }).click()
  }
  await field('Versioning').click()
  await field('Retention').click()
  await defaults()
  await change()
  await field('Retention').click()
  await field('Validity').waitFor({ state: 'hidden' })
  await field('Retention').click()
  await defaults()
  await change()
  await field('Versioning').click()
  await field('Validity').waitFor({ state: 'hidden' })
  expect(await field('Retention').isChecked()).toBe(false)
  await field('Versioning').click()
  await field('Retention').click()
  await defaults()
  await change()
  await field('Quota').click()
  await field('Size').fill('5')
  await dialog.getByLabel('Unit').first().selectOption('GiB')

  await dialog.getByRole('button', { name: 'Clear' }).click()
  for (const label of ['Versioning', 'Object Locking', 'Quota', 'Retention'])
    await expect.poll(() => field(label).isChecked()).toBe(false)
  await field('Versioning').click()
  await field('Retention').click()
  await defaults()
  await field('Quota').click()
  expect(await field('Size').inputValue()).toBe('1')
  expect(await dialog.getByRole('combobox', { name: 'Unit' }).inputValue()).toBe('TiB')
})

ownStore.test(
  'on a server that is not distributed the features are out of use, and the dialog says so [BKT-09] [BKT-25]',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'one-drive-'))
    await using one = await startConsole({ env: { STOWAGE_DRIVES: folder } })
    const page = await open('/buckets?create=bucket', { console: one })
    const dialog = page.getByRole('dialog', { name: 'Create Bucket' })
    await dialog
      .getByText('Some these features are disabled as server is running in non-erasure coded mode.', { exact: true })
      .waitFor()
    for (const label of ['Versioning', 'Object Locking', 'Quota', 'Retention'])
      expect(await dialog.getByLabel(label, { exact: true }).isDisabled()).toBe(true)
    await dialog.getByLabel('Bucket Name').fill('plain-bucket')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'plain-bucket', exact: true }).click()
    await page.getByRole('region', { name: 'Reported Usage' }).waitFor()
    for (const label of ['Versioning', 'Object Locking', 'Quota', 'Replication'])
      expect(await page.getByRole('region', { name: label }).count()).toBe(0)
    const sections = page.getByRole('navigation', { name: 'Sections' })
    expect(await sections.getByRole('link').allTextContents()).toEqual([
      'Summary',
      'Events',
      'Access Audit',
      'Access Rules',
      'Usage',
    ])
    // Its connections would hold up the end of the console.
    await page.context().close()
    await rm(folder, { recursive: true })
  },
)
