import { expect, test } from 'vitest'
import { cannedPolicies, formatPolicy, parsePolicy } from '../index.ts'

test.each(Object.entries(cannedPolicies()))('%s is valid', (name, policy) => {
  const { warnings, ...parsed } = parsePolicy(formatPolicy(policy))
  expect(parsed).toEqual({ ok: true, policy, errors: [] })
  expect(warnings.map(({ code }) => code)).toEqual(name === 'consoleAdmin' ? ['GrantsAdministration'] : [])
})

test('there are five, and each call returns new copies', () => {
  const first = cannedPolicies()
  expect(Object.keys(first).sort()).toEqual(['consoleAdmin', 'diagnostics', 'readonly', 'readwrite', 'writeonly'])
  first.readwrite.Statement.pop()
  expect(cannedPolicies().readwrite.Statement).toHaveLength(1)
})
