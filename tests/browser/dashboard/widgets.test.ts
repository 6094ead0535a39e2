import { readFile } from 'node:fs/promises'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { Locator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { holdCalls, routeCalls } from '../../support/browser/page-calls.ts'
import { usePseudoLocale } from '../../support/browser/untranslated.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'

const { open } = useBrowser()

let console: TestConsole
beforeAll(async () => {
  console = await startConsole({ env: { STOWAGE_METRICS_INTERVAL: '0.5' } })
  const bucket = await console.newBucket()
  await console.s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'a', Body: 'x'.repeat(2048) }))
  // A line needs a rate, which needs two samples.
  await vi.waitFor(
    async () => {
      const { targets } = await console.call('getWidget', { params: { id: 73 } })
      if (targets[0]?.result.length !== 1 || (await objects()) !== '1') throw new Error('not sampled yet')
    },
    { timeout: 60_000, interval: 200 },
  )
}, 90_000)
afterAll(async () => await console[Symbol.asyncDispose]())

const objects = async () =>
  (await console.call('getWidget', { params: { id: 44 }, query: { step: 1 } })).targets[0]?.result[0]?.values.at(
    -1,
  )?.[1]

const widget = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const board = (path = '/dashboard', options: Parameters<typeof open>[1] = {}) => open(path, { console, ...options })

const roundedBox = async (cell: Locator) => {
  const box = await cell.boundingBox()
  if (!box) throw new Error('the widget is not shown')
  return { x: Math.round(box.x), y: Math.round(box.y), width: Math.round(box.width), height: Math.round(box.height) }
}

ownStore.test(
  'three tabs have the widgets, each with its value or the reason why it has no value [DSH-02] [DSH-13] [DSH-19] [DSH-20]',
  async () => {
    const page = await board()
    await page.getByLabel('Start Time').waitFor()
    await page.getByLabel('End Time').waitFor()
    await page.getByRole('button', { name: 'Sync' }).waitFor()
    await widget(page, 'Number of Objects').getByText('1', { exact: true }).waitFor()
    await widget(page, 'Total Goroutines').getByText('No data').waitFor()
    await widget(page, 'Total Goroutines').getByText('The server has not reported this.').waitFor()
    const sizes = widget(page, 'Object size distribution')
    expect(await sizes.getByText('Between 1024B and 1MB').locator('xpath=following-sibling::dd[1]').innerText()).toBe(
      '1',
    )
    expect(await page.locator('[data-widget]').count()).toBe(18)

    await tab(page, 'Traffic').click()
    await widget(page, 'Node IO')
      .getByRole('img', { name: /^Node IO: 2 lines, least/ })
      .waitFor()
    expect(await page.locator('[data-widget]').count()).toBe(4)
    await tab(page, 'Resources').click()
    await widget(page, 'Drive Used Capacity').getByRole('img').waitFor()
    expect(await page.locator('[data-widget]').count()).toBe(6)
    await tab(page, 'Servers and drives').click()
    await page.getByRole('table', { name: 'Drives Status' }).waitFor()
    expect(new URL(page.url()).search).toBe('?tab=servers')
  },
)

