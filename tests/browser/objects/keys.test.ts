import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { listKeys, newBucketWith } from '../../support/data/objects.ts'

const browser = useBrowser()
const { open } = browser

// Each is one folder deep, so that both the folder and the key must work in the URL.
test.each([
  ['empty segments', 'a//b'],
  ['dots', 'dots/../up'],
  ['a percent sign and an escaped slash', '100%/x%2Fy'],
  ['a question mark and a hash', 'q?/a#b&c=d'],
  ['emoji', '😀/👩‍👩‍👧.txt'],
  ['blanks at the ends', ' s /  t '],
  ['signs of the router', '$a/{b}'],
  ['a backslash', 'w\\x/y\\z'],
])('a key with %s is opened by clicks, read after a reload, downloaded and deleted [OBJ-28]', async (_what, key) => {
  const bucket = await newBucketWith(browser.target, { [key]: `I am ${key}` })
  const page = await open(`/object-browser/${bucket}`)
  const links = page.locator('tbody a[data-row-link]')
  // Through its folders, whatever their names are.
  for (let left = key.split('/').length; left > 0; left--) {
    await expect.poll(() => links.count()).toBe(1)
    const before = page.url()
    await links.click()
    await expect.poll(() => page.url()).not.toBe(before)
  }
  const detail = page.getByRole('complementary', { name: 'Object details' })
  await detail.getByText(`${Buffer.from(`I am ${key}`).length} bytes`).waitFor()
  await page.reload()
  await detail.getByText(`${Buffer.from(`I am ${key}`).length} bytes`).waitFor()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    detail.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(await readFile(await download.path(), 'utf8')).toBe(`I am ${key}`)
  await detail.getByRole('button', { name: 'Delete Object' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Object' }).click()
  await expect.poll(() => listKeys(browser.target, bucket)).toEqual([])
})

test('characters that reverse or hide text are shown as codes, and the row is marked', async () => {
  const bucket = await newBucketWith(browser.target, { 'invoice\u202Efdp.exe': '1' })
  const page = await open(`/object-browser/${bucket}`)
  const link = page.locator('tbody a[data-row-link]')
  await link.getByText('RLO').waitFor()
  expect(await link.getAttribute('title')).toBe('invoice[RLO]fdp.exe')
  await page.getByTitle('The name contains invisible characters or characters that reverse the text').waitFor()
})

test('markup in a key is shown as text', async () => {
  const bucket = await newBucketWith(browser.target, { '<img src=x onerror=alert(1)>': '1' })
  const page = await open(`/object-browser/${bucket}`)
  const alerts: string[] = []
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message())
    void dialog.dismiss()
  })
  await page.getByText('<img src=x onerror=alert(1)>', { exact: true }).click()
  await page.getByRole('complementary', { name: 'Object details' }).getByText('1 byte').waitFor()
  expect(alerts).toEqual([])
  expect(await page.locator('img[src="x"]').count()).toBe(0)
})
