import { expect, test } from 'vitest'
import { pages } from './pages.ts'

/** The specification's sidebar. */
const sidebar = {
  top: ['/dashboard'],
  user: ['/object-browser', '/account'],
  admin: ['/buckets', '/users', '/groups', '/policies', '/settings'],
  tools: ['/logs', '/watch', '/trace', '/heal', '/health-info'],
  operator: ['/tenants', '/storage'],
  license: ['/license'],
}

test.each(Object.entries(sidebar))('%s: pages stand in the order of the sidebar, each in its group', (group, paths) => {
  const listed = pages.filter((page) => page.group === group).map(({ path }) => path as string)
  expect(listed).toEqual(paths.filter((path) => listed.includes(path)))
})

test('a page is declared once, and what it is in or under is a page', () => {
  const paths = pages.map(({ path }) => path as string)
  expect(new Set(paths).size).toBe(paths.length)
  for (const page of pages) {
    if (page.under !== undefined) expect(paths).toContain(page.under)
    if (page.in === undefined) continue
    expect(paths).toContain(page.in)
    expect(page.path.startsWith(`${page.in}/`), `${page.path} begins with ${page.in}`).toBe(true)
  }
})
