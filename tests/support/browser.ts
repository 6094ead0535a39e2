import { mkdirSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFailed } from 'vitest'
import { sharedConsole } from './shared.ts'
import type { TestTarget } from './target.ts'

const launch = {
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
}

export interface OpenOptions {
  /** Signs in as this user first; `false`: opens the page without a session. Default: root. */
  as?: { accessKey: string; secretKey: string } | false
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  /** Another console than the shared one. */
  console?: TestTarget
}

/** A page that closes with its context at the end of the test. */
export type TestPage = Page & AsyncDisposable & { context(): BrowserContext }

/** One Chromium and the shared console for the tests of a file. */
export function useBrowser(): { target: TestTarget; open(path: string, options?: OpenOptions): Promise<TestPage> } {
  let browser: Browser
  const tools = {
    target: undefined as unknown as TestTarget,
    async open(path: string, options: OpenOptions = {}): Promise<TestPage> {
      const console = options.console ?? tools.target
      const context = await browser.newContext({
        baseURL: `${console.url}/`,
        viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
        colorScheme: options.colorScheme ?? 'light',
        acceptDownloads: true,
      })
      if (options.as !== false) {
        const user = options.as ?? { accessKey: console.rootUser, secretKey: console.rootPassword }
        const answer = await context.request.post('api/v1/login', { data: user })
        if (!answer.ok()) throw new Error(`signing in failed: ${answer.status()} ${await answer.text()}`)
      }
      const page = await context.newPage()
      page.setDefaultTimeout(15_000)
      onTestFailed(async ({ task }) => {
        mkdirSync('tests/browser/failures', { recursive: true })
        const name = task.name.replace(/[^a-z0-9]+/gi, '-').slice(0, 80)
        await page.screenshot({ path: `tests/browser/failures/${name}.png` }).catch(() => undefined)
      })
      await page.goto(path.replace(/^\//, ''))
      return Object.assign(page, { [Symbol.asyncDispose]: async () => await context.close() })
    },
  }
  beforeAll(async () => {
    tools.target = await sharedConsole()
    browser = await chromium.launch(launch)
  })
  afterAll(async () => await browser?.close())
  return tools
}
