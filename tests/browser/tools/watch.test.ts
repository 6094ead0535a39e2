import { readFile } from 'node:fs/promises'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'

const browser = useBrowser()
const { open } = browser

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const put = (Bucket: string, Key: string) =>
  browser.target.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x'.repeat(2048) }))

async function choose(page: Page, bucket: string) {
  await page
    .getByRole('combobox', { name: 'Bucket' })
    .or(page.getByRole('textbox', { name: 'Bucket' }))
    .first()
    .fill(bucket)
  await page.getByRole('option', { name: bucket, exact: true }).click()
}

async function start(page: Page) {
  await button(page, 'Start').click()
  await page.getByText(/^Running since \d\d:\d\d:\d\d$/).waitFor()
}

test('a bucket is watched by prefix and suffix, and the events can be saved [WCH-01] [WCH-02] [WCH-03] [WCH-04]', async () => {
  const bucket = await browser.target.newBucket('watched')
  const page = await open('/watch')
  expect(await button(page, 'Start').isDisabled()).toBe(true)
  await choose(page, bucket)
  await page.getByRole('textbox', { name: 'Prefix' }).fill('italy/')
  await page.getByRole('textbox', { name: 'Suffix' }).fill('.jpg')
  await start(page)
  await page.getByText('No Changes at this time').waitFor()
  expect(await page.getByRole('textbox', { name: 'Prefix' }).isDisabled()).toBe(true)
  await put(bucket, 'italy/notes.txt')
  await put(bucket, 'italy/lake.jpg')
  const row = page.getByRole('row').filter({ hasText: `/${bucket}/italy/lake.jpg` })
  await row.waitFor()
  expect(await row.innerText()).toMatch(/^\d\d:\d\d:\d\d\.\d{3}\s+2\.0\s?KiB\s+s3:ObjectCreated:Put/)
  expect(await page.getByRole('row').filter({ hasText: 'notes.txt' }).count()).toBe(0)
  expect((await page.getByRole('columnheader').allInnerTexts()).slice(0, 4)).toEqual(['Time', 'Size', 'Type', 'Path'])
  const download = page.waitForEvent('download')
  await button(page, 'Save NDJSON').click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain('"key":"italy/lake.jpg"')
  await button(page, 'Stop').click()
  await page.getByText('Stopped', { exact: true }).waitFor()
})

test('all buckets are watched', async () => {
  const page = await open('/watch')
  await choose(page, 'All buckets')
  await start(page)
  for (const bucket of [await browser.target.newBucket('one'), await browser.target.newBucket('two')]) {
    await put(bucket, 'sky.jpg')
    await page
      .getByRole('row')
      .filter({ hasText: `/${bucket}/sky.jpg` })
      .waitFor()
  }
})

test('bidi characters of a name are made visible in every column of a watch', async () => {
  const bucket = await browser.target.newBucket('evil')
  const page = await open('/watch')
  await choose(page, bucket)
  await start(page)
  await put(bucket, 'a\u202Egnp.exe\u2066')
  await page.getByRole('row').filter({ hasText: 'gnp.exe' }).waitFor()
  expect(await page.getByRole('main').innerText()).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/)
})
