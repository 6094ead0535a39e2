import type { Page } from 'playwright-core'

/** The clock of a page, standing still until it is moved on. */
export interface StoppedClock {
  /** Lets this much time pass (ms), timers and all. */
  run(ms: number): Promise<void>
}

/**
 * Stops the clock of a page that was opened with `clock: true`. What is drawn and answered meanwhile waits for `run`, so a
 * test says when time passes and never waits itself.
 */
export async function stopClock(page: Page): Promise<StoppedClock> {
  const now = await page.evaluate(() => Date.now())
  await page.clock.pauseAt(now + 2_000)
  return { run: async (ms) => await page.clock.runFor(ms) }
}
