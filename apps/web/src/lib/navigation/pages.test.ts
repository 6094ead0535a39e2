import { expect, test } from 'vitest'
import { firstAllowed, isAllowed } from './pages.ts'

test.each([
  [['/dashboard', '/object-browser', '/buckets'], '/buckets'],
  [['/object-browser', '/watch'], '/object-browser'],
  [['/dashboard', '/watch'], '/dashboard'],
  [['/watch'], undefined],
  [[], undefined],
])('the first page of %j is %s [SHL-04]', (pages, first) => expect(firstAllowed(pages)).toBe(first))

test('a route is compared as the text of its pattern [SHL-03]', () => {
  expect(isAllowed(['/buckets/*'], '/buckets')).toBe(false)
  expect(isAllowed(['/buckets/*'], '/buckets/*')).toBe(true)
})
