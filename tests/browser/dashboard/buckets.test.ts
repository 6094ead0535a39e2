import { PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'

const { open } = useBrowser()

let console: TestConsole
let bucket: string
beforeAll(async () => {
  console = await startConsole({ env: { STOWAGE_METRICS_INTERVAL: '0.2' } })
  bucket = await console.newBucket()
  await console.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a', Body: 'x'.repeat(2048) }))
  await console.call('setBucketQuota', {
    params: { bucket },
    body: { enabled: true, quota_type: 'hard', amount: 1 << 30 },
  })
  await vi.waitFor(
    async () => {
      const { values } = await console.call('getBucketUsage', { params: { bucket } })
      if (values.at(-1)?.size !== 2048) throw new Error('not sampled yet')
    },
    { timeout: 60_000, interval: 200 },
  )
}, 90_000)
afterAll(async () => await console[Symbol.asyncDispose]())

ownStore.test('the tab Buckets shows how much all buckets hold and which of them grow', async () => {
  const page = await open('/dashboard', { console })
  await page.getByRole('tab', { name: 'Buckets', exact: true }).click()
  await page.getByRole('region', { name: 'Growth in 7 days' }).waitFor()
  await page.getByRole('region', { name: 'Usable capacity reached' }).getByText('Not known yet').waitFor()
  await page.getByRole('img', { name: /^Size: 1 lines/ }).waitFor()
  const row = page.getByRole('row').filter({ hasText: bucket })
  await row.getByText('+2.0 KiB').first().waitFor()
  expect(new URL(page.url()).searchParams.get('tab')).toBe('buckets')
  await row.getByRole('link', { name: bucket }).click()
  await page.waitForURL(`**/buckets/${bucket}/usage`)
})

ownStore.test(
  'the section Usage of a bucket shows its history, its growth and its quota, on a small screen too',
  async () => {
    const page = await open(`/buckets/${bucket}/usage`, { console, width: 390, height: 844 })
    await page.getByRole('region', { name: 'Growth in 30 days' }).getByText('+2.0 KiB').waitFor()
    await page
      .getByRole('region', { name: 'Quota reached' })
      .getByText('A forecast needs 7 days of history.', { exact: false })
      .waitFor()
    await page.getByRole('img', { name: /^Objects and versions: 2 lines, least 1, most 1, last 1/ }).waitFor()
    const asked = page.waitForRequest(/usage\?days=7$/)
    await page.getByRole('combobox', { name: 'Time range' }).click()
    await page.getByRole('option', { name: 'Last 1 week' }).click()
    await asked
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  },
)
