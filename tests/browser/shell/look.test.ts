import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFindings } from '../../support/browser/axe.ts'
import { type OpenOptions, useBrowser } from '../../support/browser/browser.ts'
import { chooseFiles, memoryFile } from '../../support/browser/upload-files.ts'
import { newBucketWith } from '../../support/data/objects.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

const scheme = (page: Page) => page.evaluate(() => document.documentElement.dataset.mantineColorScheme)

test('the colour scheme follows the system until one is chosen, and the choice is kept', async () => {
  const page = await open('/buckets', { colorScheme: 'dark' })
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  expect(await scheme(page)).toBe('dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => scheme(page)).toBe('light')
  await page.getByRole('button', { name: /^Color scheme/ }).click()
  await page.getByRole('menuitem', { name: 'Dark' }).click()
  await expect.poll(() => scheme(page)).toBe('dark')
  await page.reload()
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  expect(await scheme(page)).toBe('dark')
})

/** Every page and dialog, and what must be visible before it is checked. */
const views: Record<string, (options: OpenOptions) => Promise<Page>> = {
  async login(options) {
    const page = await open('/login', { ...options, as: false })
    await page.getByRole('heading', { name: 'Console Login' }).waitFor()
    return page
  },
  async buckets(options) {
    const bucket = await newBucketWith(browser.target, { a: '1' })
    const page = await open(`/buckets?buckets.filter=${bucket}`, options)
    await page.getByLabel('Select all').check()
    return page
  },
  async 'create bucket'(options) {
    const page = await open('/buckets?create=bucket', options)
    await page.getByRole('dialog').getByLabel('Quota', { exact: true }).click()
    await page.getByRole('dialog').getByLabel('Size').waitFor()
    return page
  },
  async 'bucket summary'(options) {
    const page = await open(`/buckets/${await browser.target.newBucket()}/summary`, options)
    await page.getByRole('button', { name: 'Edit Versioning' }).waitFor()
    return page
  },
  async 'quota dialog'(options) {
    const page = await open(`/buckets/${await browser.target.newBucket()}/summary`, options)
    await page.getByRole('button', { name: 'Edit Quota' }).click()
    await page.getByRole('dialog').getByLabel('Enabled').click()
    return page
  },
  async dashboard(options) {
    const page = await open('/dashboard?tab=servers', options)
    await page.getByRole('table', { name: 'Drives Status' }).waitFor()
    return page
  },
  async 'all buckets'(options) {
    const page = await open('/object-browser', options)
    await page.getByRole('table').waitFor()
    return page
  },
  async 'a folder, with its tray'(options) {
    const bucket = await newBucketWith(browser.target, { 'dir/a': '1', 'odd\u202Ekey': '2' })
    const page = await open(`/object-browser/${bucket}`, options)
    await page.getByRole('link', { name: 'dir/', exact: true }).waitFor()
    await chooseFiles(page, [memoryFile('up.txt', 'hello')])
    await page.getByRole('region', { name: 'Transfers' }).getByText('Uploaded').waitFor()
    return page
  },
  async 'an object'(options) {
    const page = await open(`/object-browser/${await newBucketWith(browser.target, { 'a.txt': '1' })}/a.txt`, options)
    await page.getByRole('button', { name: 'Delete Object' }).waitFor()
    return page
  },
  async 'an empty folder'(options) {
    const page = await open(`/object-browser/${await browser.target.newBucket()}`, options)
    await page.getByText('This location is empty').waitFor()
    return page
  },
  async 'access denied'(options) {
    const bucket = await browser.target.newBucket()
    const as = await browser.target.newUser(allowS3(['s3:GetBucketLocation'], [bucket]))
    const page = await open(`/object-browser/${bucket}`, { ...options, as })
    await page.getByRole('alert').getByText('s3:ListBucket').waitFor()
    return page
  },
  async 'not found'(options) {
    const page = await open('/no/such/page', options)
    await page.getByRole('heading', { name: '404 Not Found' }).waitFor()
    return page
  },
  async 'the palette'(options) {
    const page = await open('/buckets', options)
    await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('option').first().waitFor()
    return page
  },
  async 'the shortcuts'(options) {
    const page = await open('/buckets', options)
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    return page
  },
  async 'the menu of a small screen'(options) {
    const page = await open('/buckets', { ...options, width: 390, height: 844 })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    return page
  },
}

// Viewed in light, then in dark: it is the same page, and axe runs twice.
test.each(Object.keys(views))('axe finds no serious problem in %s, in both schemes', async (name) => {
  const page = await views[name]?.({ bypassCSP: true })
  if (!page) throw new Error('no such view')
  await page.waitForLoadState('networkidle')
  expect(await axeFindings(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => scheme(page)).toBe('dark')
  expect(await axeFindings(page)).toEqual([])
})
