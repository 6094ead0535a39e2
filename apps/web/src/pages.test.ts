import type { Session } from '@stowage/contract'
import { expect, test } from 'vitest'
import { pages } from './pages.ts'

/** The sidebar of the specification. */
const sidebar = {
  top: ['/dashboard'],
  user: ['/object-browser', '/account'],
  admin: ['/buckets', '/users', '/groups', '/policies', '/settings'],
  tools: ['/logs', '/watch', '/trace', '/heal', '/health-info'],
  operator: ['/tenants', '/storage'],
  license: ['/license'],
}

test.each(Object.entries(sidebar))(
  '%s: the pages of a group, in the order of the sidebar [SHL-01] [SHL-17]',
  (group, paths) => {
    expect(pages.filter((page) => page.group === group).map(({ path }) => path as string)).toEqual(paths)
  },
)

test.each([true, false])('distributed: %s. Heal is listed for distributed servers only [SHL-17]', (distributedMode) => {
  const heal = pages.find(({ path }) => path === '/heal')
  expect(heal?.when?.({ distributedMode } as Session)).toBe(distributedMode)
})

test('the app has the routes of the specification [SHL-01] [SHL-08]', () => {
  const routes = [
    '/dashboard',
    '/metrics',
    '/buckets',
    '/buckets/$bucket',
    '/object-browser',
    '/object-browser/$bucket',
    '/object-browser/$bucket/$',
    '/watch',
    '/users',
    '/users/$user',
    '/groups',
    '/policies',
    '/policies/$policy',
    '/heal',
    '/trace',
    '/logs',
    '/health-info',
    '/settings',
    '/account',
    '/webhook/$kind',
    '/tenants',
    '/license',
  ]
  expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(routes))
})

test('each page is declared once, and its `in` and `under` are pages', () => {
  const paths = pages.map(({ path }) => path as string)
  expect(new Set(paths).size).toBe(paths.length)
  for (const page of pages) {
    if (page.under !== undefined) expect(paths).toContain(page.under)
    if (page.in === undefined) continue
    expect(paths).toContain(page.in)
    expect(page.path.startsWith(`${page.in}/`), `${page.path} begins with ${page.in}`).toBe(true)
  }
})
