import type { Locator, Page } from 'playwright-core'

/** Returns the row of a list that shows this name. */
export function tableRow(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
}

/** Clicks an action that a row shows on hover: `clickRowAction(page, bucket, 'Delete')`. */
export async function clickRowAction(page: Page, name: string, action: string): Promise<void> {
  const row = tableRow(page, name)
  const beginning = new RegExp(`^${action} `)
  await row.hover()
  await row
    .getByRole('button', { name: beginning })
    .or(row.getByRole('link', { name: beginning }))
    .click()
}
