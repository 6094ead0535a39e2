import { readFile } from 'node:fs/promises'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeArchive } from '../../../apps/server/src/areas/objects/archive/testing/make-archive.ts'
import { useBrowser } from '../../support/browser/browser.ts'
import { routeCalls } from '../../support/browser/page-calls.ts'
import { newBucketWith, readObjectText } from '../../support/data/objects.ts'

const browser = useBrowser()
const { open } = browser

test('an upload link is created, its page uploads a file, and it is revoked', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/object-browser/${bucket}/in/`)
  const menu = page.getByRole('button', { name: 'More actions', exact: true })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Create Upload Link' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Prefix').inputValue()).toBe('in/')
  await dialog.getByRole('button', { name: 'Create Upload Link' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save page' }).click(),
  ])
  const form = await page.context().newPage()
  await form.setContent(await readFile(await download.path(), 'utf8'))
  const file = { name: 'report.txt', mimeType: 'text/plain', buffer: Buffer.from('content') }
  await form.getByLabel('File').setInputFiles(file)
  const answer = form.waitForResponse((response) => response.request().method() === 'POST')
  await form.getByRole('button', { name: 'Upload' }).click()
  expect((await answer).status()).toBe(204)
  expect(await readObjectText(browser.target, bucket, 'in/report.txt')).toBe('content')

  await page.keyboard.press('Escape')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Links' }).click()
  const links = dialog.getByRole('list', { name: 'Created links' }).getByRole('listitem')
  await expect.poll(() => links.allTextContents()).toEqual([expect.stringContaining(`${bucket}/in/`)])
  await links.getByRole('button', { name: /^Revoke/ }).click()
  await dialog.getByText('You have no links to this bucket.').waitFor()
})

test('unfinished uploads are listed with their size and aborted', async () => {
  const bucket = await browser.target.newBucket()
  const params = { bucket }
  for (const prefix of ['a/film.mov', 'a/b\u202e.mov', 'other']) {
    const { upload_id: uploadId } = await browser.target.call('createUpload', { params, query: { prefix }, body: {} })
    const body = new Uint8Array(2048) as never
    await browser.target.call('uploadPart', { params: { bucket, uploadId, part: 1 }, query: { prefix }, body })
  }
  const page = await open(`/object-browser/${bucket}/a/`)
  await page.getByRole('button', { name: 'More actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Unfinished Uploads' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('2 uploads').waitFor()
  expect(await dialog.getByRole('list').textContent()).toMatch(/RLO.*2(\.0)?\s*KiB/)
  await dialog.getByLabel('2 uploads').check()
  await dialog.getByRole('button', { name: 'Abort Selected' }).click()
  await dialog.getByRole('button', { name: 'Abort 2 uploads' }).click()
  await dialog.getByText('There are no unfinished uploads here.').waitFor()
  const { uploads } = await browser.target.call('listUploads', { params, query: {} })
  expect(uploads.map(({ key }) => key)).toEqual(['other'])
})

test('where the server does not list unfinished uploads, their dialog explains it', async () => {
  // The capability of MinIO of 2021.
  const asOf2021 = async (page: Page) =>
    await routeCalls(page, /\/api\/v1\/session(\?|$)/, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), capabilities: ['quota-fifo'] } })
    })
  const page = await open(`/object-browser/${await browser.target.newBucket()}`, { before: asOf2021 })
  await page.getByRole('button', { name: 'More actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Unfinished Uploads' }).click()
  const dialog = page.getByRole('dialog', { name: 'Unfinished Uploads' })
  await dialog.getByText('This version of MinIO does not list the unfinished uploads of a bucket.').waitFor()
  await dialog.getByText('It deletes them a day after they began.').waitFor()
})

test('a zip archive shows its files, and one of them is downloaded', async () => {
  const archive = makeArchive([
    { name: 'dir/a.txt', content: 'hello' },
    { name: '../evil', content: 'x' },
  ])
  const bucket = await newBucketWith(browser.target, { 'a.zip': archive })
  const page = await open(`/object-browser/${bucket}/a.zip`)
  await page.getByRole('tab', { name: 'Contents' }).click()
  const refused = page.getByRole('button', { name: 'Download ../evil' })
  await refused.waitFor()
  expect(await refused.getAttribute('aria-disabled')).toBe('true')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download dir/a.txt' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('a.txt')
  expect(await readFile(await download.path(), 'utf8')).toBe('hello')
})

test('a text is edited, and its versions are compared', async () => {
  const bucket = await browser.target.newBucket()
  await browser.target.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  const put = {
    Bucket: bucket,
    Key: 'a.txt',
    Body: 'one\r\ntwo\r\n',
    ContentType: 'text/plain',
    Metadata: { colour: 'blue' },
  }
  await browser.target.s3.send(new PutObjectCommand(put))
  const page = await open(`/object-browser/${bucket}/a.txt?tab=preview`)
  await page.getByRole('button', { name: 'Edit Text' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Text', { exact: true }).fill('one\nthree\n')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('three').waitFor()
  expect(await readObjectText(browser.target, bucket, 'a.txt')).toBe('one\r\nthree\r\n')

  await page.getByRole('tab', { name: 'Versions' }).click()
  await page.getByLabel('Select version 1').check()
  await page.getByLabel('Select version 2').check()
  await page.getByRole('button', { name: 'Compare' }).click()
  const rows = dialog.getByRole('region', { name: 'Text' }).getByRole('row')
  await expect.poll(() => rows.allTextContents()).toContainEqual(expect.stringMatching(/^2two\s*2three\s*$/))

  // On a phone, both sides are visible without scrolling, an unchanged line only once.
  await page.setViewportSize({ width: 390, height: 844 })
  for (const cell of [
    dialog.getByText('two', { exact: true }),
    dialog.getByText('three', { exact: true }),
    dialog.getByRole('row', { name: 'Size' }).getByRole('cell').last(),
  ]) {
    await cell.scrollIntoViewIfNeeded()
    const box = await cell.boundingBox()
    expect(box?.width).toBeGreaterThan(40)
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390)
  }
  expect(await dialog.getByText('one', { exact: true }).filter({ visible: true }).count()).toBe(1)
})

test('rows of a folder by keyboard: J and K move, X selects, Space previews, Del asks', async () => {
  const bucket = await newBucketWith(browser.target, { 'a.txt': 'first text', 'b.txt': 'second text', 'c.txt': 'x' })
  const page = await open(`/object-browser/${bucket}`)
  await page.getByRole('link', { name: 'a.txt', exact: true }).waitFor()
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const focused = () => page.evaluate(() => document.activeElement?.closest('tr')?.textContent ?? '')
  // A key that is pressed while the page still loads has no effect.
  await expect
    .poll(async () => {
      await press('j')
      return await focused()
    })
    .toContain('b.txt')
  await press('k', 'j', 'Space')
  await page.getByRole('dialog', { name: 'Preview - b.txt' }).getByText('second text').waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await press('x', 'j', 'x', 'Delete')
  const question = page.getByRole('dialog')
  await question.waitFor()
  await question.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('link', { name: 'c.txt', exact: true }).waitFor({ state: 'detached' })
  await expect.poll(() => page.locator('tbody a[data-row-link]').allTextContents()).toEqual(['a.txt'])
})
