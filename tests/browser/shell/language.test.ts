import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { CONFIG_FORMS } from '@stowage/contract/configs/config-forms'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { overflowingParts, untranslatedTexts, usePseudoLocale } from '../../support/browser/untranslated.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import { newBucketWith } from '../../support/data/objects.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()

/** A separate console: other files add names to the lists of the shared one. */
let target: TestConsole
beforeAll(async () => {
  target = await startConsole()
})
afterAll(async () => await target[Symbol.asyncDispose]())

/** Returns the paths of the page registry by area, read as text: the registry itself needs a browser. */
function registeredPaths(): [string, string[]][] {
  const areas = new URL('../../../apps/web/src/areas/', import.meta.url)
  return readdirSync(areas).flatMap((area): [string, string[]][] => {
    const file = new URL(`${area}/pages.ts`, areas)
    if (!existsSync(file)) return []
    const list = readFileSync(file, 'utf8')
    // The areas of operator mode are not available in this console.
    if (list.includes("mode: 'operator'")) return []
    const paths = [...list.matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => path ?? '')
    return [[area, paths]]
  })
}

/** An entity of each kind that a path can contain; the author of a path with another kind must add one. */
async function createThings(): Promise<Record<string, string>> {
  const bucket = await newBucketWith(target, { 'dir/a.txt': '1' })
  const { accessKey: user } = await target.newUser(allowS3(['s3:GetObject'], [bucket]))
  const policy = target.freshName('policy')
  const Statement = [{ Effect: 'Allow', Action: ['s3:GetObject'], Resource: [`arn:aws:s3:::${bucket}/*`] }]
  await target.madmin.addPolicy(policy, { Version: '2012-10-17', Statement })
  return { bucket, user, policy, kind: 'logger', request: crypto.randomUUID() }
}

/** The names of settings, as on the server and in the specification. */
async function subsystems(): Promise<string[]> {
  const { configurations } = await target.call('listConfigs', {})
  return [...Object.keys(CONFIG_FORMS), ...configurations.map(({ key }) => key)]
}

function fill(path: string, things: Record<string, string>): string {
  return path.replace(/\$(\w*)/g, (_, name: string) => {
    // The rest of a path: a key of the bucket.
    if (name === '') return 'dir/a.txt'
    const thing = things[name]
    if (thing === undefined) throw new Error(`${path}: createThings has no ${name}`)
    return thing
  })
}

/** Returns what is wrong with the texts of the page, on a wide screen and on a phone. */
async function findings(page: Page, names: string[]): Promise<string[]> {
  await page.waitForLoadState('networkidle')
  await page.setViewportSize({ width: 1440, height: 900 })
  const wide = [...(await untranslatedTexts(page, names)), ...(await overflowingParts(page))]
  await page.setViewportSize({ width: 390, height: 844 })
  // Tables change their form after the window has changed its size.
  await expect
    .poll(() => overflowingParts(page), { timeout: 5_000 })
    .toEqual([])
    .catch(() => undefined)
  const small = (await overflowingParts(page)).map((part) => `on a phone: ${part}`)
  return [...wide, ...small]
}

const others: [string, string[]] = [
  'no area',
  ['/no/such/page', '/buckets?create=bucket', '/oauth_callback?error=test-000000000000', '/login'],
]

test.each([...registeredPaths(), others])(
  'in the pseudo-locale no page of %s leaves a text in English, or cuts one',
  async (_, paths) => {
    const things = await createThings()
    // Names of entities and built-in policies, and example values of fields.
    const canned = ['consoleAdmin', 'diagnostics', 'readonly', 'readwrite', 'writeonly']
    const examples = ['*.log', 'project=lakes', 'reports/2026/', 'STANDARD']
    const own = [...Object.values(things), target.rootUser, 'a.txt', 'dir']
    const names = [...own, ...canned, ...examples, ...(await subsystems())]
    const [first = '/', ...rest] = paths
    const page = await browser.open(fill(first, things), { console: target, before: usePseudoLocale })
    const wrong: Record<string, string[]> = {}
    for (const path of [first, ...rest]) {
      await page.setViewportSize({ width: 1440, height: 900 })
      if (path !== first) await page.goto(fill(path, things).replace(/^\//, ''))
      await page.locator('h1').first().waitFor()
      const found = await findings(page, names)
      if (found.length > 0) wrong[path] = found
    }
    expect(wrong).toEqual({})
  },
)

test('the test has found the pages', () => {
  expect(registeredPaths().flatMap(([, paths]) => paths).length).toBeGreaterThan(20)
})
