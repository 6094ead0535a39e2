import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { KiB } from '@stowage/contract/units'
import { type Browser, chromium } from 'playwright-core'
import type { ConsoleClient } from './console-client.ts'
import { type Case, timed } from './measure.ts'

const compress = promisify(gzip)
const PATH = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** What is measured in a browser whose cache is empty. */
export function browserCases(browser: Browser): Case<ConsoleClient>[] {
  return [
    { name: 'login page usable', unit: 'ms', run: async (console) => (await openLogin(browser, console.url)).ms },
    {
      name: 'JavaScript of the login page, gzip',
      unit: 'KiB',
      runs: 1,
      run: async (console) => (await openLogin(browser, console.url)).scriptKiB,
    },
  ]
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: PATH, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

async function openLogin(browser: Browser, url: string): Promise<{ ms: number; scriptKiB: number }> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const scripts: Promise<Buffer>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response.body().catch(() => Buffer.alloc(0)))
    })
    const ms = await timed(async () => {
      await page.goto(`${url.replace(/\/$/, '')}/login`, { waitUntil: 'commit' })
      await page.locator('input[type=password]').first().fill('x', { timeout: 60_000 })
    })
    await page.waitForLoadState('load')
    // Compressed here, because consoles differ in what they compress and how.
    const sizes = await Promise.all(scripts.map(async (body) => (await compress(await body)).length))
    return { ms, scriptKiB: sizes.reduce((sum, size) => sum + size, 0) / KiB }
  } finally {
    await context.close()
  }
}
