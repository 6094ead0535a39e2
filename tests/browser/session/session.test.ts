import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { breakCalls } from '../../support/browser/page-calls.ts'

const browser = useBrowser()
const { open } = browser
const session = '**/api/v1/session'

test('on start the session is loaded: a page that is opened again needs no sign-in and shows the server [LGN-17]', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`)
  // Only a distributed server has it.
  await page.getByRole('region', { name: 'Quota' }).waitFor()
  await page.reload()
  await page.getByRole('region', { name: 'Quota' }).waitFor()
  await page.getByTitle(browser.target.rootUser, { exact: true }).waitFor()
})

test('a server that is not distributed is recorded as such [LGN-17]', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`, {
    before: (p) =>
      p.route(session, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), distributedMode: false } })
      }),
  })
  await page.getByRole('region', { name: 'Reported Usage' }).waitFor()
  expect(await page.getByRole('region', { name: 'Quota' }).count()).toBe(0)
  expect(await page.getByRole('region', { name: 'Versioning' }).count()).toBe(0)
})

test('in operator mode the title is fixed, and the pages of the console are not available [LGN-18]', async () => {
  const page = await open('/buckets', {
    before: (p) =>
      p.route(session, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), operator: true } })
      }),
  })
  // The first allowed page, because the path belongs to the console.
  await page.getByRole('heading', { name: 'License', level: 1 }).waitFor()
  expect(await page.title()).toBe('MinIO Operator')
  expect(await page.getByRole('link', { name: 'Buckets' }).count()).toBe(0)
})

test('a session that cannot be loaded leads to login [LGN-19]', async () => {
  const page = await open('/buckets', { before: (p) => breakCalls(p, { url: session }) })
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')
})

test('a session whose status is not ok shows no shell [SHL-07]', async () => {
  const page = await open('/buckets', {
    before: (p) => p.route(session, (route) => route.fulfill({ json: { status: 'no', pages: ['/buckets'] } })),
  })
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
})
