import { expect, test } from 'vitest'
import { inheritsAllRights } from './restricting-policies.ts'

// Expects the behavior of MinIO 2025-10-15 for service accounts with these policies.
test.each([
  ['null', true],
  ['{}', true],
  ['{"Statement":null}', true],
  ['{"Foo":1}', true],
  ['{"Statement":[]}', false],
  ['{"statement":[]}', false],
  ['{"Version":"2012-10-17"}', false],
  ['{"Version":"2012-10-17","Statement":[]}', false],
  ['{"ID":"x"}', false],
  ['', false],
  ['{', false],
  ['[]', false],
  ['5', false],
])('the policy %s leaves a service account all rights of its parent: %j', (text, inherits) => {
  expect(inheritsAllRights(text)).toBe(inherits)
})
