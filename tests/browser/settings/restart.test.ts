import { randomBytes } from 'node:crypto'
import { MiB } from '@stowage/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { failCalls, holdCalls, recordCalls, routeCalls } from '../../support/browser/page-calls.ts'
import { chooseFiles, tempFiles } from '../../support/browser/upload-files.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import { md5Digest, readObjectBytes } from '../../support/data/objects.ts'

/* A separate console, whose store is restarted. */

const browser = useBrowser()
let c: TestConsole
beforeAll(async () => {
  c = await startConsole()
})
afterAll(async () => await c[Symbol.asyncDispose]())

const DUE = 'The instance needs to be restarted for configuration changes to take effect.'
const RESTART = { url: '**/api/v1/service/restart', method: 'POST' }
const button = (page: Page) => page.getByRole('button', { name: 'Restart', exact: true })

/** Saves a setting that takes effect only after a restart. */
async function save(page: Page): Promise<void> {
  await page.getByLabel('Server Location').fill('us-east-1')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(DUE).waitFor()
}

ownStore.test(
  'a saved setting asks for a restart on every page; while it runs that is shown, and its success clears the banner [RST-01] [RST-02] [RST-03] [RST-04]',
  async () => {
    const page = await browser.open('/settings/configurations?edit=region', { console: c })
    await save(page)
    await page.reload()
    await page.getByText(DUE).waitFor()
    await page.getByRole('link', { name: 'Buckets', exact: true }).click()
    await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
    await page.getByText(DUE).waitFor()
    const held = await holdCalls(page, RESTART)
    const request = page.waitForRequest(RESTART.url)
    const restarts = recordCalls(page, /service\/restart$/)
    await button(page).dblclick()
    await page.getByText('The server is restarting.', { exact: true }).waitFor()
    await page.getByRole('progressbar', { name: 'The server is restarting.' }).waitFor()
    expect(await page.getByText(DUE).count()).toBe(0)
    expect((await request).postData()).toBe('{}')
    await held.release()
    await page.getByText('The server has restarted').waitFor()
    await page.getByText('The server is restarting.', { exact: true }).waitFor({ state: 'detached' })
    expect(await page.getByText(DUE).count()).toBe(0)
    // Pressed twice, it was asked for once.
    expect(restarts).toHaveLength(1)
  },
)

ownStore.test(
  'a failed restart is logged and leaves the banner with its reason; one that somebody else makes clears it [RST-04]',
  async () => {
    const logged: string[] = []
    const page = await browser.open('/settings/configurations?edit=region', { console: c })
    page.on('console', (message) => logged.push(message.text()))
    await save(page)
    const failing = await failCalls(page, RESTART, 'the server did not come back')
    await button(page).click()
    await page.getByText(`${DUE} The last attempt failed.`).waitFor()
    expect(logged.some((line) => line.includes('the server could not be restarted'))).toBe(true)
    await page.getByRole('status').getByRole('button', { name: 'Details' }).click()
    await page.getByText('the server did not come back').first().waitFor()
    await failing.mend()
    await c.call('restartService', { body: {} })
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    const sync = page.getByRole('button', { name: 'Sync' })
    await expect
      .poll(
        async () => {
          await sync.click()
          return await page.getByText(DUE).count()
        },
        { timeout: 30_000, interval: 1000 },
      )
      .toBe(0)
  },
)

ownStore.test('a restart after which the server refuses the access key leads to sign-in, and says so', async () => {
  const page = await browser.open('/settings/configurations?edit=region', { console: c })
  await save(page)
  const reason = { id: 'restart-signed-out' }
  await routeCalls(page, RESTART.url, (route) =>
    route.fulfill({ status: 401, json: { code: 401, message: '', reason } }),
  )
  await button(page).click()
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  await page
    .getByText('The storage server has restarted, but no longer accepts your access key. Sign in again.')
    .waitFor()
  await page.getByLabel('Enter Username').fill(c.rootUser)
  await page.getByLabel('Enter Password', { exact: true }).fill(c.rootPassword)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('link', { name: 'region', exact: true }).waitFor()
  expect(await page.getByText(DUE).count()).toBe(0)
})

ownStore.test(
  'a form of a server that reports the old values until it restarts says so, and sends only what is edited',
  async () => {
    const params = { name: 'region' }
    await c.call('setConfig', { params, body: { key_values: [{ key: 'comment', value: 'before' }] } })
    const page = await browser.open('/settings/configurations?edit=region', { console: c })
    // As on MinIO, the configuration is read as it was before the save.
    const json = await c.call('getConfig', { params })
    await routeCalls(page, '**/api/v1/configs/region', async (route) => {
      if (route.request().method() === 'GET') await route.fulfill({ json })
      else await route.continue()
    })
    await page.getByLabel('Comment').fill('after')
    await save(page)
    await page.getByRole('link', { name: 'region', exact: true }).click()
    await page.getByText('Saved changes of these settings wait for a restart of the server').waitFor()
    expect(await page.getByLabel('Comment').inputValue()).toBe('before')
    // The required name, which the server has and the form shows empty, does not prevent the save.
    const ofComment = page.waitForRequest((each) => each.method() === 'PUT')
    await page.getByLabel('Comment').fill('third')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await ofComment).postDataJSON().key_values).toEqual([{ key: 'comment', value: 'third' }])
    await page.reload()
    const ofName = page.waitForRequest((each) => each.method() === 'PUT')
    await page.getByLabel('Server Location').fill('eu-west-9')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await ofName).postDataJSON().key_values).toEqual([{ key: 'name', value: 'eu-west-9' }])
  },
)

ownStore.test('an upload that a restart interrupts continues with its missing part', async () => {
  const bytes = randomBytes(18 * MiB)
  await using files = await tempFiles({ 'big.bin': bytes })
  const bucket = await c.newBucket()
  const page = await browser.open(`/object-browser/${bucket}`, { console: c })
  const parts = recordCalls(page, /\/uploads\/[^/]+\/\d+$/)
  const second = await holdCalls(page, { url: /\/uploads\/[^/]+\/2\?/, method: 'PUT' })
  const first = page.waitForResponse(/\/uploads\/[^/]+\/1\?/)
  await chooseFiles(page, files.path('big.bin'))
  await first
  const restarting = c.call('restartService', { body: {} })
  // The second part is sent while the store is away.
  await expect.poll(async () => (await c.root.send('listBuckets', {})).status, { interval: 10 }).not.toBe(200)
  await second.release()
  await page
    .getByRole('region', { name: 'Transfers' })
    .getByText(/^Trying again/)
    .waitFor()
  await restarting
  await page.getByText('Object uploaded successfully.').waitFor()
  expect(parts.filter((call) => call.includes('/1?'))).toHaveLength(1)
  expect(md5Digest(await readObjectBytes(c, bucket, 'big.bin'))).toBe(md5Digest(bytes))
})

test('without the right to restart the server, the missing right is shown', async () => {
  const { accessKey, secretKey } = await c.newUser({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['admin:ConfigUpdate', 'admin:ServerInfo'] }],
  })
  const page = await browser.open('/settings/configurations?edit=region', { console: c, as: { accessKey, secretKey } })
  await save(page)
  await page.getByText('Needs admin:ServiceRestart').first().waitFor({ state: 'attached' })
  expect(await button(page).getAttribute('aria-disabled')).toBe('true')
})
