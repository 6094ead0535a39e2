import { PutObjectCommand } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { expectFocus } from '../../support/browser/focus.ts'
import { holdCalls } from '../../support/browser/page-calls.ts'
import { tableRow } from '../../support/browser/rows.ts'
import { newBucketWith } from '../../support/data/objects.ts'

const browser = useBrowser()
const { open } = browser

test('columns have their label, width, alignment and value format [SHL-39]', async () => {
  const { target } = browser
  const bucket = await target.newBucket()
  await target.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: 'x'.repeat(1536) }))
  const page = await open(`/buckets?buckets.filter=${bucket}`)
  const row = page.getByRole('row', { name: bucket })
  await row.waitFor()
  const size = page.getByRole('columnheader', { name: 'Size' })
  const head = await size.evaluate((cell) => getComputedStyle(cell).textAlign)
  const index = await size.evaluate((cell) => (cell as HTMLTableCellElement).cellIndex)
  const cell = row.locator('td').nth(index)
  expect([head, await cell.evaluate((td) => getComputedStyle(td).textAlign)]).toEqual(['right', 'right'])
  expect(await cell.textContent()).toMatch(/1\.5\s*KiB/)
  const name = page.getByRole('columnheader', { name: 'Name', exact: true })
  expect(['left', 'start']).toContain(await name.evaluate((th) => getComputedStyle(th).textAlign))
  // A declared width is kept; the name gets the rest.
  const widths = async () => [(await name.boundingBox())?.width ?? 0, (await size.boundingBox())?.width ?? 0] as const
  const [nameBefore, sizeBefore] = await widths()
  await page.setViewportSize({ width: 1640, height: 900 })
  await expect.poll(async () => (await widths())[0]).toBe(nameBefore + 200)
  expect((await widths())[1]).toBe(sizeBefore)
})

test('a table shows its loading text, then its rows [SHL-41]', async () => {
  const bucket = await browser.target.newBucket()
  let list: Awaited<ReturnType<typeof holdCalls>> | undefined
  const page = await open(`/buckets?buckets.filter=${bucket}`, {
    before: async (page) => (list = await holdCalls(page, { url: /\/api\/v1\/buckets\?/ })),
  })
  await page.getByRole('table').getByText('Loading...').waitFor()
  expect(await page.getByRole('table').getAttribute('aria-busy')).toBe('true')
  await list?.release()
  await page.getByRole('link', { name: bucket, exact: true }).waitFor()
  expect(await page.getByRole('table').getByText('Loading...').count()).toBe(0)
})

test('the column selector opens and closes, hides columns, and is remembered [SHL-42]', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/buckets?buckets.filter=${bucket}`)
  await page.getByRole('columnheader', { name: 'Size' }).waitFor()
  const button = page.getByRole('button', { name: 'Columns' })
  const chooser = page.getByRole('dialog', { name: 'Columns' })
  await button.click()
  await chooser.waitFor()
  expect(await chooser.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
  await chooser.getByLabel('Size').uncheck()
  await page.getByRole('columnheader', { name: 'Size' }).waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await chooser.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('columnheader', { name: 'Creation Date' }).waitFor()
  expect(await page.getByRole('columnheader', { name: 'Size' }).count()).toBe(0)
  await button.click()
  await chooser.getByLabel('Size').check()
  await page.getByRole('columnheader', { name: 'Size' }).waitFor()
})

test('Tab moves through the active row of a list only: its checkbox, its actions, then on', async () => {
  const bucket = await newBucketWith(browser.target, { a: '1', b: '2', c: '3' })
  const page = await open(`/object-browser/${bucket}`)
  await tableRow(page, 'a').waitFor()
  const seen: string[] = []
  await page.getByLabel('Select all').focus()
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press('Tab')
    const row = await page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('data-index'))
    if (row != null) seen.push(row)
  }
  expect(new Set(seen)).toEqual(new Set(['0']))
  // The arrow keys make another row the active one.
  await tableRow(page, 'a').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await expectFocus(page.getByLabel('Select b', { exact: true }))
  await page.keyboard.press('Tab')
  await expectFocus(page.getByRole('link', { name: 'View b' }))
})

test('Tab enters a scrolled list at a visible row', async () => {
  const keys = Array.from({ length: 80 }, (_, i) => `k-${String(i).padStart(2, '0')}`)
  const bucket = await newBucketWith(browser.target, Object.fromEntries(keys.map((key) => [key, ''])))
  const page = await open(`/object-browser/${bucket}`)
  await tableRow(page, 'k-00').hover()
  await page.mouse.wheel(0, 60 * 40)
  await tableRow(page, 'k-79').waitFor()
  await tableRow(page, 'k-00').waitFor({ state: 'detached' })
  await expect.poll(() => page.locator('tbody tr[tabindex="0"]').count()).toBe(1)
  const box = await page.locator('tbody tr[tabindex="0"]').boundingBox()
  expect(box?.y).toBeGreaterThan((await tableRow(page, 'Name').boundingBox())?.y ?? 0)
})
