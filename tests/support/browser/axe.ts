import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns the serious and critical findings of axe-core on the page, one line each. The page's context needs `bypassCSP`,
 * because axe runs as a script that the page's policy does not allow.
 * @param part selector of the part to check; the whole page if absent
 */
export async function axeFindings(page: Page, part?: string): Promise<string[]> {
  await page.evaluate(source)
  const results = await page.evaluate(
    async (selector) =>
      await (globalThis as unknown as { axe: { run(part: string | Document): Promise<AxeResults> } }).axe.run(
        selector ?? document,
      ),
    part,
  )
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`))
}
