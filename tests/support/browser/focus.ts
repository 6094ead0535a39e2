import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** The opening tag of the focused element. */
const focused = async (page: Page) =>
  await page.evaluate(() => (document.activeElement?.cloneNode() as Element | undefined)?.outerHTML)

/** Waits until an element has the focus. */
export async function expectFocus(on: Locator): Promise<void> {
  await expect
    .poll(
      async () =>
        (await on.evaluate((element) => element === document.activeElement)) || `focus on: ${await focused(on.page())}`,
    )
    .toBe(true)
}
