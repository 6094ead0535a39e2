import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { routeCalls } from '../../support/browser/page-calls.ts'
import { startConsole } from '../../support/console/start-console.ts'

const { open } = useBrowser()

test('a diagnostic runs, and its file can be viewed and downloaded [DIA-01] [DIA-02] [DIA-03] [DIA-04]', async () => {
  const page = await open('/health-info')
  const download = page.getByRole('button', { name: 'Download' })
  expect(await download.isDisabled()).toBe(true)
  const socket = page.waitForEvent('websocket')
  await page.getByRole('button', { name: 'Start Diagnostic' }).click()
  expect(new URL((await socket).url()).search).toBe('?deadline=1h&anonymize=strict')
  await page.getByText('Diagnostic file is ready to be downloaded.').waitFor()
  await page.getByRole('heading', { name: 'Findings' }).waitFor()
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('cpus', { exact: true }).click()
  // Each member on its own line, without marks for the ends of lines.
  await expect.poll(() => preview.locator('pre').innerText()).toMatch(/^\[\n {2}\{\n {4}"addr": "server1",\n/)
  const file = page.waitForEvent('download')
  await download.click()
  expect((await file).suggestedFilename()).toBe('diagnostic.json')
  const report = JSON.parse(await readFile(await (await file).path(), 'utf8'))
  expect(report).toMatchObject({
    timestamp: expect.any(String),
    minio: { info: { servers: [{ endpoint: 'server1' }] } },
  })
})

test('a running diagnostic is shown, and a close with 1011 as an error [DIA-02] [DIA-03]', async () => {
  const page = await open('/health-info', {
    before: async (page) =>
      await page.routeWebSocket(/\/ws\/health-info/, (socket) => {
        socket.onMessage(() => void socket.close({ code: 1011, reason: 'the server has no report' }))
      }),
  })
  await page.getByRole('button', { name: 'Start Diagnostic' }).click()
  await page.getByText('An error occurred while getting Diagnostic file.').waitFor()
  await page.getByRole('main').getByText('The server has no report').waitFor()
})

test('a diagnostic continues when the page is left and another live page starts; the tray links to its report', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const page = await open('/health-info', {
    before: async (page) =>
      await page.routeWebSocket(/\/ws\/health-info/, (socket) => {
        const server = socket.connectToServer()
        server.onMessage((message) => void released.then(() => socket.send(message)))
        server.onClose((code = 1000, reason = '') => void released.then(() => socket.close({ code, reason })))
      }),
  })
  await page.getByRole('button', { name: 'Start Diagnostic' }).click()
  await page.getByText('Diagnostic started.', { exact: false }).waitFor()
  await page.getByRole('link', { name: 'Trace', exact: true }).click()
  const tray = page.getByRole('region', { name: 'Transfers' })
  await tray.getByText('Diagnostic report').waitFor()
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText(/^Running since/).waitFor()
  release()
  await page.getByText('The diagnostic report is ready.').waitFor()
  await tray.getByRole('link', { name: 'Show' }).click()
  await page.getByRole('heading', { name: 'Findings' }).waitFor()
})

test('bidi and control characters are made visible in lines of the log', async () => {
  const evil = 'a\u202Egnp.exe\u0007\u2066'
  const message = { ConsoleMsg: evil, level: evil, errKind: evil, node: evil, time: '10:00:00 UTC 11/23/2026' }
  const entry = { ...message, message: evil, error: { message: evil, source: [evil] }, api: { name: evil } }
  const page = await open('/logs', {
    before: async (page) =>
      await page.routeWebSocket(/\/ws\/console/, (socket) => {
        socket.send(JSON.stringify({ kind: 'started' }))
        socket.send(JSON.stringify({ kind: 'messages', messages: [message, entry] }))
      }),
  })
  const main = page.getByRole('main')
  await main.getByText('gnp.exe', { exact: false }).first().waitFor()
  for (const details of await main.getByRole('button', { name: 'Details' }).all()) await details.click()
  expect(await main.innerText()).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u0007]/)
})

test('the log of the server is shown live, and lines with a text are highlighted [LGS-01] [LGS-02] [LGS-03]', async () => {
  await using own = await startConsole({ env: { STOWAGE_LOG_LEVEL: 'info', STOWAGE_AUDIT: 'off' } })
  const page = await open('/logs', { console: own })
  await page.getByRole('tab', { name: 'Error Logs' }).waitFor()
  expect(await page.getByRole('tab', { name: 'Audit Logs' }).getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('button', { name: 'Record here' }).waitFor()
  const line = page.getByRole('listitem').filter({ hasText: 'created the key that encrypts secrets' })
  await line.waitFor()
  const background = async () =>
    await line
      .locator('bdi')
      .filter({ hasText: 'created the key' })
      .evaluate((text) => {
        const { parentElement } = text
        return parentElement ? getComputedStyle(parentElement).backgroundColor : ''
      })
  const before = await background()
  await page.getByRole('textbox', { name: 'Highlight Line' }).fill('ENCRYPTS')
  expect(await background()).not.toBe(before)
  await line.getByRole('button', { name: 'Details' }).click()
  await line.getByText(/^DeploymentID: /).waitFor()
})

test('Record here is offered for another server although there are records of the console itself', async () => {
  const asOfAnother = async (page: Page) =>
    await routeCalls(page, /\/api\/v1\/session(\?|$)/, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), capabilities: [] } })
    })
  const page = await open('/logs?tab=audit', { before: asOfAnother })
  await page.getByRole('tab', { name: 'Audit Logs', selected: true }).waitFor()
  await page.getByRole('button', { name: 'Record here' }).click()
  await page.getByRole('dialog', { name: 'Record here' }).waitFor()
})
