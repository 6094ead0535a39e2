import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'

/** Selects calls of the page: a URL as in Playwright, and a method or all of them. */
export interface CallPattern {
  url: string | RegExp
  method?: string
}

const PROBE = '**/routing-probe'

/**
 * Same as `page.route`, but active when it resolves. For some milliseconds after the first `page.route`, Chromium still sends
 * calls past the handlers. This function waits until a test call is caught.
 */
export async function routeCalls(
  page: Page,
  url: CallPattern['url'],
  handler: (route: Route) => Promise<unknown>,
): Promise<void> {
  await page.route(url, handler)
  if (page.url() === 'about:blank') return
  await page.route(PROBE, (route) => route.fulfill({ status: 204 }))
  const probe = () => page.evaluate(async () => (await fetch('/routing-probe')).status)
  await expect.poll(probe).toBe(204)
  await page.unroute(PROBE)
}

/** Holds calls until they are released. */
export async function holdCalls(page: Page, pattern: CallPattern): Promise<{ release(): Promise<void> }> {
  let open = () => {}
  const held = new Promise<void>((resolve) => (open = resolve))
  const handler = async (route: Route) => {
    if (matches(pattern, route)) await held
    // The page may have aborted the call.
    await route.continue().catch(() => undefined)
  }
  await routeCalls(page, pattern.url, handler)
  return {
    async release() {
      open()
      await page.unroute(pattern.url, handler)
    },
  }
}

/** Makes calls fail as if the network were down: the first `times` of them, or all until `mend`. */
export async function breakCalls(
  page: Page,
  pattern: CallPattern,
  times = Number.POSITIVE_INFINITY,
): Promise<{ mend(): Promise<void>; broken(): number }> {
  let broken = 0
  const handler = async (route: Route) => {
    if (!matches(pattern, route) || broken >= times) return await route.fallback()
    broken++
    await route.abort('connectionrefused')
  }
  await routeCalls(page, pattern.url, handler)
  return { mend: async () => await page.unroute(pattern.url, handler), broken: () => broken }
}

/** Answers calls with this message, by default with status 500, until `mend`. */
export async function failCalls(
  page: Page,
  pattern: CallPattern,
  message: string,
  status = 500,
): Promise<{ mend(): Promise<void> }> {
  const json = { code: status, message, detailedMessage: message }
  const handler = async (route: Route) =>
    matches(pattern, route) ? await route.fulfill({ status, json }) : await route.fallback()
  await routeCalls(page, pattern.url, handler)
  return { mend: async () => await page.unroute(pattern.url, handler) }
}

/** Records every matching call of the page from now on, as `METHOD path?query`. */
export function recordCalls(page: Page, pattern: RegExp): string[] {
  const seen: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pattern.test(pathname)) seen.push(`${request.method()} ${pathname}${search}`)
  })
  return seen
}

function matches({ method }: CallPattern, route: Route): boolean {
  return method === undefined || route.request().method() === method
}
