import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeleteObjectsCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { failCalls } from '../../support/browser/page-calls.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole } from '../../support/console/start-console.ts'

const browser = useBrowser()
const { open } = browser

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })

const bucketField = (page: Page) =>
  page
    .getByRole('combobox', { name: 'Select Bucket' })
    .or(page.getByRole('textbox', { name: 'Select Bucket' }))
    .first()

async function choose(page: Page, bucket: string) {
  await bucketField(page).fill(bucket)
  await page.getByRole('option', { name: bucket, exact: true }).click()
}

/** Creates a bucket with objects, whose copies on one drive are missing. */
async function damagedBucket(): Promise<string> {
  const { target } = browser
  const info = await target.call('getAdminInfo', {})
  const [drive = ''] = info.servers.flatMap(({ drives }) => drives.map(({ drivePath }) => drivePath))
  const blobs = join(drive, 'blobs')
  const names = async () => (await readdir(blobs, { recursive: true })).filter((name) => /[0-9a-f]{32}$/.test(name))
  const before = new Set(await names())
  const bucket = await target.newBucket('healed')
  const body = Buffer.alloc(100_000, 'x')
  for (const key of ['italy/lake.jpg', 'italy/sea.jpg', 'italy/sky.jpg', 'spain/sky.jpg', 'spain/sea.jpg', 'note'])
    await target.s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }))
  const fresh = async () => (await names()).filter((name) => !before.has(name))
  await expect.poll(async () => (await fresh()).length).toBeGreaterThan(0)
  for (const name of await fresh()) await rm(join(blobs, name))
  return bucket
}

ownStore.test(
  'a heal shows what it scans, the health before and after, and ends with its socket [HEA-02] [HEA-03] [HEA-04] [HEA-05]',
  async () => {
    const bucket = await damagedBucket()
    const page = await open('/heal')
    await page.getByText('No heal was started on this page').waitFor()
    expect(await button(page, 'Start').isDisabled()).toBe(true)
    // The options exclude each other.
    await box(page, 'Force Start').check()
    await box(page, 'Force Stop').check()
    expect(await box(page, 'Force Start').isChecked()).toBe(false)
    await box(page, 'Force Start').check()
    expect(await box(page, 'Force Stop').isChecked()).toBe(false)
    expect(await box(page, 'Recursive').isChecked()).toBe(true)
    await choose(page, bucket)
    await page.getByRole('textbox', { name: 'Prefix' }).fill('italy/')
    await button(page, 'Start').click()
    await page.getByText('Ended', { exact: true }).waitFor()
    const sum = (name: string) => page.locator('dl > div').filter({ hasText: name }).locator('dd').innerText()
    expect(await sum('Size scanned')).toMatch(/^293\s*KiB$/)
    expect(await sum('Objects healed / scanned')).toMatch(/^\d\s*\/ 3$/)
    expect(await sum('Healing time')).toMatch(/^\d+\s*s$/)
    // It has ended, so another can start.
    await page.getByRole('textbox', { name: 'Prefix' }).fill('')
    await button(page, 'Start').click()
    await page.getByRole('img', { name: /^After: Green 100%, Yellow 0%, Red 0%, Grey 0%$/ }).waitFor()
    const chart = page.getByRole('region', { name: "Item's Health Status [%]" })
    expect(await chart.getByRole('columnheader').allInnerTexts()).toEqual(['Green', 'Yellow', 'Red', 'Grey'])
    await expect.poll(() => chart.getByRole('row', { name: /^After/ }).innerText()).toMatch(/^After\s+7\s+0\s+0\s+0$/)
    await page.getByText('Ended', { exact: true }).waitFor()
  },
)

ownStore.test('items that are not well are listed with what is wrong; only looking leaves them so', async () => {
  const bucket = await damagedBucket()
  const page = await open('/heal')
  await choose(page, bucket)
  await box(page, 'Only look').check()
  await button(page, 'Start').click()
  const row = page.getByRole('row').filter({ hasText: '1 copy is missing' }).first()
  await row.waitFor()
  expect(await row.innerText()).toMatch(
    new RegExp(`^Red\\s+Object\\s+${bucket}/\\S+\\s+1 of 2 drives\\s+1 of 2 drives`),
  )
  await page.getByText('Ended', { exact: true }).waitFor()
  await box(page, 'Only look').uncheck()
  await button(page, 'Start').click()
  const healed = page.getByRole('row').filter({ hasText: 'Healed' }).first()
  await healed.waitFor()
  expect(await healed.innerText()).toMatch(/^Green\s+Object\s+\S+\s+1 of 2 drives\s+2 of 2 drives/)
})

