import { readFile } from 'node:fs/promises'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { tableRow } from '../../support/browser/rows.ts'

const browser = useBrowser()
const { open } = browser

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const start = async (page: Page) => {
  await button(page, 'Start').click()
  await page.getByText(/^Running since \d\d:\d\d:\d\d$/).waitFor()
}
/** Shows only the rows of this file: other tests use the same server, and the list draws only its newest rows. */
const hideOthers = (page: Page) => page.getByPlaceholder('Search rows').fill('/traced-')
const put = async (key: string) => {
  const bucket = await browser.target.newBucket('traced')
  await browser.target.s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: 'x'.repeat(2048) }))
  return `/${bucket}/${key}`
}

test('a trace starts, shows records, and stops; its filters cannot change meanwhile [TRC-01] [TRC-02] [TRC-03] [TRC-04] [TRC-05] [TRC-06]', async () => {
  const page = await open('/trace')
  await page.getByText('Trace is not started yet').waitFor()
  await start(page)
  await page.getByText('No Traced elements received yet').waitFor()
  for (const field of ['Status Code', 'Method', 'Function Name', 'Path', 'Response Threshold'])
    expect(await page.getByRole('textbox', { name: field, exact: true }).isDisabled(), field).toBe(true)
  for (const box of ['All', 'S3', 'Internal', 'Storage', 'OS', 'Display only Errors'])
    expect(await page.getByRole('checkbox', { name: box, exact: true }).isDisabled(), box).toBe(true)
  await hideOthers(page)
  const path = await put('italy/lake.jpg')
  const row = tableRow(page, path)
  await row.waitFor()
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(
    expect.arrayContaining(['Time', 'Name', 'Status', 'Location', 'Load Time', 'Upload', 'Download']),
  )
  const text = await row.innerText()
  expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3}\s+s3\.PutObject\s+200/)
  expect(text).toMatch(/2\.0\s?KiB/)
  await button(page, 'Stop').click()
  await page.getByText('Stopped', { exact: true }).waitFor()
  const unseen = await put('unseen.jpg')
  await start(page)
  const seen = await put('seen.jpg')
  await tableRow(page, seen).waitFor()
  expect(await tableRow(page, unseen).count()).toBe(0)
  expect(await row.count()).toBe(0)
})

test('the server applies the filters, and the search works on received records [TRC-07] [TRC-08]', async () => {
  const page = await open('/trace')
  const threshold = page.getByRole('textbox', { name: 'Response Threshold' })
  await threshold.pressSequentially('-3')
  expect(await threshold.inputValue()).toBe('3')
  await threshold.fill('')
  await page.getByRole('textbox', { name: 'Path' }).fill('wanted')
  const socket = page.waitForEvent('websocket')
  await start(page)
  expect(new URL((await socket).url()).search).toBe(
    '?calls=s3&threshold=0ms&onlyErrors=no&statusCode=&method=&funcname=&path=wanted',
  )
  const other = await put('other.jpg')
  const one = await put('wanted-1.jpg')
  const two = await put('wanted-2.jpg')
  await tableRow(page, two).waitFor()
  expect(await tableRow(page, other).count()).toBe(0)
  await page.getByPlaceholder('Search rows').fill('wanted-1')
  await tableRow(page, two).waitFor({ state: 'detached' })
  await tableRow(page, one).waitFor()
})

test('a record opens with its headers, without credentials; a saved trace opens again', async () => {
  const page = await open('/trace')
  await start(page)
  await hideOthers(page)
  const path = await put('saved.jpg')
  await tableRow(page, path).getByText('s3.PutObject').click()
  const drawer = page.getByRole('complementary', { name: 'Record' })
  await drawer.getByText('x-amz-content-sha256', { exact: false }).first().waitFor()
  expect(await drawer.innerText()).not.toMatch(/Signature=[0-9a-f]/)
  const download = page.waitForEvent('download')
  await button(page, 'Save NDJSON').click()
  const file = await (await download).path()
  expect(await readFile(file, 'utf8')).toContain(`"path":"${path}"`)
  await page.reload()
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByText(/^Records of the file /).waitFor()
  await tableRow(page, path).waitFor()
  await page.locator('input[type=file]').setInputFiles({
    name: 'photo.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('{"api":1}\n'.repeat(200)),
  })
  await page.getByText('This file is not a saved trace.').waitFor()
})

test('bidi and control characters are made visible in every column and member of a trace', async () => {
  const page = await open('/trace')
  await start(page)
  await hideOthers(page)
  const path = await put('evil.jpg')
  await tableRow(page, path).waitFor()
  const download = page.waitForEvent('download')
  await button(page, 'Save NDJSON').click()
  const lines = (await readFile(await (await download).path(), 'utf8')).split('\n')
  const own = JSON.parse(lines.find((line) => line.includes(path)) ?? '') as object
  const evil = 'a\u202Egnp.exe\u0007\u2066'
  const planted = JSON.stringify(own, (key, value: unknown) =>
    typeof value === 'string' && key !== 'time' && key !== 'ptime' ? `${value}${evil}` : value,
  )
  await page.reload()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'evil.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(`${planted}\n`) })
  const row = page.getByRole('row').filter({ hasText: 'gnp.exe' })
  await row.waitFor()
  await row.getByText('PutObject', { exact: false }).first().click()
  await page.getByRole('complementary', { name: 'Record' }).waitFor()
  expect(await page.getByRole('main').innerText()).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u0007]/)
  expect(await page.getByRole('complementary', { name: 'Record' }).innerText()).not.toMatch(
    /[\u202A-\u202E\u2066-\u2069\u0007]/,
  )
})

test('without the right to trace there is no link to the page', async () => {
  const user = await browser.target.newUser({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] }],
  })
  const page = await open('/trace', { as: user })
  await page.waitForURL(/\/buckets$/)
  expect(await page.getByRole('link', { name: 'Trace' }).count()).toBe(0)
})
