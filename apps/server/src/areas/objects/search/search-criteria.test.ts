import { expect, test } from 'vitest'
import { matchesTag, searchItemTest } from './search-criteria.ts'

const item = {
  name: 'logs/2026/App.log',
  size: 2048,
  last_modified: '2026-11-20T12:00:00.000Z',
  storage_class: 'STANDARD',
}

test.each([
  [{}, true],
  [{ name: 'app' }, true],
  [{ name: '2026/a' }, true],
  [{ name: 'absent' }, false],
  [{ name: '*.LOG' }, true],
  [{ name: 'a??.log' }, true],
  [{ name: 'a?.log' }, false],
  [{ name: '2026*' }, false],
  [{ name: 'logs/*.log' }, true],
  [{ name: '/2026/*' }, false],
  [{ name: '\\*.log' }, false],
  [{ min_size: 2048, max_size: 2048 }, true],
  [{ min_size: 2049 }, false],
  [{ max_size: 2047 }, false],
  [{ after: '2026-11-20T12:00:00Z' }, true],
  [{ after: '2026-11-20T12:00:01Z' }, false],
  [{ before: '2026-11-20T12:00:00Z' }, false],
  [{ before: '2026-11-20T13:00:01+01:00' }, true],
  [{ storage_class: 'standard' }, true],
  [{ storage_class: 'GLACIER' }, false],
])('%j: %j', (criteria, fits) => {
  expect(searchItemTest(criteria)(item)).toBe(fits)
})

test('an entry without a storage class or a date', () => {
  const bare = { name: 'a', size: 0, last_modified: '' }
  expect(searchItemTest({ storage_class: 'STANDARD' })(bare)).toBe(true)
  expect(searchItemTest({ before: '2030-01-01T00:00:00Z' })(bare)).toBe(false)
})

test('a pattern with many stars does not backtrack exponentially', () => {
  const begun = performance.now()
  expect(searchItemTest({ name: `${'*a'.repeat(500)}b` })({ ...item, name: 'a'.repeat(1024) })).toBe(false)
  expect(performance.now() - begun).toBeLessThan(500)
})

test.each([
  ['team', { team: 'a' }, true],
  ['team=a', { team: 'a' }, true],
  ['team=b', { team: 'a' }, false],
  ['team=', { team: '' }, true],
  ['a=b=c', { 'a=b': 'c' }, true],
  ['a=b=c', { a: 'b=c' }, true],
  ['constructor', {}, false],
  ['__proto__', {}, false],
])('tag %s in %j: %j', (wanted, tags, found) => {
  expect(matchesTag(tags as Record<string, string>, wanted)).toBe(found)
})