ownStore.test('a heal continues while its page is left or loaded again, and the page shows it afterwards', async () => {
  const bucket = await damagedBucket()
  const { target } = browser
  // A heal waits after 1,000 items until a page reads them, so it is not finished when the page is left.
  await target.call('setBucketVersioning', { params: { bucket }, body: { versioning: true } })
  for (let first = 0; first < 3000; first += 1000) {
    const Objects = Array.from({ length: 1000 }, (_, i) => ({ Key: `k${first + i}` }))
    await target.s3.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }))
  }
  const page = await open('/heal')
  await choose(page, bucket)
  const nav = page.getByRole('navigation', { name: 'Main' })
  const isWhole = async () => {
    await page.getByText('Ended', { exact: true }).waitFor()
    const sum = page.locator('dl > div').filter({ hasText: 'Objects healed / scanned' }).locator('dd')
    expect(await sum.innerText()).toMatch(/^[1-6]\s*\/ 3,006$/)
    await page.getByRole('row').filter({ hasText: 'Healed' }).first().waitFor()
  }
  const sockets: string[] = []
  page.on('websocket', (socket) => sockets.push(socket.url()))
  await button(page, 'Start').click()
  await page
    .getByText('Running since')
    .or(page.getByText('Ended', { exact: true }))
    .first()
    .waitFor()
  await nav.getByRole('link', { name: 'Trace' }).click()
  await page.getByRole('heading', { name: 'Trace', exact: true }).waitFor()
  await nav.getByRole('link', { name: 'Heal' }).click()
  await isWhole()
  await page.reload()
  await isWhole()
  await expect.poll(() => bucketField(page).inputValue()).toBe(bucket)
  // An address without the bucket, as typed or kept as a bookmark.
  await page.goto(new URL('/heal', page.url()).href)
  await isWhole()
  await expect.poll(() => bucketField(page).inputValue()).toBe(bucket)
  // Only the first one started a heal.
  expect(sockets.map((url) => new URL(url).searchParams.get('follow'))).toEqual([null, 'true', 'true', 'true'])
})

test('a list of buckets that cannot be read allows healing and watching all buckets, and shows no error [HEA-08] [WCH-06]', async () => {
  for (const [path, select, start] of [
    ['/heal', 'Select Bucket', 'Ended'],
    ['/watch', 'Bucket', 'Running since'],
  ] as const) {
    const logged: string[] = []
    const page = await open(path, {
      before: async (page) => {
        page.on('console', (message) => logged.push(`${message.text()} ${message.location().url}`))
        await failCalls(page, { url: /\/api\/v1\/buckets(\?|$)/ }, 'no list today')
      },
    })
    await page
      .getByRole('combobox', { name: select })
      .or(page.getByRole('textbox', { name: select }))
      .first()
      .click()
    await page.getByRole('option').first().waitFor()
    await expect.poll(() => logged.some((line) => line.includes('/api/v1/buckets'))).toBe(true)
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['All buckets'])
    await page.getByRole('option', { name: 'All buckets' }).click()
    await button(page, 'Start').click()
    await page.getByText(start).first().waitFor()
    expect(await page.getByText('no list today').count()).toBe(0)
  }
})

ownStore.test(
  'a server of one drive has no Heal in the sidebar, and its address leads elsewhere [HEA-01]',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stowage-drive-'))
    try {
      await using single = await startConsole({ env: { STOWAGE_DRIVES: join(folder, 'drive') } })
      const page = await open('/heal', { console: single })
      const sidebar = page.getByRole('navigation', { name: 'Main' })
      await sidebar.getByRole('link', { name: 'Trace' }).waitFor()
      expect(await sidebar.getByRole('link', { name: 'Heal' }).count()).toBe(0)
      expect(await button(page, 'Start').count()).toBe(0)
      const distributed = await open('/trace')
      await distributed.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Heal' }).click()
      await distributed.getByRole('heading', { name: 'Heal', exact: true }).waitFor()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
