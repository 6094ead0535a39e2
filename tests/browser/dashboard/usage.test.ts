import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { AdminInfo } from '@stowage/contract'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { holdCalls, routeCalls } from '../../support/browser/page-calls.ts'
import { type StoppedClock, stopClock } from '../../support/browser/page-clock.ts'
import { tableRow } from '../../support/browser/rows.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole } from '../../support/console/start-console.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

const info = '**/api/v1/admin/info'
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const list = (page: Page, name: string) => page.getByRole('table', { name, exact: true })

/** Changes the server's answer on its way to the page, for servers and states that one machine does not have. */
const changeInfo = (change: (info: AdminInfo) => AdminInfo) => (page: Page) =>
  routeCalls(page, info, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: change(await response.json()) })
  })

/** Clicks with a stopped clock, so that only the click can cause another request. */
async function asksAgain(page: Page, button: Locator): Promise<void> {
  const asked = page.waitForRequest(info)
  await button.click()
  await asked
}

/** Returns the text of a card after a short time, in which the answer is drawn. */
const later = async (clock: StoppedClock, shown: Locator) => {
  await clock.run(20)
  return await shown.innerText()
}

/** Checks the text of a cell, and the colour of its icon. */
async function cellTextAndColour(
  row: Locator,
  column: number,
  token: string,
): Promise<[word: string, coloured: boolean]> {
  const cell = row.getByRole('cell').nth(column)
  const coloured = await cell
    .locator('svg')
    .first()
    .evaluate((svg, name) => {
      const probe = svg.ownerDocument.createElement('i')
      probe.style.color = `var(${name})`
      svg.after(probe)
      const same = getComputedStyle(probe).color === getComputedStyle(svg).color
      probe.remove()
      return same
    }, token)
  return [(await cell.innerText()).split('\n')[0] ?? '', coloured]
}

test('Dashboard is above the groups of the sidebar and opens its page [SHL-14]', async () => {
  const page = await open('/buckets')
  const nav = page.getByRole('navigation', { name: 'Main' })
  const item = nav.getByRole('link', { name: 'Dashboard', exact: true })
  await item.waitFor()
  expect(await nav.getByRole('link').first().innerText()).toBe('Dashboard')
  await item.click()
  await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard')
  expect(await item.getAttribute('aria-current')).toBe('page')
  await expect.poll(() => page.title()).toBe('Dashboard – Stowage')
})

test('the palette opens the dashboard', async () => {
  const page = await open('/buckets')
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('dashb')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor()
})

test('without the right there is no item, and the URL leads to the first allowed page [SHL-03] [SHL-13]', async () => {
  const as = await browser.target.newUser(allowS3(['s3:*']))
  const page = await open('/dashboard', { as })
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('link', { name: 'Buckets', exact: true }).waitFor()
  expect(await nav.getByRole('link', { name: 'Dashboard' }).count()).toBe(0)
})

test('a spinner is shown until the answer arrives, then the usage view [DSH-01]', async () => {
  let release = async () => {}
  const page = await open('/dashboard?tab=servers', {
    before: async (p) => {
      release = (await holdCalls(p, { url: info })).release
    },
  })
  await page.getByRole('status').getByText('Loading...').waitFor()
  expect(await card(page, 'Usage').count()).toBe(0)
  await release()
  await card(page, 'Usage').waitFor()
  expect(await page.getByText('Loading...').count()).toBe(0)
})

ownStore.test(
  'cards show buckets, usage and objects; they are read again by Sync and after a while [DSH-04] [DSH-07]',
  async () => {
    await using console = await startConsole()
    const bucket = await console.newBucket()
    await console.newBucket()
    for (const Key of ['a', 'b', 'c']) {
      await console.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'x'.repeat(1024) }))
    }
    const page = await open('/dashboard?tab=servers', { console, clock: true })
    await expect.poll(() => card(page, 'Total Objects').innerText()).toMatch(/^Total Objects\s+3$/)
    expect(await card(page, 'Number of Buckets').innerText()).toMatch(/^Number of Buckets\s+2$/)
    expect(await card(page, 'Usage').innerText()).toMatch(/^Usage\s+3\.0\s*KiB\s+of [\d.]+ [KMGTP]iB usable$/)

    const clock = await stopClock(page)
    await console.newBucket()
    await asksAgain(page, page.getByRole('button', { name: 'Sync' }))
    await expect.poll(() => later(clock, card(page, 'Number of Buckets'))).toMatch(/\s3$/)
    await console.newBucket()
    await clock.run(10_000)
    await expect.poll(() => later(clock, card(page, 'Number of Buckets'))).toMatch(/\s4$/)
    // These figures are exact, so no age is shown.
    expect(await page.getByText(/counts in the background/).count()).toBe(0)
  },
)

test('counts have thousands separators [DSH-22]', async () => {
  const page = await open('/dashboard?tab=servers', {
    before: changeInfo((given) => ({
      ...given,
      buckets: 12_345,
      objects: 1_204_882,
      countedAt: '2026-11-21T12:00:00Z',
    })),
  })
  await expect.poll(() => card(page, 'Total Objects').innerText()).toMatch(/\s1,204,882$/)
  expect(await card(page, 'Number of Buckets').innerText()).toMatch(/\s12,345$/)
})

