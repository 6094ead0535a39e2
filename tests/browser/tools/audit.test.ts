import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { recordCalls } from '../../support/browser/page-calls.ts'
import { tableRow } from '../../support/browser/rows.ts'

const browser = useBrowser()
const { open } = browser

/** Posts records of a new bucket, like a storage server, and returns the bucket's name. */
async function post(count: number): Promise<string> {
  const c = browser.target
  const bucket = c.freshName('audit')
  const { token } = await c.call('getAuditReceiver', { query: { source: 'north' } })
  const records = Array.from({ length: count }, (_, n) => ({
    time: new Date(Date.UTC(2026, 0, 1, 12, 0, n)).toISOString(),
    api: {
      name: 'PutObject',
      bucket,
      object: `key-${n}`,
      status: 'OK',
      statusCode: 200,
      timeToResponseInNS: '1500000',
    },
    remotehost: '10.0.0.1',
    requestID: `${bucket}-${n}`,
    userAgent: 'mc',
  }))
  const body = records.map((each) => JSON.stringify(each)).join('\n')
  const answer = await fetch(`${c.url}/api/v1/audit/ingest`, {
    method: 'POST',
    headers: { authorization: token },
    body,
  })
  expect(answer.status).toBe(200)
  return bucket
}

const ask = async (page: Page, filters: Record<string, string>) => {
  for (const [label, text] of Object.entries(filters)) await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Get Information' }).click()
}

test('audit records are searched by filters and shown with their columns; a row opens in full [LGS-05] [LGS-07]', async () => {
  const bucket = await post(3)
  const page = await open('/logs', { width: 2200 })
  await page.getByRole('tab', { name: 'Audit Logs' }).click()
  await ask(page, { Bucket: bucket, Object: 'key-.', 'API Name': 'Put*' })
  await page.getByRole('row').filter({ hasText: 'key-2' }).waitFor()
  expect(
    (await page.getByRole('columnheader').allInnerTexts()).filter((text) => text !== '' && text !== 'Actions'),
  ).toEqual([
    'Timestamp',
    'API Name',
    'Bucket',
    'Object',
    'Remote Host',
    'Request ID',
    'User Agent',
    'Response Status',
    'Request Content Length',
    'Response Content Length',
    'Time to Response NS',
  ])
  const row = page.getByRole('row').filter({ hasText: 'key-2' })
  expect(await row.innerText()).toMatch(/200 \(OK\)[\s\S]*0\.0015 s/)
  await row.getByText('PutObject').click()
  await page.getByRole('complementary', { name: 'Full Log Information' }).getByText('"requestID"').waitFor()
  await ask(page, { 'Response Status': '404' })
  await page.getByText('There is no information with this criteria').waitFor()
})

test('further pages are loaded while scrolling, a hundred at a time, newest first [LGS-09] [LGS-10] [LGS-11]', async () => {
  const bucket = await post(130)
  const page = await open('/logs?tab=audit')
  const calls = recordCalls(page, /\/logs\/search$/)
  await ask(page, { Bucket: bucket })
  await page.getByRole('row').filter({ hasText: 'key-129' }).waitFor()
  const first = calls.find((call) => call.includes(encodeURIComponent(bucket))) ?? ''
  expect(first).toContain('pageSize=100&pageNo=0&order=timeDesc')
  await page.getByRole('table', { name: 'Audit Logs' }).hover()
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 4_000)
      return await tableRow(page, 'key-0').count()
    })
    .toBe(1)
  expect(calls.some((call) => /pageNo=1&.*cursor=/.test(call))).toBe(true)
  calls.length = 0
  await page.getByRole('button', { name: 'Newest first' }).click()
  await tableRow(page, 'key-0').waitFor()
  await expect.poll(() => calls.join()).toContain('pageNo=0&order=timeAsc')
})

test('a search that takes too long stops with a message, and continues on request', async () => {
  const bucket = await post(5)
  const page = await open('/logs?tab=audit')
  // The first page ends after two records, as if they had taken the time of a search.
  await page.route(/\/logs\/search\?/, async (route) => {
    const url = new URL(route.request().url())
    if (url.searchParams.has('cursor')) return await route.fallback()
    url.searchParams.set('pageSize', '2')
    const answer = await route.fetch({ url: url.href })
    const found = await answer.json()
    await route.fulfill({ json: { ...found, searched_to: found.results.at(-1)?.time } })
  })
  await ask(page, { Bucket: bucket })
  await tableRow(page, 'key-3').waitFor()
  await page.getByText('The search took long, and stopped at', { exact: false }).waitFor()
  expect(await tableRow(page, 'key-2').count()).toBe(0)
  await page.getByRole('button', { name: 'Search on' }).click()
  for (const key of ['key-2', 'key-1', 'key-0', 'key-4']) await tableRow(page, key).waitFor()
  expect(await page.getByRole('button', { name: 'Search on' }).count()).toBe(0)
})

test('a source that fails is reported once, not also by the summary', async () => {
  const page = await open('/logs')
  const [searched, summarized] = ['search', 'summary'].map((name) => page.waitForResponse(new RegExp(`/logs/${name}`)))
  await page.route(/\/logs\/(search|summary)/, async (route) => {
    await route.fulfill({ status: 500, json: { code: 500, message: 'down', detailedMessage: 'down' } })
  })
  await page.getByRole('tab', { name: 'Audit Logs' }).click()
  await Promise.all([searched, summarized])
  const retry = page.getByRole('button', { name: 'Retry' })
  await retry.first().waitFor()
  expect(await retry.count()).toBe(1)
})

