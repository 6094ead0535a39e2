import { afterAll, beforeAll, expect, test } from 'vitest'
import { tenantBody, useOperatorBrowser } from '../../support/browser/operator-browser.ts'
import { type PoolServer, startPoolServer } from '../../support/operator/pool-server.ts'

let server: PoolServer
const env: Record<string, string> = {}
// Before the console starts.
beforeAll(async () => {
  server = await startPoolServer('alpha')
  env.STOWAGE_TENANT_URL = server.url
})
afterAll(async () => await server?.[Symbol.asyncDispose]())
const browser = useOperatorBrowser({}, env)

test('a pool is drained, its progress followed, and removed once it is empty', async () => {
  const { operator: o, open } = browser
  const namespace = await o.newNamespace()
  const body = tenantBody('alpha', namespace)
  const pools = [0, 1].flatMap((n) => body.pools.map((pool) => ({ ...pool, name: `pool-${n}` })))
  await o.admin.call('createTenant', { body: { ...body, enable_tls: false, pools } })
  const page = await open(`/namespaces/${namespace}/tenants/alpha/pools`)
  const row = page.getByRole('row', { name: /pool-1/ })
  const act = async (name: string) => {
    await row.hover()
    await row.getByRole('button', { name: `${name} pool-1`, exact: true }).click()
  }
  await row.getByText('Active').waitFor()
  await row.hover()
  await row.getByRole('button', { name: 'Remove' }).hover()
  await page.getByRole('tooltip').getByText('Drain the pool first.').waitFor()

  await act('Drain')
  await page.getByRole('dialog', { name: 'Drain Pool' }).getByRole('button', { name: 'Drain Pool' }).click()
  await row.getByText('Draining 0%').waitFor()
  expect(server.requests).toEqual([expect.stringMatching(/^decommission http:\/\/alpha-pool-1-/)])
  server.move(0.4)
  await row.getByText('Draining 40%').waitFor()
  await row.getByText('400 objects moved').waitFor()
  expect(await row.getByRole('progressbar', { name: 'Draining' }).getAttribute('aria-valuenow')).toBe('40')
  expect((await row.boundingBox())?.height).toBe(40)

  await act('Stop Draining')
  await page.getByRole('dialog', { name: 'Stop Draining' }).getByRole('button', { name: 'Stop Draining' }).click()
  await row.getByText('Draining stopped').waitFor()
  // Refresh reads the states too.
  server.move(0.5)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await row.getByText('500 objects moved').waitFor()
  await act('Drain')
  await page.getByRole('dialog', { name: 'Drain Pool' }).getByRole('button', { name: 'Drain Pool' }).click()
  await row.getByText('Draining 50%').waitFor()
  server.move(1, 'complete')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await row.getByText('Drained').waitFor()

  await act('Remove')
  const dialog = page.getByRole('dialog', { name: 'Remove Pool' })
  const remove = dialog.getByRole('button', { name: 'Remove Pool' })
  expect(await remove.isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill('pool-1')
  await remove.click()
  await row.waitFor({ state: 'hidden' })
  const params = { namespace, tenant: 'alpha' }
  expect((await o.admin.call('getTenant', { params })).pools.map(({ name }) => name)).toEqual(['pool-0'])
})
