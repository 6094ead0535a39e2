import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { ownStore } from '../../support/console/own-store.ts'

const { open } = useBrowser()

ownStore.test('a speed test asks for a typed word, and shows how fast each drive is', async () => {
  const page = await open('/health-info')
  await page.getByRole('tab', { name: 'Speed Test' }).click()
  await page.getByRole('combobox', { name: 'Size of the file' }).click()
  await page.getByRole('option', { name: '16 MiB' }).click()
  await page.getByRole('button', { name: 'Start Speed Test' }).click()
  const dialog = page.getByRole('dialog')
  const start = dialog.getByRole('button', { name: 'Start Speed Test' })
  expect(await start.isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill('speed test')
  await start.click()
  await page.getByText('The speed test has ended.').waitFor()
  const row = page.getByRole('table', { name: 'Result' }).getByRole('row').nth(1)
  expect(await row.getByRole('cell').allTextContents()).toEqual([
    expect.stringMatching(/iB\/s$/),
    expect.stringMatching(/iB\/s$/),
  ])
})

ownStore.test('a profile is downloaded, and the locks are listed', async () => {
  const page = await open('/health-info?tab=profile')
  await page.getByRole('combobox', { name: 'Duration' }).click()
  await page.getByRole('option', { name: '5 seconds' }).click()
  const link = page.getByRole('link', { name: 'Download Profile' })
  expect(await link.getAttribute('href')).toContain('seconds=5')
  // A shorter time than the page offers, for the test.
  await page.route(/admin\/profile/, (route) =>
    route.continue({ url: route.request().url().replace('seconds=5', 'seconds=0.2') }),
  )
  const download = page.waitForEvent('download')
  await link.click()
  const file = await download
  expect(file.suggestedFilename()).toBe('profile.zip')
  expect((await readFile(await file.path())).toString('latin1')).toContain('cluster.info')
  await page.getByRole('tab', { name: 'Locks' }).click()
  await page.getByText('No request holds a lock.').waitFor()
})

ownStore.test(
  'files of a server are asked for by bucket and path; a server without this call is named as the reason',
  async () => {
    const page = await open('/health-info?tab=inspect')
    const button = page.getByRole('button', { name: 'Download Files' })
    expect(await button.isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: 'Bucket' }).fill('photos')
    await page.getByRole('textbox', { name: 'Path' }).fill('lake.jpg/xl.meta')
    const asked = page.waitForRequest(/admin\/inspect/)
    await button.click()
    expect((await asked).postDataJSON()).toEqual({ volume: 'photos', file: 'lake.jpg/xl.meta' })
    await page.getByText('The files could not be read.').waitFor()
  },
)
