import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser.ts'
import { holdCalls } from '../../support/calls.ts'
import { stopClock } from '../../support/clock.ts'

const browser = useBrowser()
const { open } = browser

test('a bucket is made with versioning and a quota, and stands in the list [BKT-15] [SHL-36] [SHL-37]', async () => {
  const name = browser.target.freshName()
  const page = await open(`/buckets?filter=${name}`)
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

test('Save waits for a name that is not blank, and Clear begins anew [BKT-15]', async () => {
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

test('while one is being made a second try is not sent [BKT-14]', async () => {
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

test('the name is looked at a second after the last key [BKT-17]', async () => {
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

test('what must be filled and was left empty says so, in the specification’s words [SHL-50]', async () => {
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

test('Clear takes what the server and the hint said about the name with it', async () => {
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