ownStore.test(
  'the widgets of a tab are one call; each loads, fails and comes back alone; Sync reads each one again [DSH-13] [DSH-14]',
  async () => {
    let held = { release: async () => {} }
    const asked: string[] = []
    const page = await board('/dashboard', {
      before: async (p) => {
        p.on('request', (request) => {
          if (/info\/widgets/.test(request.url())) asked.push(request.url())
        })
        held = await holdCalls(p, { url: /info\/widgets\?/ })
      },
    })
    const cell = widget(page, 'Number of Objects')
    await cell.getByText('Loading...').waitFor()
    await held.release()
    await cell.getByText('1', { exact: true }).waitFor()
    await widget(page, 'Number of Buckets').getByText('1', { exact: true }).waitFor()
    expect(asked.map((url) => new URL(url).searchParams.get('ids')?.split(',').length)).toEqual([18])

    // One of them fails on the server; the others of the same answer are shown.
    const url = /info\/widgets\?/
    const failing = async (route: Route) => {
      const response = await route.fetch()
      const error = { code: 500, message: 'no', detailedMessage: 'the metrics are away' }
      const body = (await response.text()).replace(/^\{"id":66,.*$/m, JSON.stringify({ id: 66, status: 500, error }))
      await route.fulfill({ response, body })
    }
    await routeCalls(page, url, failing)
    const request = page.waitForRequest(/info\/widgets\?step=15&ids=/)
    await page.getByRole('button', { name: 'Sync' }).click()
    await request
    const failed = widget(page, 'Number of Buckets')
    await failed.getByRole('alert').getByText('the metrics are away', { exact: false }).waitFor()
    expect(await page.locator('[data-widget]').getByRole('alert').count()).toBe(1)
    await page.unroute(url, failing)
    await failed.getByRole('button', { name: 'Retry' }).click()
    await failed.getByRole('alert').waitFor({ state: 'detached' })
    expect(asked.at(-1)).toMatch(/ids=66$/)
  },
)

ownStore.test(
  'a change of the time range reloads each widget, in 60 steps, and is in the address [DSH-10] [DSH-14]',
  async () => {
    const page = await board('/dashboard?tab=traffic')
    await widget(page, 'Node IO').getByRole('img').waitFor()
    const asked = page.waitForRequest(/widgets\?step=60&start=\d+&end=\d+&ids=60/)
    const list = page.waitForRequest(/admin\/info\?step=60&start=\d+&end=\d+/)
    await page.getByRole('combobox', { name: 'Time range' }).click()
    await page.getByRole('option', { name: 'Last 1 hour' }).click()
    await Promise.all([asked, list])
    expect(new URL(page.url()).searchParams.get('last')).toBe('3600')
    await page.getByLabel('Start Time').fill('2020-01-01T00:00')
    await page.getByLabel('End Time').fill('2020-01-02T00:00')
    await widget(page, 'Node IO').getByText('Nothing was recorded in this time.').waitFor()
    expect(page.url()).toMatch(/start=\d+&end=\d+/)
    await page.getByLabel('End Time').fill('2019-01-02T00:00')
    await page.getByRole('alert').getByText('The start is after the end').waitFor()
  },
)

ownStore.test('when the list of widgets fails that is said, and Retry reads it again [DSH-15]', async () => {
  const page = await board('/dashboard', {
    before: (p) =>
      p.route(/admin\/info\?step=0/, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), widgets: null } })
      }),
  })
  const alert = page.getByRole('alert')
  await alert.getByText('Widget information could not be retrieved at this time. Please try again').waitFor()
  await page.unroute(/admin\/info\?step=0/)
  await alert.getByRole('button', { name: 'Retry' }).click()
  await widget(page, 'Uptime').waitFor()
})

ownStore.test(
  'a widget is moved and resized by pointer and keyboard in eight columns; the layout is kept and reset [DSH-03] [DSH-16] [DSH-17]',
  async () => {
    const page = await board('/dashboard?tab=traffic', { width: 2400 })
    const io = widget(page, 'Node IO')
    await io.getByRole('img').waitFor()
    const grid = page.locator('.react-grid-layout')
    const frame = await roundedBox(grid)
    expect([frame.width, frame.height >= 600]).toEqual([1920, true])
    const column = (1920 - 20) / 8
    const before = await roundedBox(io)
    expect(before.x - frame.x).toBe(10 + 4 * column)

    await io.hover()
    const handle = await roundedBox(io.getByRole('heading'))
    await page.mouse.move(handle.x + 10, handle.y + 8)
    await page.mouse.down()
    await page.mouse.move(handle.x - 4 * column, handle.y - 330, { steps: 8 })
    await page.mouse.up()
    await expect.poll(() => roundedBox(io)).toMatchObject({ x: frame.x + 10, y: frame.y + 10 })

    const grip = io.getByRole('button', { name: 'Move or resize Node IO' })
    await grip.focus()
    await page.keyboard.press('Shift+ArrowLeft')
    await expect.poll(async () => (await roundedBox(io)).width).toBeLessThan(before.width - column / 2)
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => (await roundedBox(io)).x).toBe(Math.round(frame.x + 10 + column))
    const moved = await roundedBox(io)

    const saved = await page.evaluate(() => atob(localStorage.getItem('dashboardConfig') ?? ''))
    expect(JSON.parse(saved)).toHaveLength(28)
    await page.reload()
    await io.getByRole('img').waitFor()
    expect(await roundedBox(io)).toEqual(moved)

    await page.getByRole('button', { name: 'Reset the layout' }).click()
    await expect.poll(() => roundedBox(io)).toEqual(before)
    expect(await page.evaluate(() => localStorage.getItem('dashboardConfig'))).toBeNull()
  },
)

