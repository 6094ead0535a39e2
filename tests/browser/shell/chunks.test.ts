import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser.ts'

const browser = useBrowser()
const { open } = browser

// What a tab meets that was opened before an update of the console: names of parts that are no longer there.
test.each([
  ['a page', /\/assets\/BucketPage-/],
  ['the shell', /\/assets\/Shell-.*js/],
  ['the message itself', /\/assets\/(states|BucketPage|Banner)-.*js/],
])('when %s cannot be loaded that is told, with a way to try again', async (_what, part) => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`, {
    before: (p) => p.route(part, (route) => route.fulfill({ status: 404, json: { message: 'not found' } })),
  })
  const retry = page.getByRole('button', { name: /Retry|Reload/ })
  await retry.waitFor()
  await page.unroute(part)
  await retry.click()
  await page.getByRole('heading', { name: bucket }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/buckets/${bucket}/summary`)
})
