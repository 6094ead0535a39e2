import type { Page } from 'playwright-core'

/** The stopped clock of a page. */
export interface StoppedClock {
  /** Advances the time (ms) and runs timers. */
  run(ms: number): Promise<void>
}

/**
 * Stops the clock of a page that was opened with `clock: true`. Time only passes when the test calls `run`, so the test never
 * waits.
 */
export async function stopClock(page: Page): Promise<StoppedClock> {
  const now = await page.evaluate(() => Date.now())
  await page.clock.pauseAt(now + 2_000)
  return { run: async (ms) => await page.clock.runFor(ms) }
}
