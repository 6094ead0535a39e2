import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { holdCalls } from '../../support/browser/page-calls.ts'
import { stopClock } from '../../support/browser/page-clock.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole } from '../../support/console/start-console.ts'
import { embeddedStoreProcess } from '../../support/processes/processes.ts'

const { open } = useBrowser()

test('while the first code is loading the page shows it', async () => {
  let seen: Promise<void> | undefined
  const page = await open('/login', {
    as: false,
    // `open` waits for all code of the page.
    before: async (p) => {
      const code = await holdCalls(p, { url: /\/assets\/index-[^/]*\.js$/ })
      seen = p
        .getByText('Loading...', { exact: true })
        .waitFor()
        .then(async () => await code.release())
    },
  })
  await seen
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  expect(await page.locator('#boot').count()).toBe(0)
})

test('a first page that is waiting shows for how long, and what to do', async () => {
  let answer: { release(): Promise<void> } | undefined
  const page = await open('/buckets', {
    clock: true,
    before: async (p) => (answer = await holdCalls(p, { url: '**/api/v1/session' })),
  })
  const clock = await stopClock(page)
  await page.getByText('This operation is taking longer than expected...').or(page.getByText('Loading...')).waitFor()
  await clock.run(6_000)
  await page.getByText(/This operation is taking longer than expected\.\.\. \(\d+ seconds elapsed\)/).waitFor()
  await page.getByRole('button', { name: 'Reload Page' }).waitFor()
  await answer?.release()
  await clock.run(1_000)
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  expect(await page.locator('#boot').count()).toBe(0)
})

ownStore.test('Logout does not wait for a storage server that hangs [LGN-20] [LGN-21]', async () => {
  await using console = await startConsole()
  const page = await open('/buckets', { console })
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
  const store = embeddedStoreProcess(console.pid)
  process.kill(store, 'SIGSTOP')
  try {
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('**/login', { timeout: 15_000 })
    expect((await page.context().cookies()).filter(({ name, value }) => /^stowage-\d/.test(name) && value)).toEqual([])
  } finally {
    process.kill(store, 'SIGCONT')
  }
})

test('Logout leads to the sign-in page even if the console does not answer', async () => {
  const page = await open('/buckets')
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  const held = await holdCalls(page, { url: '**/api/v1/logout', method: 'POST' })
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  await held.release()
})
