import { gzipSync } from 'node:zlib'
import type { Page, Response } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'

const browser = useBrowser()

/** Returns the gzipped size of the JavaScript that a page with an empty cache has loaded (KiB). */
function countScripts(page: Page): () => Promise<number> {
  const scripts: Response[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response)
  })
  return async () => {
    await page.waitForLoadState('load')
    const sizes = await Promise.all(scripts.map(async (script) => gzipSync(await script.body()).length))
    return sizes.reduce((sum, size) => sum + size, 0) / 1024
  }
}

// A module in the wrong chunk would load all its dependencies, which nobody notices on a fast machine.
test('the sign-in page loads no more than 180 KiB of JavaScript, the first page after it no more than 350', async () => {
  let loaded = () => Promise.resolve(0)
  const before = async (page: Page) => {
    loaded = countScripts(page)
  }
  const login = await browser.open('/login', { as: false, before })
  await login.getByLabel('Enter Username').waitFor()
  const atLogin = await loaded()
  expect(atLogin).toBeGreaterThan(50)
  expect(atLogin).toBeLessThan(180)

  const buckets = await browser.open('/buckets', { before })
  await buckets.getByRole('table').waitFor()
  expect(await loaded()).toBeLessThan(350)
})
