import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { failCalls, recordCalls } from '../../support/browser/page-calls.ts'

const browser = useBrowser()
const { open } = browser

const COUNT = 2000
let bucket: string
beforeAll(async () => {
  const { target } = browser
  bucket = await target.newBucket()
  const send = async (from: number) => {
    const form = new FormData()
    for (let i = from; i < from + 100; i++) form.append('1', new Blob(['x']), `key-${String(i).padStart(4, '0')}`)
    return await target.root.send('uploadObjects', { params: { bucket }, query: { prefix: 'many/' }, body: form })
  }
  // In parallel, because concurrent writers share a sync.
  const answers = await Promise.all(Array.from({ length: COUNT / 100 }, (_, n) => send(n * 100)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
})

const rows = (page: Page) => page.getByRole('table', { name: 'Objects' }).locator('tbody tr[data-index]')
/** The scrolling box around the table. */
const scrollBox = (page: Page) => page.getByRole('table', { name: 'Objects' }).locator('..')

test('rows are 40 px high, the select column 45 wide, and ten more rows than fit are drawn [SHL-44]', async () => {
  const page = await open(`/object-browser/${bucket}/many/`)
  await rows(page).first().waitFor()
  expect((await rows(page).first().boundingBox())?.height).toBe(40)
  expect((await page.locator('thead tr').boundingBox())?.height).toBe(40)
  expect((await page.getByRole('columnheader').first().boundingBox())?.width).toBe(45)
  const height = await scrollBox(page).evaluate((box) => box.clientHeight)
  const fit = Math.ceil(height / 40)
  // The header takes one row's height of the window.
  await expect.poll(() => rows(page).count()).toBeGreaterThanOrEqual(fit - 1 + 10)
  expect(await rows(page).count()).toBeLessThanOrEqual(fit + 1 + 10)
})

test('2,000 keys are loaded page by page while scrolling, and only a few are in the DOM', async () => {
  const page = await open('/object-browser')
  const calls = recordCalls(page, /\/objects$/)
  await page.goto(`object-browser/${bucket}/many/`)
  await page.getByRole('link', { name: 'key-0000', exact: true }).waitFor()
  await page.getByText('250 entries loaded, more available').waitFor()
  expect(calls).toHaveLength(1)
  const toEnd = () => scrollBox(page).evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await expect
    .poll(async () => {
      await toEnd()
      return await page.getByRole('link', { name: 'key-1999', exact: true }).count()
    })
    .toBe(1)
  expect(calls).toHaveLength(3)
  expect(await rows(page).count()).toBeLessThan(80)
  await page.getByText('2,000 objects').waitFor()
})

test('a filter shows that it covers only loaded rows, and offers a search on the server', async () => {
  const page = await open(`/object-browser/${bucket}/many/`)
  await page.getByRole('link', { name: 'key-0000', exact: true }).waitFor()
  await page.getByLabel('Search Objects').fill('key-19')
  await page.getByText(/Searched only the 250 loaded entries/).waitFor()
  await page.getByRole('button', { name: /List keys that start with/ }).click()
  await page
    .getByRole('link', { name: 'key-1999', exact: true })
    .or(page.getByRole('link', { name: 'key-1900', exact: true }))
    .first()
    .waitFor()
  await page.getByText('100 objects').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('link', { name: 'key-0000', exact: true }).waitFor()
})

test('Select all shows that it takes the loaded rows, and offers the whole folder', async () => {
  const page = await open(`/object-browser/${bucket}/many/`)
  await page.getByText('250 entries loaded, more available').waitFor()
  await page.getByLabel('Select all').check()
  await page.getByText('Only the 250 loaded entries are selected. The folder has more.').waitFor()
  await page.getByRole('button', { name: 'Select the whole folder' }).click()
  await page.getByText('Everything in the folder many/ is selected, in its subfolders too.').waitFor()
  await page.getByText('Whole folder selected').waitFor()
  expect(await page.getByText('250 selected').count()).toBe(0)
  const remove = page.getByRole('button', { name: 'Delete Selected' })
  await remove.click()
  await page
    .getByRole('dialog', { name: /Delete Folder/ })
    .getByText('Every object in the folder')
    .waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  // A changed selection is no longer the whole folder, also if it becomes larger again.
  await page.getByLabel('Select all').uncheck()
  await page.getByLabel('Select all').check()
  await page.getByText('Only the 250 loaded entries are selected. The folder has more.').waitFor()
  await remove.click()
  await page
    .getByRole('dialog', { name: /Delete Selected/ })
    .getByText('250 objects')
    .waitFor()
})

test('at the top of a bucket Select all offers to load the other entries', async () => {
  const { target } = browser
  const flat = await target.newBucket()
  const form = new FormData()
  for (let i = 0; i < 260; i++) form.append('1', new Blob(['x']), `key-${String(i).padStart(3, '0')}`)
  await target.root.send('uploadObjects', { params: { bucket: flat }, query: { prefix: '' }, body: form })
  const page = await open(`/object-browser/${flat}`)
  await page.getByText('250 entries loaded, more available').waitFor()
  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Load and select all entries' }).click()
  await page.getByText('260 selected').waitFor()
})

test('a failed Refresh is reported above the rows, which remain; a failed page is reported at their end', async () => {
  const page = await open(`/object-browser/${bucket}/many/`)
  await page.getByText('250 entries loaded, more available').waitFor()
  const refreshes = await failCalls(page, { url: /\/objects\?/ }, 'the server is busy')
  await page.getByRole('button', { name: 'Refresh' }).click()
  const notice = page.getByRole('status').filter({ hasText: 'Last updated at' })
  await notice.getByText('The server is busy').waitFor()
  expect(await page.getByText('250 entries loaded, more available').count()).toBe(1)
  expect((await notice.boundingBox())?.y).toBeLessThan((await rows(page).first().boundingBox())?.y ?? 0)
  await refreshes.mend()
  await notice.getByRole('button', { name: 'Retry' }).click()
  await notice.waitFor({ state: 'hidden' })

  const pages = await failCalls(page, { url: /\/objects\?/ }, 'the server is busy')
  await scrollBox(page).evaluate((box) => box.scrollTo(0, box.scrollHeight))
  const failure = page.getByRole('alert').filter({ hasText: 'The server is busy' })
  await failure.waitFor()
  expect(await notice.count()).toBe(0)
  await pages.mend()
  await failure.getByRole('button', { name: 'Retry' }).click()
  await failure.waitFor({ state: 'hidden' })
  await page.getByText('1,250 entries loaded, more available').waitFor()
})

test('1,300 versions of a key are read while scrolling, only a few are drawn, and all are counted', async () => {
  const { target } = browser
  const versioned = await target.newBucket()
  await target.call('setBucketVersioning', { params: { bucket: versioned }, body: { versioning: true } })
  const send = async () => {
    const form = new FormData()
    for (let i = 0; i < 100; i++) form.append('1', new Blob(['x']), 'log.txt')
    return await target.root.send('uploadObjects', { params: { bucket: versioned }, query: { prefix: '' }, body: form })
  }
  const answers = await Promise.all(Array.from({ length: 13 }, send))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const page = await open(`/object-browser/${versioned}/log.txt?tab=versions`)
  const list = page.getByRole('list', { name: 'Versions' })
  await list.getByRole('listitem').first().waitFor()
  await page.getByLabel('Search by version ID').fill('no such ID')
  await page.getByText('Searched only the 250 loaded versions.').waitFor()
  await page.getByLabel('Search by version ID').fill('')
  const box = page.getByRole('complementary', { name: 'Object details' }).locator('[data-scroll]')
  await expect
    .poll(async () => {
      await box.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return await list.getByRole('checkbox', { name: 'Select version 1', exact: true }).count()
    })
    .toBe(1)
  expect(await list.getByRole('listitem').count()).toBeLessThan(60)
  await page.getByText('1,300 versions hold 1.3 KiB.').waitFor()
})
