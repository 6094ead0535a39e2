import { expect, test } from 'vitest'
import { cannedPolicies, formatPolicy, parsePolicy } from './index.ts'

test.each(Object.entries(cannedPolicies()))('%s is valid', (_, policy) => {
  expect(parsePolicy(formatPolicy(policy))).toEqual({ ok: true, policy, errors: [], warnings: [] })
})

test('there are five, and each call makes new ones', () => {
  const first = cannedPolicies()
  expect(Object.keys(first).sort()).toEqual(['consoleAdmin', 'diagnostics', 'readonly', 'readwrite', 'writeonly'])
  first.readwrite.Statement.pop()
  expect(cannedPolicies().readwrite.Statement).toHaveLength(1)
})
