import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { routeCalls } from '../../support/browser/page-calls.ts'
import { type StoppedClock, stopClock } from '../../support/browser/page-clock.ts'
import { clickRowAction, tableRow } from '../../support/browser/rows.ts'

const browser = useBrowser()
const { open } = browser

/** Opens a folder with one object that no longer exists when it is downloaded. */
async function openVanished(options: { clock?: boolean } = {}) {
  const { target } = browser
  const bucket = await target.newBucket()
  await target.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'gone.txt', Body: 'x' }))
  const page = await open(`/object-browser/${bucket}`, options)
  await tableRow(page, 'gone.txt').waitFor()
  await target.s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'gone.txt' }))
  return page
}

/** Advances the clock in small steps until something is shown, because answers take real time. */
async function runUntilShown(clock: StoppedClock, locator: Locator) {
  const shown = async () => {
    await clock.run(20)
    return await locator.count()
  }
  await expect.poll(shown).toBe(1)
}

const BUCKETS = /\/api\/v1\/buckets\?/

const answer = (status: number, json: object | string) => (page: Page) =>
  routeCalls(page, BUCKETS, (route) =>
    route.fulfill(typeof json === 'string' ? { status, body: json } : { status, json }),
  )

test('a failed call of a page shows its message and details in place, capitalised [SHL-29] [SHL-32] [SHL-34]', async () => {
  const body = { code: 500, message: 'drives are too few', detailedMessage: 'read quorum: 2 of 4' }
  const page = await open('/object-browser', { before: answer(500, body) })
  await page.getByRole('heading', { name: 'Drives are too few' }).waitFor()
  expect(await page.getByText('quorum').count()).toBe(0)
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByText('Read quorum: 2 of 4').waitFor()
})

test('details that repeat the message are left out [SHL-34]', async () => {
  const body = { code: 500, message: 'drives are too few', detailedMessage: 'drives are too few' }
  const page = await open('/object-browser', { before: answer(500, body) })
  await page.getByRole('heading', { name: 'Drives are too few' }).waitFor()
  expect(await page.getByRole('button', { name: 'Details' }).count()).toBe(0)
})

test('an answer without a message is reported with its status [SHL-32]', async () => {
  const page = await open('/object-browser', { before: answer(418, '<h1>teapot</h1>') })
  await page.getByRole('heading', { name: 'Error 418' }).waitFor()
  await page.unroute(BUCKETS)
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('table', { name: 'Buckets' }).waitFor()
  await page.getByRole('heading', { name: 'Error 418' }).waitFor({ state: 'hidden' })
})

test('a failed call of a dialog is reported only in the dialog [SHL-29]', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open('/buckets')
  await page.getByRole('button', { name: 'Create Bucket' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Bucket' })
  await dialog.getByLabel('Bucket Name').fill(bucket)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByLabel('Bucket Name').inputValue()).toBe(bucket)
  expect(await page.getByRole('region', { name: 'Messages' }).getByRole('button').count()).toBe(0)
})

test('an error snackbar hides after 10 s [SHL-28] [SHL-29] [SHL-30]', async () => {
  const page = await openVanished({ clock: true })
  const clock = await stopClock(page)
  await clickRowAction(page, 'gone.txt', 'Download')
  const alert = page.getByRole('alert').getByText('The specified key does not exist.')
  await runUntilShown(clock, alert)
  await clock.run(9_500)
  expect(await alert.isVisible()).toBe(true)
  await clock.run(600)
  await alert.waitFor({ state: 'hidden' })
})

test('an error snackbar stays while the pointer is over it [SHL-30]', async () => {
  const page = await openVanished({ clock: true })
  await clickRowAction(page, 'gone.txt', 'Download')
  const alert = page.getByRole('alert').getByText('The specified key does not exist.')
  await alert.hover()
  const clock = await stopClock(page)
  await clock.run(30_000)
  expect(await alert.isVisible()).toBe(true)
  await page.mouse.move(700, 300)
  await clock.run(11_000)
  await alert.waitFor({ state: 'hidden' })
})

test('a snackbar is closed with its button; the list shows the rest [SHL-27] [SHL-30]', async () => {
  const page = await openVanished()
  await clickRowAction(page, 'gone.txt', 'Download')
  const alert = page.getByRole('alert').filter({ hasText: 'The specified key does not exist.' })
  await alert.getByRole('button', { name: 'Close' }).click()
  await alert.waitFor({ state: 'hidden' })
  await page.getByText('This location is empty, please try uploading a new file').waitFor()
})

test('a message snackbar hides after 5 s [SHL-26] [SHL-28]', async () => {
  const page = await open('/buckets', { clock: true })
  const name = browser.target.freshName()
  await page.getByRole('button', { name: 'Create Bucket' }).click()
  await page.getByLabel('Bucket Name').fill(name)
  const clock = await stopClock(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const message = page.getByRole('status').getByText(`Bucket ${name} created`)
  await runUntilShown(clock, message)
  await clock.run(4_500)
  expect(await message.isVisible()).toBe(true)
  await clock.run(600)
  await message.waitFor({ state: 'hidden' })
})