ownStore.test('a chart is read by the arrow keys, as a table and as a file', async () => {
  const page = await board('/dashboard?tab=traffic')
  const io = widget(page, 'Node IO')
  await io.getByRole('img').focus()
  await page.keyboard.press('End')
  await io
    .getByRole('status')
    .getByText(/^Node RChar/)
    .waitFor()
  const act = async (name: string) => {
    await io.getByRole('button', { name: 'Actions of Node IO' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const download = page.waitForEvent('download')
  await act('Save as CSV')
  const csv = await readFile((await (await download).path()) ?? '', 'utf8')
  expect(csv).toMatch(/^"time","Node RChar \[[^"]+\]","Node WChar \[[^"]+\]"\r\n\d{4}-\d\d-\d\dT/)
  const picture = page.waitForEvent('download')
  await act('Save as PNG')
  const png = await picture
  expect(png.suggestedFilename()).toMatch(/^node-io.*\.png$/)
  const bytes = await readFile((await png.path()) ?? '')
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  // Width and height of the picture.
  expect(Math.min(bytes.readUInt32BE(16), bytes.readUInt32BE(20))).toBeGreaterThan(50)
  await act('Show as table')
  await io
    .getByRole('table', { name: 'Node IO' })
    .getByRole('columnheader', { name: /^Node WChar/ })
    .waitFor()
})

ownStore.test('each kind of widget is saved as a picture', async () => {
  const page = await board('/dashboard')
  for (const name of ['Number of Objects', 'Current Usable Capacity', 'Object size distribution']) {
    await widget(page, name)
      .getByRole('button', { name: `Actions of ${name}` })
      .click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Save as PNG' }).click()
    const shown = await page.evaluate(
      async (data) => {
        const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
        const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
        const canvas = new OffscreenCanvas(image.width, image.height)
        const context = canvas.getContext('2d')
        context?.drawImage(image, 0, 0)
        const { data: pixels } = context?.getImageData(0, 0, image.width, image.height) ?? { data: [] }
        const colors = new Set<string>()
        for (let i = 0; i < pixels.length; i += 4) colors.add(pixels.slice(i, i + 3).join())
        return colors.size
      },
      (await readFile((await (await download).path()) ?? '')).toString('base64'),
    )
    // Text and shapes, not a plain area.
    expect(shown, name).toBeGreaterThan(8)
  }
})

ownStore.test('a new history shows when its first values will appear', async () => {
  await using fresh = await startConsole({ env: { STOWAGE_METRICS_INTERVAL: '600' } })
  const page = await board('/dashboard?tab=traffic', { console: fresh })
  await widget(page, 'Node IO')
    .getByText(/^The first values appear in \d{2,4} s\.$/)
    .waitFor()
})

ownStore.test('a browser whose clock is an hour wrong shows the time of the server', async () => {
  const page = await board('/dashboard?tab=traffic&last=3600', {
    before: (p) => p.clock.install({ time: Date.now() + 3_600_000 }),
  })
  const asked = page.waitForRequest(/widgets\?step=60&start=\d+&end=\d+&ids=60/)
  await widget(page, 'Node IO').getByRole('img').waitFor()
  await page.getByRole('button', { name: 'Sync' }).click()
  const end = Number(new URL((await asked).url()).searchParams.get('end'))
  expect(Math.abs(end - Date.now() / 1000)).toBeLessThan(60)
})

ownStore.test('/metrics shows the same without the sidebar, on a small screen in one column [DSH-06]', async () => {
  const page = await board('/metrics', { width: 390, height: 844 })
  await widget(page, 'Uptime').waitFor()
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
  const lefts = await page
    .locator('[data-widget]')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left))
  expect(new Set(lefts).size).toBe(1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await page.locator('.react-grid-layout').count()).toBe(0)
})

ownStore.test('with longer texts the heading and the values of all widgets are shown whole', async () => {
  const page = await board('/dashboard', { before: usePseudoLocale })
  await page.locator('[data-widget="44"]').getByText('1', { exact: true }).waitFor()
  expect(await page.locator('h1').evaluate((title) => title.scrollWidth - title.clientWidth)).toBe(0)
  const cut = await page
    .locator('[data-widget]')
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollHeight > cell.clientHeight).map((cell) => cell.textContent),
    )
  expect(cut).toEqual([])
})
