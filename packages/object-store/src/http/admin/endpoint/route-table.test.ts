import { describe, expect, test } from 'vitest'
import { type AdminRoute, RouteTable } from './route-table.ts'

const NO_QUERY = new URLSearchParams()
const get = (path: string, query?: string[]): AdminRoute => ({ method: 'GET', path, ...(query && { query }) })
const shown = (table: RouteTable<AdminRoute>, rawPath: string, query = NO_QUERY) => {
  const found = table.find('GET', rawPath, query)
  return found && [found.route.path, found.parameters]
}

test('a request finds the most specific of the routes that match it', () => {
  const table = new RouteTable([
    get('heal/{bucket}/{prefix...}'),
    get('tier/{tier}'),
    get('heal/{bucket}'),
    get('tier'),
    get('tier/stats'),
    get('idp/{kind}/{name}/state'),
  ])
  expect(shown(table, 'tier')).toEqual(['tier', {}])
  expect(shown(table, 'tier/stats')).toEqual(['tier/stats', {}])
  expect(shown(table, 'tier/COLD')).toEqual(['tier/{tier}', { tier: 'COLD' }])
  expect(shown(table, 'heal/b')).toEqual(['heal/{bucket}', { bucket: 'b' }])
  expect(shown(table, 'heal/b/x/y//z')).toEqual(['heal/{bucket}/{prefix...}', { bucket: 'b', prefix: 'x/y//z' }])
  expect(shown(table, 'heal/b/')).toEqual(['heal/{bucket}/{prefix...}', { bucket: 'b', prefix: '' }])
  expect(shown(table, 'idp/ldap/_/state')).toEqual(['idp/{kind}/{name}/state', { kind: 'ldap', name: '_' }])
  for (const path of ['', 'tier/', 'tier/a/b', 'heal', 'heal//x', 'idp/ldap/state', 'Tier']) {
    expect(shown(table, path)).toBeUndefined()
  }
  expect(table.find('PUT', 'tier', NO_QUERY)).toBeUndefined()
})

test('values are decoded once, and an encoded slash stays within its segment', () => {
  const table = new RouteTable([get('tier/{tier}'), get('{__proto__}/{constructor}/x')])
  expect(shown(table, 'tier/a%2Fb%2520')).toEqual(['tier/{tier}', { tier: 'a/b%20' }])
  expect(shown(table, 'tier/..')).toEqual(['tier/{tier}', { tier: '..' }])
  const found = table.find('GET', 'a/b/x', NO_QUERY)
  expect(Object.entries(found?.parameters ?? {})).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ])
})

test('of routes with one path the one whose query parameters are all there is found', () => {
  const table = new RouteTable([get('config'), get('config', ['key']), get('config', ['key', 'env'])])
  const found = (query: string) => table.find('GET', 'config', new URLSearchParams(query))?.route.query
  expect(found('')).toBeUndefined()
  expect(found('key=')).toEqual(['key'])
  expect(found('env=1&key=a')).toEqual(['key', 'env'])
})

describe('a table with a mistake is refused when it is made', () => {
  test.each([
    [[get('a'), get('a')], 'two routes match GET a and a'],
    [[get('a/{x}'), get('a/{y}')], 'two routes match GET a/{x} and a/{y}'],
    [[get('a', ['p', 'q']), get('a', ['q', 'p'])], 'two routes match GET a and a'],
    [[get('{a...}/b')], 'the path {a...}/b is not well-formed'],
    [[get('{a}/{a}')], 'the path {a}/{a} is not well-formed'],
    [[get('{a}/x{b}')], 'the path {a}/x{b} is not well-formed'],
  ])('%j', (routes, message) => {
    expect(() => new RouteTable(routes)).toThrow(new TypeError(message))
  })
})
