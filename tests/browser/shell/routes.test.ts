import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser
const pagePath = (page: { url(): string }) => new URL(page.url()).pathname

test('/ shows the first allowed page, the buckets [BKT-01] [SHL-04]', async () => {
  const page = await open('/')
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  await page.getByLabel('Filter Buckets').waitFor()
  expect(pagePath(page)).toBe('/buckets')
})

test('a route that the session may not see leads to the first allowed page [SHL-03] [SHL-04]', async () => {
  const as = await browser.target.newUser(allowS3(['s3:PutObject']))
  const page = await open('/buckets', { as })
  await page.getByRole('heading', { name: 'All Buckets' }).waitFor()
  expect(pagePath(page)).toBe('/object-browser')
  await page.goto('buckets/somebodys/summary')
  await page.getByRole('heading', { name: 'All Buckets' }).waitFor()
  expect(pagePath(page)).toBe('/object-browser')
})

test('an unknown path shows the not-found page with its footer, and a link [SHL-05]', async () => {
  const page = await open('/no/such/page')
  await page.getByRole('heading', { name: '404 Not Found' }).waitFor()
  await page.getByText(/Copyright © \d{4}/).waitFor()
  expect(pagePath(page)).toBe('/no/such/page')
  await page.getByRole('link', { name: 'Go to the start page' }).click()
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
})

test('without a session every page leads to /login, and from there back to it [SHL-06]', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/object-browser/${bucket}/a/b/?filter=x`, { as: false })
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  expect(pagePath(page)).toBe('/login')
  await page.getByLabel('Enter Username').fill(browser.target.rootUser)
  await page.getByLabel('Enter Password', { exact: true }).fill(browser.target.rootPassword)
  await page.keyboard.press('Enter')
  await page.getByLabel('Search Objects').waitFor()
  expect(page.url()).toBe(`${browser.target.url}/object-browser/${bucket}/a/b/?filter=x`)
})

test('/login is outside the shell, also with a session [SHL-10]', async () => {
  const page = await open('/buckets')
  const shell = page.getByRole('navigation', { name: 'Main' })
  await shell.waitFor()
  await page.goto('login')
  await page.getByRole('heading', { name: 'Console Login' }).waitFor()
  expect(await shell.count()).toBe(0)
  for (const path of ['users', 'settings', 'license', 'no-such-page']) {
    await page.goto(path)
    await shell.waitFor()
  }
})

test.each(['/metrics', '/tenants/ns/one/hop'])('%s has no sidebar [SHL-11]', async (path) => {
  const page = await open(path)
  await page.getByRole('banner').waitFor()
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
})

test('back and forward return to visited pages, with their filters', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open('/buckets')
  await page.getByLabel('Filter Buckets').fill(bucket)
  await page.waitForURL(`**/buckets?buckets.filter=${bucket}`)
  await page.getByRole('link', { name: bucket, exact: true }).click()
  await page.getByRole('heading', { name: bucket }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Buckets', exact: true }).waitFor()
  expect(await page.getByLabel('Filter Buckets').inputValue()).toBe(bucket)
  await page.goForward()
  await page.getByRole('heading', { name: bucket }).waitFor()
})

test('/oauth_callback is outside the shell, and shows the message of the identity provider [SHL-10] [LGN-23]', async () => {
  const said = new URLSearchParams({ error: 'access_denied', error_description: 'Not <b>you</b>' })
  for (const as of [undefined, false] as const) {
    const page = await open(`/oauth_callback?${said}`, as === undefined ? {} : { as })
    await page.getByRole('heading', { name: 'IDP Error:' }).waitFor()
    await page.getByText('access_denied', { exact: true }).waitFor()
    await page.getByText('Not <b>you</b>', { exact: true }).waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await page.getByRole('banner').count()).toBe(0)
  }
})
