import { expect, test } from 'vitest'
import { documentationUrl, hidesSidebar } from './shell-rules.ts'

test.each([
  ['/metrics', true],
  ['/namespaces/a/tenants/b/hop', true],
  ['/namespaces/a/tenants/b/summary', false],
  ['/buckets', false],
])('%s hides the sidebar: %s [SHL-11]', (path, hidden) => expect(hidesSidebar(path)).toBe(hidden))

test('the link to the documentation contains the console mode [SHL-20]', () => {
  expect(new URL(documentationUrl(true)).searchParams.get('ref')).toBe('op')
  expect(new URL(documentationUrl(false)).searchParams.get('ref')).toBe('con')
})
