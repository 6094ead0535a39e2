import { mkdirSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { launchChromium } from './chromium.ts'
import { sharedConsole } from './shared.ts'
import type { Credentials, TestTarget } from './target.ts'

export interface OpenOptions {
  /** Signs in as this user first; `false`: opens the page without a session. Default: root. */
  as?: Credentials | false
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  /** Another console than the shared one. */
  console?: TestTarget
  /** The console's URL for the browser, behind a proxy for instance; without a slash at the end. */
  url?: string
  /** The page's clock can be stopped: `stopClock`. */
  clock?: boolean
  /** Scripts of the test may run in the page: `axeFindings`. */
  bypassCSP?: boolean
  /** Runs before the page is loaded. */
  before?: (page: Page) => Promise<unknown>
}

/**
 * One Chromium and the shared console for the tests of a file. `open` gives a page in a context of its own, which is
 * closed at the end of the test.
 */
export function useBrowser(): { target: TestTarget; open(path: string, options?: OpenOptions): Promise<Page> } {
  let browser: Browser
  const tools = {
    target: undefined as unknown as TestTarget,
    async open(path: string, options: OpenOptions = {}): Promise<Page> {
      const console = options.console ?? tools.target
      const context = await browser.newContext({
        baseURL: `${options.url ?? console.url}/`,
        viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
        colorScheme: options.colorScheme ?? 'light',
        acceptDownloads: true,
        bypassCSP: options.bypassCSP ?? false,
      })
      if (options.as !== false) {
        const user = options.as ?? { accessKey: console.rootUser, secretKey: console.rootPassword }
        // With an Origin, as from a page: a script would get a cookie that browsers cannot use.
        const headers = { origin: new URL(options.url ?? console.url).origin }
        const answer = await context.request.post('api/v1/login', { data: user, headers })
        if (!answer.ok()) throw new Error(`signing in failed: ${answer.status()} ${await answer.text()}`)
      }
      const page = await context.newPage()
      // Long, because pages can take ten times as long on a busy machine.
      page.setDefaultTimeout(40_000)
      if (options.clock) await page.clock.install()
      await options.before?.(page)
      onTestFinished(async ({ task }) => {
        if (task.result?.state === 'fail') await takePicture(page, task.name)
        await context.close()
      })
      await page.goto(path.replace(/^\//, ''))
      return page
    },
  }
  beforeAll(async () => {
    tools.target = await sharedConsole()
    browser = await launchChromium()
  })
  afterAll(async () => await browser?.close())
  return tools
}

/** Saves a picture of the page of a failed test under `tests/browser/failures`. */
async function takePicture(page: Page, test: string) {
  mkdirSync('tests/browser/failures', { recursive: true })
  const name = test.replace(/[^a-z0-9]+/gi, '-').slice(0, 80)
  // A page that was closed has no picture; only the failure of the test counts.
  await page.screenshot({ path: `tests/browser/failures/${name}.png` }).catch(() => undefined)
}
