import { mkdirSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { sharedConsole } from '../console/shared-console.ts'
import type { TestCredentials, TestTarget } from '../console/test-target.ts'
import { launchChromium } from './chromium.ts'

export interface OpenOptions {
  /** Signs in as this user first; `false`: opens the page without a session. Default: root. */
  as?: TestCredentials | false
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  /** The time zone of the browser: `Asia/Tokyo`. Default: that of this machine. */
  timezone?: string
  /** A console other than the shared one. */
  console?: TestTarget
  /** The console's URL for the browser, for instance behind a proxy; without a trailing slash. */
  url?: string
  /** Allows the page's clock to be stopped with `stopClock`. */
  clock?: boolean
  /** Allows scripts of the test to run in the page, such as `axeFindings`. */
  bypassCSP?: boolean
  /** Runs before the page is loaded. */
  before?: (page: Page) => Promise<unknown>
}

/**
 * Starts one Chromium for the tests of a file, with the shared console. `open` returns a page in a new context, which is closed
 * at the end of the test.
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
        ...(options.timezone === undefined ? {} : { timezoneId: options.timezone }),
        acceptDownloads: true,
        bypassCSP: options.bypassCSP ?? false,
      })
      if (options.as !== false) {
        const user = options.as ?? { accessKey: console.rootUser, secretKey: console.rootPassword }
        // With an Origin, like a page: a script would get a cookie that browsers cannot use.
        const headers = { origin: new URL(options.url ?? console.url).origin }
        const answer = await context.request.post('api/v1/login', { data: user, headers })
        if (!answer.ok()) throw new Error(`signing in failed: ${answer.status()} ${await answer.text()}`)
      }
      const page = await context.newPage()
      // Long, because pages can take ten times as long on a busy machine.
      page.setDefaultTimeout(Number(process.env.STOWAGE_TEST_WAIT_MS ?? 40_000))
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

/** Saves a screenshot of the page of a failed test in `tests/browser/failures`. */
async function takePicture(page: Page, test: string) {
  mkdirSync('tests/browser/failures', { recursive: true })
  const name = test.replace(/[^a-z0-9]+/gi, '-').slice(0, 80)
  // A closed page has no screenshot; only the failure of the test matters.
  await page.screenshot({ path: `tests/browser/failures/${name}.png` }).catch(() => undefined)
}
