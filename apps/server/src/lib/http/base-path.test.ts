import fc from 'fast-check'
import { expect, test } from 'vitest'
import { baseHref, splitBasePath } from './base-path.ts'

test.each([
  ['/', './'],
  ['/buckets', './'],
  ['/buckets?x=/a/b', './'],
  ['/buckets/', '../'],
  ['/buckets/b/summary', '../../'],
  ['/object-browser/b/a//c.txt', '../../../../'],
])('the base of %s is %s', (url, href) => expect(baseHref(url)).toBe(href))

test('the base of any page leads to the base path, under any prefix', () => {
  const segment = fc.string({ unit: fc.constantFrom(...'ab-~%2F'.replace('%', '')), maxLength: 4 })
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 6 }), fc.constantFrom('/', '/stowage/', '/a/b/'), (path, prefix) => {
      // At the start of a path, a browser would treat `//x` as another host.
      fc.pre(path[0] !== '' || path.length <= 1)
      const page = `/${path.join('/')}`
      const address = new URL(`http://h${prefix.slice(0, -1)}${page}`)
      expect(new URL(baseHref(page), address).pathname).toBe(prefix)
    }),
  )
})

test.each([
  ['no prefix', '/buckets', { publicPath: '/' }, { base: '/', url: '/buckets' }],
  ['prefix left on', '/st/buckets', { publicPath: '/st/' }, { base: '/st/', url: '/buckets' }],
  ['prefix taken off', '/buckets', { publicPath: '/st' }, { base: '/st/', url: '/buckets' }],
  ['only a beginning alike', '/station', { publicPath: '/st/' }, { base: '/st/', url: '/station' }],
  ['no last slash', '/st?a=1', { publicPath: '/st/' }, { base: '/st/', url: '/?a=1', redirect: '/st/?a=1' }],
  [
    'forwarded, but no path',
    '/api',
    { publicPath: '/', forwardedPrefix: '/\\evil.example' },
    { base: '/', url: '/api' },
  ],
  ['forwarded, with steps', '/api', { publicPath: '/', forwardedPrefix: '/a/../b' }, { base: '/', url: '/api' }],
  ['forwarded', '/x/api', { publicPath: '/st/', forwardedPrefix: '/x' }, { base: '/x/', url: '/api' }],
  [
    'tenant',
    '/api/proxy/ns/t1/api/v1/session',
    { publicPath: '/' },
    { base: '/api/proxy/ns/t1/', url: '/api/v1/session' },
  ],
  ['tenant below a prefix', '/st/api/proxy/ns/t1/', { publicPath: '/st/' }, { base: '/st/api/proxy/ns/t1/', url: '/' }],
  [
    'tenant, no slash',
    '/api/proxy/ns/t1',
    { publicPath: '/' },
    { base: '/api/proxy/ns/t1/', url: '/', redirect: '/api/proxy/ns/t1/' },
  ],
  [
    'tenant, in operator mode',
    '/api/proxy/ns/t1/x',
    { publicPath: '/', ofTenant: false },
    { base: '/', url: '/api/proxy/ns/t1/x' },
  ],
])('base path: %s [SHL-02]', (_name, url, rules, expected) => expect(splitBasePath(url, rules)).toEqual(expected))

test.each([
  '/api/proxy/a/b;x/',
  '/api/proxy/a;Domain=example.com/b/',
  '/api/proxy/a/b;x',
  '/api/proxy/a/b%3Bx/',
  '/api/proxy/a/b, token=x/',
  '/api/proxy/../b/x',
  '/api/proxy/./../x',
  '/api/proxy/-/b/',
  `/api/proxy/${'a'.repeat(300)}/b/`,
])('%s is not a prefix of a tenant: it becomes part of no cookie and no redirect', (url) =>
  expect(splitBasePath(url, { publicPath: '/' })).toEqual({ base: '/', url }),
)

test('for any request, the base path contains no character that ends a path in a header', () => {
  const piece = fc.constantFrom(
    '/api/proxy/',
    'a',
    'b.c',
    ';',
    ',',
    '"',
    '\\',
    '%0d%0a',
    '%',
    '..',
    '.',
    '//',
    '/',
    '?',
    '=',
    ' ',
    'é',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(piece, { maxLength: 5 }), (path, prefix) => {
      const { base, url, redirect } = splitBasePath(`/${path.join('')}`, {
        publicPath: '/',
        forwardedPrefix: prefix.join(''),
      })
      expect(base).toMatch(/^\/([\w\-.~!$&'()*+,=:@%]+\/)*$/)
      expect(url[0]).toBe('/')
      if (redirect !== undefined) expect(redirect.startsWith(base) && !redirect.startsWith('//')).toBe(true)
    }),
  )
})
