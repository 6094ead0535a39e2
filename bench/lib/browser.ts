import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { KiB } from '@stowage/contract/values/units'
import { type Browser, chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../../tests/support/browser/chromium.ts'
import type { ConsoleClient } from './console-client.ts'
import { type BenchCase, timed } from './measure.ts'

const compress = promisify(gzip)
const TIMEOUT = { timeout: 60_000 }

/** Returns the measurements in a browser with an empty cache. @param bucket a bucket that all consoles show */
export function browserCases(browser: Browser, bucket: string): BenchCase<ConsoleClient>[] {
  const login = (console: ConsoleClient) =>
    open(browser, console, 'login', (page) => page.locator('input[type=password]').first().fill('x', TIMEOUT))
  const buckets = (console: ConsoleClient) =>
    open(browser, console, 'buckets', (page) => page.getByText(bucket, { exact: true }).first().waitFor(TIMEOUT))
  return [
    { name: 'login page usable', unit: 'ms', run: async (console) => (await login(console)).ms },
    { name: 'JavaScript of it, gzip', unit: 'KiB', runs: 1, run: async (console) => (await login(console)).scriptKiB },
    { name: 'buckets page with its rows', unit: 'ms', run: async (console) => (await buckets(console)).ms },
    {
      name: 'JavaScript for it, gzip',
      unit: 'KiB',
      runs: 1,
      run: async (console) => (await buckets(console)).scriptKiB,
    },
  ]
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
}

async function open(
  browser: Browser,
  console: ConsoleClient,
  path: string,
  usable: (page: Page) => Promise<void>,
): Promise<{ ms: number; scriptKiB: number }> {
  const context = await browser.newContext()
  try {
    if (path !== 'login') await context.addCookies(console.cookies)
    const page = await context.newPage()
    const scripts: Promise<Buffer>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response.body().catch(() => Buffer.alloc(0)))
    })
    const ms = await timed(async () => {
      await page.goto(`${console.url.replace(/\/$/, '')}/${path}`, { waitUntil: 'commit' })
      await usable(page)
    })
    await page.waitForLoadState('load')
    // Compressed here, because consoles compress differently.
    const sizes = await Promise.all(scripts.map(async (body) => (await compress(await body)).length))
    return { ms, scriptKiB: sizes.reduce((sum, size) => sum + size, 0) / KiB }
  } finally {
    await context.close()
  }
}
