import { expect, test } from 'vitest'
import { newForeignTenant, useOperatorBrowser } from '../../support/browser/operator-browser.ts'
import {
  type StolenData,
  startHostileTenant,
  startVictimTenant,
  VICTIM_SECRET,
} from '../../support/operator/hostile-tenant.ts'
import { freePort } from '../../support/processes/ports.ts'

const browser = useOperatorBrowser({}, async () => {
  const [port, proxyPort] = await Promise.all([freePort(), freePort()])
  return {
    STOWAGE_PORT: port,
    STOWAGE_PUBLIC_URL: `http://console.stowage.localhost:${port}`,
    STOWAGE_PROXY_PORT: proxyPort,
    STOWAGE_PROXY_URL: `http://{tenant}.stowage.localhost:${proxyPort}`,
  }
})

test('a hostile tenant cannot access another tenant that is open at an origin of its own', async () => {
  await using hostile = await startHostileTenant()
  await using victim = await startVictimTenant()
  const first = await newForeignTenant(browser.operator, 'victim', victim.port)
  const second = await newForeignTenant(browser.operator, 'hostile', hostile.port)
  const page = await browser.open(`/namespaces/${first.namespace}/tenants/victim/hop`)
  const shown = page.frameLocator('iframe').getByText(VICTIM_SECRET)
  await shown.waitFor()
  await expect.poll(() => victim.seen).toContain('GET /data.js')
  hostile.target = page.frames()[1]?.url().replace(/\?.*/, '') ?? ''

  const other = await page.context().newPage()
  await other.goto(page.url().replace(`${first.namespace}/tenants/victim`, `${second.namespace}/tenants/hostile`))
  const text = other.frameLocator('iframe').locator('#loot')
  await text.filter({ hasText: 'top' }).waitFor()
  // Nothing of others is at its origin, so its workers are harmless.
  const { target, 'shared worker of a blob': _, ...loot } = JSON.parse(await text.innerText()) as StolenData
  expect(target).toMatch(/^http:\/\/console\.stowage\.localhost:/)
  expect(Object.keys(loot)).toContain('sockets of another tenant')
  expect(Object.entries(loot).filter(([, result]) => !result.startsWith('refused'))).toEqual([])
  // The frame was requested, but not shown.
  expect(other.frames().map((frame) => frame.url())).toContain('chrome-error://chromewebdata/')
  expect(victim.seen.filter((each) => !/^GET \/(data\.js|\?cp=y)?$/.test(each))).toEqual([])
  await page.bringToFront()
  await shown.waitFor()
})