ownStore.test(
  'a drive that goes away is shown as offline within seconds, and as online when it is back [DSH-05]',
  async () => {
    await using console = await startConsole()
    const page = await open('/dashboard?tab=servers', { console })
    const { servers } = await console.call('getAdminInfo', {})
    const [first = '', second = ''] = servers[0]?.drives.map((drive) => drive.drivePath) ?? []
    const row = tableRow(page, second)
    await row.getByText('Online').waitFor()
    expect(await row.innerText()).toMatch(/\d+%\s+0\s*B\s+[\d.]+\s*[KMGTP]iB\s+[\d.]+\s*[KMGTP]iB$/)

    // Refresh until the store has noticed.
    const settles = async (state: string) => {
      const states = async () =>
        (await console.call('getAdminInfo', {})).servers[0]?.drives.find((drive) => drive.drivePath === second)?.state
      await expect.poll(states, { timeout: 60_000 }).toBe(state)
      await page.getByRole('button', { name: 'Sync' }).click()
    }
    await rename(second, join(console.data, 'away'))
    await settles('offline')
    await row.getByText('Offline').waitFor()
    await page.getByRole('status').filter({ hasText: '1 of 4 drives is out of service' }).getByText(second).waitFor()
    await tableRow(page, first).getByText('Online').waitFor()
    await list(page, 'Servers Status').getByText('3 of 4').waitFor()
    const slot = page.getByRole('list', { name: /^Drives of / }).getByRole('listitem', { name: second })
    await slot.getByText('Offline').waitFor()
    await page.getByText('No more drives of its set may fail, or data is lost.').waitFor()
    await page.getByRole('link', { name: 'Open Heal' }).waitFor()

    await rename(join(console.data, 'away'), second)
    await settles('ok')
    await row.getByText('Online').waitFor()
    await page.getByRole('status').filter({ hasText: 'out of service' }).waitFor({ state: 'detached' })
    await slot.getByText(/\d%$/).waitFor()
    expect(await page.getByRole('link', { name: 'Open Heal' }).count()).toBe(0)
  },
)

test('servers are sorted by endpoint, ignoring case; states and counts have their colours [DSH-05] [DSH-23] [DSH-24] [DSH-25]', async () => {
  const page = await open('/dashboard?tab=servers', {
    before: changeInfo((given) => {
      const [server] = given.servers
      const [drive] = server?.drives ?? []
      if (!server || !drive) throw new Error('the server tells no drive')
      const drives = (...states: string[]) =>
        states.map((state, i) => ({ ...drive, uuid: `${i}`, endpoint: `/d${i}`, drivePath: `/d${i}`, state }))
      const network = (...states: string[]) => Object.fromEntries(states.map((state, i) => [`peer-${i}`, state]))
      const [on, off] = ['online', 'offline']
      return {
        ...given,
        servers: [
          {
            ...server,
            endpoint: 'stow-c',
            uptime: 7200,
            network: network(on, on, on, off),
            drives: drives('ok', 'ok'),
          },
          { ...server, endpoint: 'Stow-B', state: 'offline', uptime: 0, network: {}, drives: drives(off, off) },
          { ...server, endpoint: 'STOW-D', state: 'initializing', drives: drives('ok', 'ok', 'ok', off) },
          { ...server, endpoint: 'stow-a', uptime: 90, network: network(on, off), drives: drives('ok', off) },
        ],
      }
    }),
  })
  const servers = list(page, 'Servers Status')
  await servers.waitFor()
  const names = await servers.getByRole('rowheader').locator('.mono').allInnerTexts()
  expect(names).toEqual(['stow-a', 'Stow-B', 'stow-c', 'STOW-D'])
  const groups = list(page, 'Drives Status').locator('th[scope=rowgroup]')
  expect(await groups.allInnerTexts()).toEqual(names)

  const [state, drives, network] = [0, 1, 2]
  const [green, yellow, red, grey] = ['--st-ok-mark', '--st-warn-mark', '--st-bad-mark', '--st-field']
  const expectedCells: [server: string, column: number, word: string, colour: string][] = [
    ['stow-a', state, 'Online', green],
    ['stow-a', drives, '1 of 2', red],
    ['stow-a', network, '1 of 2', red],
    ['Stow-B', state, 'Offline', red],
    ['Stow-B', drives, '0 of 2', red],
    ['stow-c', drives, '2 of 2', green],
    ['stow-c', network, '3 of 4', yellow],
    ['STOW-D', state, 'Initializing', grey],
    ['STOW-D', drives, '3 of 4', yellow],
  ]
  for (const [server, column, word, colour] of expectedCells) {
    expect([server, ...(await cellTextAndColour(tableRow(page, server).first(), column, colour))]).toEqual([
      server,
      word,
      true,
    ])
  }
  const ofA = list(page, 'Drives Status').getByRole('rowgroup').nth(1).getByRole('row')
  expect(await cellTextAndColour(ofA.nth(1), state, green)).toEqual(['Online', true])
  expect(await cellTextAndColour(ofA.nth(2), state, red)).toEqual(['Offline', true])

  await tableRow(page, 'stow-a').getByText('cannot reach peer-1').waitFor()
  await tableRow(page, 'stow-a').getByRole('cell', { name: '1 minute', exact: true }).waitFor()
  await tableRow(page, 'stow-c').getByRole('cell', { name: '2 hours', exact: true }).waitFor()
  await page.getByRole('status').getByText('1 of 4 servers is offline: Stow-B').waitFor()
})

