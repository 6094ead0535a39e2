import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { recordCalls } from '../../support/browser/page-calls.ts'
import { startConsole } from '../../support/console/start-console.ts'
import { startPrefixProxy } from '../../support/network/prefix-proxy.ts'

const browser = useBrowser()
const { open } = browser

test.each([
  ['an operator’s proxy that takes the tenant’s prefix off', '/api/proxy/ns-1/tenant-1', true],
  ['an operator’s proxy that leaves it', '/api/proxy/ns-1/tenant-1', false],
  ['any proxy that takes its prefix off', '/storage/console', true],
])('behind %s every page, link and call stays below the prefix [SHL-02]', async (_name, prefix, strip) => {
  const bucket = await browser.target.newBucket()
  await using proxy = await startPrefixProxy({ prefix, strip, target: browser.target.url })
  const page = await open(`/buckets?buckets.filter=${bucket}`, { url: proxy.url })
  const calls = recordCalls(page, /./)
  const foreign: string[] = []
  page.on('response', (response) => {
    // A bucket without encryption has no encryption document.
    if (response.status() === 404 && !response.url().endsWith('/encryption/info')) foreign.push(response.url())
  })
  await page.getByRole('link', { name: bucket, exact: true }).click()
  await page.getByRole('heading', { name: bucket }).waitFor()
  expect(page.url()).toBe(`${proxy.url}/buckets/${bucket}/summary`)

  // A deep page, reloaded.
  await page.goto(`object-browser/${bucket}/a/b/`)
  await page.getByLabel('Search Objects').waitFor()
  await page.reload()
  await page.getByLabel('Search Objects').waitFor()
  expect(page.url()).toBe(`${proxy.url}/object-browser/${bucket}/a/b/`)
  await page.getByRole('link', { name: 'All Buckets' }).click()
  await page.getByRole('heading', { name: 'All Buckets' }).waitFor()
  expect(page.url()).toBe(`${proxy.url}/object-browser`)

  expect(calls.length).toBeGreaterThan(5)
  expect(calls.filter((call) => !call.split(' ')[1]?.startsWith(`${prefix}/`))).toEqual([])
  expect(foreign).toEqual([])
})

test('sign-in and logout behind a prefix come back below it [SHL-02] [SHL-06]', async () => {
  const prefix = '/api/proxy/ns-2/tenant-2'
  await using proxy = await startPrefixProxy({ prefix, strip: true, target: browser.target.url })
  const page = await open('/object-browser', { url: proxy.url, as: false })
  await page.getByLabel('Enter Username').fill(browser.target.rootUser)
  expect(page.url()).toBe(`${proxy.url}/login`)
  await page.getByLabel('Enter Password', { exact: true }).fill(browser.target.rootPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'All Buckets' }).waitFor()
  expect(page.url()).toBe(`${proxy.url}/object-browser`)
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  expect(page.url()).toBe(`${proxy.url}/login`)
})

test('a console with a public address works if the proxy keeps the prefix [SHL-02]', async () => {
  await using console = await startConsole({ env: { STOWAGE_PUBLIC_URL: 'http://127.0.0.1/storage/' } })
  await using proxy = await startPrefixProxy({ prefix: '/storage', strip: false, target: console.url })
  const page = await open('/buckets', { url: proxy.url, console })
  await page.getByText('There are no Buckets yet.').waitFor()
  expect(page.url()).toBe(`${proxy.url}/buckets`)
})
