import { expect, test } from 'vitest'
import { hidesSidebar } from './shell-rules.ts'

test.each([
  ['/metrics', true],
  ['/namespaces/a/tenants/b/hop', true],
  ['/namespaces/a/tenants/b/summary', false],
  ['/buckets', false],
])('%s hides the sidebar: %s [SHL-11]', (path, hidden) => expect(hidesSidebar(path)).toBe(hidden))
