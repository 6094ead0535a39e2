import type { AccessExplanation, AccessSource, StatementReport } from '@stowage/contract'
import { expect, test } from 'vitest'
import { isLimitedByKey, policyResult } from './policy-result.ts'

const statement = (effect: 'Allow' | 'Deny', matched: StatementReport['matched'], id = 'match'): StatementReport => ({
  index: 0,
  effect,
  matched,
  because: '',
  reason: { id },
  actions: [],
  resources: [],
})
const source = (kind: AccessSource['kind'], ...statements: StatementReport[]): AccessSource => ({
  kind,
  name: 'p',
  direct: true,
  groups: [],
  found: true,
  policy: '{}',
  statements,
})

test.each([
  ['a denial before an allowance', [statement('Allow', 'yes'), statement('Deny', 'yes')], 'bad'],
  ['a denial that depends before an allowance', [statement('Allow', 'yes'), statement('Deny', 'depends')], 'unknown'],
  ['an allowance', [statement('Deny', 'no'), statement('Allow', 'yes')], 'ok'],
  ['an allowance that depends', [statement('Allow', 'depends')], 'unknown'],
  ['nothing', [], 'off'],
])('%s', (_, statements, state) => {
  expect(policyResult(source('policy', ...statements)).state).toBe(state)
})

test('a policy without a match shows the closest statement', () => {
  const near = statement('Allow', 'no', 'other-resource')
  expect(policyResult(source('policy', statement('Allow', 'no', 'other-action'), near)).statement).toBe(near)
  expect(policyResult({ ...source('policy'), found: false }).state).toBe('warn')
})

test('an access key is the limit if its parent allows what its own policy does not', () => {
  const answer = (...sources: AccessSource[]): AccessExplanation => ({ decision: 'deny', reason: 'no-match', sources })
  const [yes, no] = [statement('Allow', 'yes'), statement('Allow', 'no')]
  expect(isLimitedByKey(answer(source('policy', yes), source('embedded', no)))).toBe(true)
  expect(isLimitedByKey(answer(source('policy', no), source('embedded', yes)))).toBe(false)
  expect(isLimitedByKey(answer(source('policy', no), source('embedded', no)))).toBe(false)
})