test('the summary narrows the filters, records are exported, and a request is followed', async () => {
  const bucket = await post(30)
  const page = await open('/logs?tab=audit')
  await ask(page, { Bucket: bucket })
  const calls = page.getByRole('region', { name: 'Top calls' })
  await calls.getByRole('button', { name: 'PutObject' }).click()
  await expect.poll(() => page.getByLabel('API Name', { exact: true }).inputValue()).toBe('PutObject')
  const bars = page.getByRole('listbox', { name: 'Records over time' }).getByRole('option')
  await bars.first().click()
  await expect.poll(() => page.getByLabel('Start Time').inputValue()).not.toBe('')
  await tableRow(page, 'key-0').waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'All records as CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^audit-\d{8}-\d{6}\.csv$/)
  expect((await readFile(await file.path(), 'utf8')).split('\r\n')[1]).toContain(bucket)
  const tray = page.getByRole('region', { name: 'Transfers' })
  await tray.getByText('Export audit records as CSV').waitFor()
  await tray.getByText(/^\d+ records? exported$/).waitFor()
  await tableRow(page, 'key-0').getByText('PutObject').click()
  const shown = page.getByRole('link', { name: 'Show the object' })
  expect(await shown.getAttribute('href')).toMatch(`/object-browser/${bucket}/key-0`)
  await page.getByRole('link', { name: 'Follow this request' }).click()
  await page
    .getByRole('list', { name: 'Time line' })
    .getByRole('link', { name: `${bucket}/key-0` })
    .click()
  await page.waitForURL(`**/object-browser/${bucket}/key-0`)
})

test('the histogram is one tab stop: arrow keys move along its bars, Enter sets the filter and keeps the focus', async () => {
  const bucket = await post(30)
  const page = await open('/logs?tab=audit')
  await ask(page, { Bucket: bucket })
  const histogram = page.getByRole('listbox', { name: 'Records over time' })
  const bars = histogram.getByRole('option')
  await expect.poll(() => bars.count()).toBe(30)
  await page.getByRole('button', { name: 'Export' }).focus()
  await page.keyboard.press('Tab')
  await expect.poll(() => histogram.evaluate((list) => document.activeElement === list)).toBe(true)
  await page.keyboard.press('Tab')
  await expect
    .poll(() =>
      page
        .getByRole('region', { name: 'Top buckets' })
        .getByRole('button')
        .evaluate((one) => document.activeElement === one),
    )
    .toBe(true)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  const chosen = histogram.getByRole('option', { selected: true })
  expect(await chosen.getAttribute('aria-label')).toMatch(/:27.*1 records, 0 errors$/)
  expect(await chosen.getAttribute('id')).toBe(await histogram.getAttribute('aria-activedescendant'))
  await page.keyboard.press('Enter')
  await tableRow(page, 'key-27').waitFor()
  await expect.poll(() => tableRow(page, 'key-28').count()).toBe(0)
  await expect.poll(() => bars.count()).toBe(1)
  expect(await histogram.evaluate((list) => document.activeElement === list)).toBe(true)
})

test('an action of the console is shown with what it names, its state before, and the change', async () => {
  const { target } = browser
  const name = target.freshName('policy')
  for (const action of ['s3:GetObject', 's3:PutObject']) {
    const Statement = [{ Effect: 'Allow', Action: [action], Resource: ['arn:aws:s3:::*'] }]
    await target.call('createPolicy', { body: { name, policy: JSON.stringify({ Version: '2012-10-17', Statement }) } })
  }
  await target.call('deletePolicy', { query: { name } })
  const page = await open('/logs?tab=audit')
  const opened = async (call: string) => {
    await ask(page, { 'API Name': `console:${call}` })
    await page.getByRole('row').filter({ hasText: call }).first().getByText(call).click()
    return page.getByRole('complementary', { name: 'Full Log Information' })
  }
  const part = (drawer: Locator, label: string) => drawer.getByRole('region', { name: label, exact: true })
  const created = await opened('createPolicy')
  await part(created, 'Before').getByText('"s3:GetObject"').waitFor()
  await part(created, 'Change').getByText('"s3:PutObject"').waitFor()
  const deleted = await opened('deletePolicy')
  await part(deleted, 'Query').getByText(name).waitFor()
  await part(deleted, 'Before').getByText('"s3:PutObject"').waitFor()
})

test('bidi and control characters are made visible in every column', async () => {
  const evil = 'a\u202Egnp.exe\u0007\u2066'
  const c = browser.target
  const bucket = c.freshName('evil')
  const { token } = await c.call('getAuditReceiver', { query: { source: 'north' } })
  const record = {
    time: new Date().toISOString(),
    api: { name: evil, bucket, object: evil, status: evil, statusCode: 200 },
    remotehost: evil,
    requestID: evil,
    userAgent: evil,
    accessKey: evil,
  }
  await fetch(`${c.url}/api/v1/audit/ingest`, {
    method: 'POST',
    headers: { authorization: token },
    body: JSON.stringify(record),
  })
  const page = await open('/logs?tab=audit')
  await ask(page, { Bucket: bucket })
  await page.getByRole('row').filter({ hasText: 'gnp.exe' }).waitFor()
  const shown = await page.getByRole('main').innerText()
  expect(shown).toContain('gnp.exe')
  expect(shown).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u0007]/)
})
