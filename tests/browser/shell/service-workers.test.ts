import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { startPrefixProxy } from '../../support/network/prefix-proxy.ts'

const browser = useBrowser()
const { open } = browser

test('a service worker that another console left at this address is removed [SHL-53]', async () => {
  const worker = { type: 'text/javascript', body: 'self.addEventListener("fetch", () => {})' }
  await using proxy = await startPrefixProxy({
    prefix: '',
    strip: true,
    target: browser.target.url,
    files: { '/old-worker.js': worker, '/old-console': { type: 'text/html', body: '<title>Old</title>' } },
  })
  const page = await open('/old-console', { url: proxy.url })
  const registrations = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope))
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/old-worker.js')
    await navigator.serviceWorker.ready
  })
  expect(await registrations()).toEqual([`${proxy.url}/`])
  await page.goto('buckets')
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  await expect.poll(registrations).toEqual([])
})
