import { expect, test } from 'vitest'
import { newForeignTenant, tenantBody, useOperatorBrowser } from '../../support/browser/operator-browser.ts'
import { holdCalls } from '../../support/browser/page-calls.ts'
import {
  type StolenData,
  startHostileTenant,
  startVictimTenant,
  VICTIM_SECRET,
} from '../../support/operator/hostile-tenant.ts'

const browser = useOperatorBrowser()
const { open } = browser

let running: Promise<{ namespace: string; tenant: string }> | undefined
/** The one tenant here that runs a store, so that it has a console. */
const greenTenant = () => (running ??= newGreenTenant('media'))

async function newGreenTenant(name: string) {
  const { operator: o } = browser
  const namespace = await o.newNamespace()
  const params = { namespace, tenant: name }
  await o.admin.call('createTenant', { body: tenantBody(name, namespace) })
  await expect
    .poll(async () => (await o.admin.call('getTenant', { params })).status.health_status, { interval: 200 })
    .toBe('green')
  return params
}

test("a tenant's own console is opened from its summary, and shown again by Refresh [TNT-16] [TNT-20] [TNT-21]", async () => {
  const { namespace, tenant } = await greenTenant()
  const page = await open(`/namespaces/${namespace}/tenants/${tenant}/summary`)
  const held = await holdCalls(page, { url: /\/api\/proxy\// })
  await page.getByRole('link', { name: 'Manage Tenant' }).click()
  await page.waitForURL('**/hop')
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
  for (const text of ['Tenants', 'media', 'Management']) await crumbs.getByText(text, { exact: true }).waitFor()
  await page.getByRole('status', { name: 'Loading...' }).waitFor()
  await held.release()
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  await page.getByRole('status', { name: 'Loading...' }).waitFor({ state: 'detached' })
  const shown = () => new URL(page.frames()[1]?.url() ?? 'about:blank')
  expect(shown().pathname).toMatch(new RegExp(`^/api/proxy/${namespace}/media/`))
  const source = new URL((await page.locator('iframe').getAttribute('src')) ?? '')
  expect([source.pathname, source.searchParams.get('cp')]).toEqual([`/api/proxy/${namespace}/media/`, 'y'])

  // It is the tenant's: what is made there is made in its store, over its own calls and sockets.
  await frame.getByRole('link', { name: 'Users', exact: true }).click()
  await frame.getByRole('heading', { name: 'Users', exact: true }).waitFor()
  await frame.getByRole('link', { name: 'Trace', exact: true }).click()
  await frame.getByRole('button', { name: 'Start' }).click()
  await frame.getByRole('button', { name: 'Stop' }).waitFor()

  await page.getByRole('button', { name: 'Refresh' }).first().click()
  await frame.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Back to the tenant' }).click()
  await page.waitForURL('**/summary')
})

test('Open here leads to our own screens for the tenant and back, and signing out ends them', async () => {
  const { namespace, tenant } = await greenTenant()
  const page = await open(`/namespaces/${namespace}/tenants/${tenant}/hop`)
  await page.getByRole('button', { name: 'Open here' }).click()
  await page.waitForURL(`**/tenant/${namespace}/${tenant}/**`)
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
  // The console of an operator keeps no audit records of tenants, so it does not offer to record them.
  await page.getByRole('link', { name: 'Logs', exact: true }).click()
  await page.getByRole('tab', { name: 'Error Logs' }).waitFor()
  expect(await page.getByRole('button', { name: 'Record here' }).count()).toBe(0)
  await page.goBack()
  await page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
  await page.getByRole('link', { name: `Tenant ${tenant}` }).click()
  await page.getByRole('region', { name: 'Details' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Users', exact: true }).waitFor()
  const other = await page.context().newPage()
  await other.goto(`${browser.operator.url}/tenants`)
  await other.getByRole('button', { name: 'Logout' }).click()
  await other.getByRole('heading', { name: 'Operator Login' }).waitFor()
  await page.getByRole('link', { name: 'Groups', exact: true }).click()
  await page.getByRole('link', { name: 'Open the tenant again' }).waitFor()
  await page.goto(`${browser.operator.url}/tenant/${namespace}/${tenant}/users`)
  await page.getByRole('heading', { name: 'Operator Login' }).waitFor()
})

test('the metrics of a tenant are a page of its console, with a loader first [TNT-19]', async () => {
  await using hostile = await startHostileTenant()
  const { namespace, tenant } = await newForeignTenant(browser.operator, 'plain', hostile.port)
  const page = await open(`/namespaces/${namespace}/tenants/${tenant}/summary`)
  const held = await holdCalls(page, { url: /\/api\/proxy\// })
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Metrics' }).click()
  await page.getByRole('status', { name: 'Loading...' }).waitFor()
  await held.release()
  const metrics = page.locator('iframe[title="Metrics of plain"]')
  await metrics.waitFor()
  expect(new URL((await metrics.getAttribute('src')) ?? '').pathname).toBe(`/api/proxy/${namespace}/plain/metrics`)
  await page.getByRole('status', { name: 'Loading...' }).waitFor({ state: 'detached' })
})

test('a hostile tenant cannot access anything of the operator', async () => {
  await using hostile = await startHostileTenant()
  const { namespace, tenant } = await newForeignTenant(browser.operator, 'hostile', hostile.port)
  const page = await open(`/namespaces/${namespace}/tenants/${tenant}/hop`)
  const text = page.frameLocator('iframe').locator('#loot')
  await text.filter({ hasText: 'top' }).waitFor()
  const { target, ...loot } = JSON.parse(await text.innerText()) as StolenData
  expect(target).toBe(browser.operator.url)
  expect(Object.entries(loot).filter(([, result]) => !result.startsWith('refused'))).toEqual([])
  expect(page.url()).toContain('/hop')
  // Still signed in, despite any cookies it has set.
  await page.getByRole('link', { name: 'Back to the tenant' }).click()
  await page.getByRole('region', { name: 'Details' }).waitFor()
})

test('a hostile tenant cannot access another tenant that was shown before at the same origin', async () => {
  await using hostile = await startHostileTenant()
  await using victim = await startVictimTenant()
  const first = await newForeignTenant(browser.operator, 'victim', victim.port)
  const second = await newForeignTenant(browser.operator, 'hostile', hostile.port)
  const page = await open(`/namespaces/${first.namespace}/tenants/victim/hop`)
  await page.frameLocator('iframe').getByText(VICTIM_SECRET).waitFor()
  await expect.poll(() => victim.seen).toContain('GET /data.js')
  hostile.target = page.frames()[1]?.url().replace(/\?.*/, '') ?? ''
  const before = [...victim.seen]
  await page.goto(`${browser.operator.url}/namespaces/${second.namespace}/tenants/hostile/hop`)
  const text = page.frameLocator('iframe').locator('#loot')
  await text.filter({ hasText: 'top' }).waitFor()
  const { target: _, ...loot } = JSON.parse(await text.innerText()) as StolenData
  expect(Object.keys(loot)).toContain('sockets of another tenant')
  expect(Object.entries(loot).filter(([, result]) => !result.startsWith('refused'))).toEqual([])
  expect(victim.seen).toEqual(before)
})

test('tenants of one origin are shown one at a time, in any tab', async () => {
  await using hostile = await startHostileTenant()
  const first = await newForeignTenant(browser.operator, 'first', hostile.port)
  const second = await newForeignTenant(browser.operator, 'second', hostile.port)
  const page = await open(`/namespaces/${first.namespace}/tenants/first/hop`)
  await page.frameLocator('iframe').locator('#loot').waitFor({ state: 'attached' })
  const other = await page.context().newPage()
  await other.goto(`${browser.operator.url}/namespaces/${second.namespace}/tenants/second/hop`)
  await page.getByText('Another tenant was opened').waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  await other.frameLocator('iframe').locator('#loot').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Open it again' }).click()
  await page.frameLocator('iframe').locator('#loot').waitFor({ state: 'attached' })
  await other.getByText('Another tenant was opened').waitFor()
})