test('the plan of the drives shows healing in per cent, errors and latency, where the server reports them', async () => {
  const page = await open('/dashboard?tab=servers', {
    before: changeInfo((given) => {
      const [server] = given.servers
      const [drive] = server?.drives ?? []
      if (!server || !drive) throw new Error('the server has no drive')
      const states = [
        { healing: true, healed: 0.42 },
        { healing: true },
        { errors: 1 },
        { errors: 12, latencyMs: 3.0821 },
        { state: 'offline', errors: 2 },
      ]
      const drives = states.map((state, i) => ({
        ...drive,
        uuid: `${i}`,
        endpoint: `/d${i}`,
        drivePath: `/d${i}`,
        ...state,
      }))
      return { ...given, servers: [{ ...server, drives }] }
    }),
  })
  const slots = page.getByRole('list', { name: /^Drives of / }).getByRole('listitem')
  await expect.poll(() => slots.count()).toBe(5)
  const names = await slots.evaluateAll((items) => items.map((item) => item.getAttribute('aria-label') ?? ''))
  const fill = /^\/d[23], <?\d+%/
  expect(names.map((name) => name.replace(fill, 'filled'))).toEqual([
    '/d0, Healing 42%',
    '/d1, Healing',
    'filled, 1 error',
    'filled, 12 errors, 3.08 ms',
    '/d4, Offline, 2 errors',
  ])
})

test('without a source of metrics there are no tabs: only the usage view is shown, with an offer [DSH-01]', async () => {
  const page = await open('/dashboard', {
    before: changeInfo((given) => ({ ...given, widgets: null, metrics: 'none' })),
  })
  await card(page, 'Usage').waitFor()
  await list(page, 'Drives Status').waitFor()
  expect(await page.getByRole('tab').count()).toBe(0)
  await page.getByRole('button', { name: 'Keep History' }).waitFor()
})

test('figures counted in the background show their age; before the first count no figures are shown', async () => {
  let countedAt: string | null = null
  const page = await open('/dashboard?tab=servers', { before: changeInfo((given) => ({ ...given, countedAt })) })
  await page.getByText(/^Not counted yet\. The server counts in the background/).waitFor()
  expect(await card(page, 'Total Objects').innerText()).toMatch(/–$/)
  countedAt = new Date(Date.now() - 150_000).toISOString()
  await page.getByRole('button', { name: 'Sync' }).click()
  await page.getByText(/^Counted 2 minutes ago\. The server counts in the background/).waitFor()
  expect(await card(page, 'Total Objects').innerText()).toMatch(/\d$/)
})

test('a failed request is reported with Retry; previous figures remain', async () => {
  let failing = true
  const page = await open('/dashboard?tab=servers', {
    clock: true,
    before: (p) =>
      p.route(info, (route) =>
        failing
          ? route.fulfill({ status: 500, json: { code: 500, message: 'the server is busy', detailedMessage: 'why' } })
          : route.fallback(),
      ),
  })
  const alert = page.getByRole('alert')
  await alert.getByText('The server is busy').waitFor()
  await stopClock(page)
  failing = false
  await asksAgain(page, alert.getByRole('button', { name: 'Retry' }))
  await page.clock.resume()
  await card(page, 'Usage').waitFor()

  failing = true
  const strip = page.getByRole('status').filter({ hasText: /^The server is busy\. Last updated at \d{4}-\d\d-\d\d/ })
  await page.getByRole('button', { name: 'Sync' }).click()
  await strip.getByRole('button', { name: 'Retry' }).waitFor()
  expect(await card(page, 'Usage').count()).toBe(1)
  failing = false
  await strip.waitFor({ state: 'detached', timeout: 30_000 })
})

test('on a small screen everything fits, with the available space below the gauge', async () => {
  const page = await open('/dashboard?tab=servers', { width: 390, height: 844 })
  const drives = list(page, 'Drives Status')
  await drives
    .getByText(/^[\d.]+ [KMGTP]iB available$/)
    .first()
    .waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  const cut = await drives
    .locator('th, td')
    .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent))
  expect(cut).toEqual([])
  expect(await drives.evaluate((table) => table.getBoundingClientRect().right)).toBe(390)
  const selected = await page.getByRole('tab', { name: 'Servers and drives', selected: true }).boundingBox()
  expect((selected?.x ?? 0) + (selected?.width ?? 390)).toBeLessThanOrEqual(390)
})
