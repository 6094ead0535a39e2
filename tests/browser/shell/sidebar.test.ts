import { expect, test } from 'vitest'
import { useBrowser } from '../../support/browser/browser.ts'
import { allowS3 } from '../../support/data/policies.ts'

const browser = useBrowser()
const { open } = browser

test('the sidebar is 245 px wide [SHL-12]', async () => {
  const page = await open('/buckets')
  const sidebar = page.getByRole('complementary').filter({ has: page.getByRole('navigation', { name: 'Main' }) })
  await sidebar.waitFor()
  expect((await sidebar.boundingBox())?.width).toBe(245)
})

test('the sidebar has items only for allowed pages, and always Logout and Documentation [SHL-13] [SHL-22]', async () => {
  const as = await browser.target.newUser(allowS3(['s3:PutObject']))
  const page = await open('/object-browser', { as })
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('link', { name: 'Object Browser' }).waitFor()
  expect(await nav.getByRole('link', { name: 'Buckets', exact: true }).count()).toBe(0)
  await nav.getByRole('link', { name: /Documentation/ }).waitFor()
  await page.getByRole('button', { name: 'Logout' }).waitFor()

  const roots = await open('/object-browser')
  await roots.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Buckets', exact: true }).waitFor()
})

test('License and Documentation are a group at the end; it is also shown with few rights [SHL-19] [SHL-20] [SHL-23]', async () => {
  const as = await browser.target.newUser(allowS3(['s3:PutObject']))
  const page = await open('/object-browser', { as })
  const group = page.getByRole('navigation', { name: 'Main' }).getByRole('region', { name: 'License' })
  await group.getByRole('link', { name: 'License' }).waitFor()
  const documentation = group.getByRole('link', { name: /Documentation/ })
  expect(await documentation.getAttribute('target')).toBe('_blank')
  expect(await documentation.getAttribute('href')).toMatch(/\?ref=con$/)
  await page.getByRole('link', { name: 'Start page' }).getByRole('img', { name: 'Stowage', exact: true }).waitFor()
})

test('groups are initially open; each closes and opens again [SHL-24]', async () => {
  const page = await open('/buckets')
  const nav = page.getByRole('navigation', { name: 'Main' })
  for (const [group, item] of [
    ['User', 'Object Browser'],
    ['Admin', 'Buckets'],
  ] as const) {
    const button = nav.getByRole('button', { name: group, exact: true })
    const link = nav.getByRole('link', { name: item, exact: true })
    await link.waitFor()
    expect(await button.getAttribute('aria-expanded')).toBe('true')
    await button.click()
    await link.waitFor({ state: 'hidden' })
    await button.click()
    await link.waitFor()
  }
})

test('the sidebar is initially open; hidden, it stays hidden until the menu button brings it back [SHL-25]', async () => {
  const page = await open('/buckets')
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.waitFor()
  await page.getByRole('button', { name: 'Hide sidebar' }).click()
  await nav.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await nav.waitFor()
})

test('the item of the current page is marked, also for its subpages', async () => {
  const bucket = await browser.target.newBucket()
  const page = await open(`/buckets/${bucket}/summary`)
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.waitFor()
  expect(await nav.getByRole('link', { name: 'Buckets', exact: true }).getAttribute('aria-current')).toBe('page')
  expect(await nav.getByRole('link', { name: 'Object Browser' }).getAttribute('aria-current')).toBeNull()
})

test('on a small screen the menu covers the page, and closes again', async () => {
  const page = await open('/buckets', { width: 390, height: 844 })
  const nav = page.getByRole('navigation', { name: 'Main' })
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  await menu.click()
  await nav.waitFor()
  await page.keyboard.press('Escape')
  await nav.waitFor({ state: 'hidden' })
  await menu.click()
  await nav.getByRole('link', { name: 'Object Browser' }).click()
  await page.getByRole('heading', { name: 'All Buckets' }).waitFor()
  await nav.waitFor({ state: 'hidden' })
  // Nothing overflows at the side.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
