import type { Session } from '@stowage/contract'
import { IconBucket } from '@tabler/icons-react'
import { expect, test } from 'vitest'
import { msg } from '../text/message.ts'
import { definePage, fillPath, landingFolder, landingPage, maySeePage, menuPages, visibleSections } from './pages.ts'

const load = async () => () => null
const menu = { icon: IconBucket, load } as const
const pages = [
  definePage({ path: '/dashboard', page: '/dashboard', label: msg('Dashboard'), group: 'top', ...menu }),
  definePage({ path: '/object-browser', page: '/object-browser', label: msg('Browser'), group: 'user', ...menu }),
  definePage({ path: '/buckets', page: '/buckets', label: msg('Buckets'), group: 'admin', ...menu }),
  definePage({ path: '/buckets/$bucket', page: '/buckets/*', under: '/buckets', load }),
  definePage({ path: '/buckets/$bucket/summary', in: '/buckets/$bucket', label: msg('Summary'), load }),
  definePage({
    path: '/buckets/$bucket/lifecycle',
    in: '/buckets/$bucket',
    label: msg('Lifecycle'),
    when: ({ distributedMode }) => distributedMode,
    load,
  }),
  definePage({ path: '/watch', page: '/watch', label: msg('Watch'), group: 'tools', ...menu }),
  definePage({
    path: '/tenants',
    page: '/tenants',
    mode: 'operator',
    label: msg('Tenants'),
    group: 'operator',
    ...menu,
  }),
  definePage({ path: '/license', page: '/license', mode: 'both', label: msg('License'), group: 'license', ...menu }),
]
const session = (o: Partial<Session>): Session => ({
  status: 'ok',
  pages: [],
  features: [],
  operator: false,
  distributedMode: true,
  capabilities: [],
  ...o,
})
const pagePaths = (list: readonly { path: string }[]) => list.map(({ path }) => path)

test.each([
  [['/dashboard', '/object-browser', '/buckets'], '/buckets'],
  [['/object-browser', '/watch'], '/object-browser'],
  [['/watch', '/dashboard'], '/dashboard'],
  [['/license', '/watch'], '/watch'],
  [['/users'], undefined],
  [[], undefined],
])('the first page of %j is %s [SHL-04]', (open, first) =>
  expect(landingPage(pages, session({ pages: open }))?.path).toBe(first),
)

const place = (bucket: string, prefix: string, list = true) => ({ bucket, prefix, list })
const browser = { path: '/object-browser' } as Parameters<typeof landingFolder>[0]

test.each([
  ['the only folder', [place('homes', 'bob/')], 'homes/bob/'],
  ['the only one that can be listed', [place('homes', 'bob/'), place('drop', '', false)], 'homes/bob/'],
  ['none of several', [place('homes', 'bob/'), place('homes', 'shared/')], undefined],
  ['none that cannot be listed', [place('drop', '', false)], undefined],
  ['none', [], undefined],
])('the object browser starts at %s', (_, places, folder) => {
  const found = landingFolder(browser, session({ places }))
  expect(found && `${found.bucket}/${found.prefix}`).toBe(folder)
  expect(landingFolder({ path: '/buckets' } as typeof browser, session({ places }))).toBeUndefined()
})

test('operator mode starts with its tenants and lists no page of the console', () => {
  const operator = session({ operator: true, pages: ['/buckets', '/license', '/tenants'] })
  expect(landingPage(pages, operator)?.path).toBe('/tenants')
  expect(pagePaths(menuPages(pages, operator))).toEqual(['/tenants', '/license'])
})

test('the console lists no page of operator mode, whatever the session says', () => {
  expect(pagePaths(menuPages(pages, session({ pages: ['/license', '/tenants'] })))).toEqual(['/license'])
})

test('a route is compared by the text of its pattern [SHL-03]', () => {
  const detail = pages.find(({ path }) => path === '/buckets/$bucket')
  if (!detail) throw new Error('no detail page')
  expect(maySeePage(detail, session({ pages: ['/buckets'] }))).toBe(false)
  expect(maySeePage(detail, session({ pages: ['/buckets/*'] }))).toBe(true)
})

test('a feature that the server does not have is not listed as a section', () => {
  const detail = definePage({ path: '/buckets/$bucket', load })
  const sections = (distributedMode: boolean) => pagePaths(visibleSections(pages, detail, session({ distributedMode })))
  expect(sections(true)).toEqual(['/buckets/$bucket/summary', '/buckets/$bucket/lifecycle'])
  expect(sections(false)).toEqual(['/buckets/$bucket/summary'])
})

test.each([
  ['/buckets', {}, '/buckets'],
  ['/buckets/$bucket/summary', { bucket: 'a b/c' }, '/buckets/a%20b%2Fc/summary'],
  ['/users/$', { _splat: 'uid=a/cn=ü' }, '/users/uid%3Da/cn%3D%C3%BC'],
])('%s of %j is %s', (path, params, address) => expect(fillPath(path, params)).toBe(address))
