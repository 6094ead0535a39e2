import { expect, test } from 'vitest'
import * as api from './index.ts'

test('the public names', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "ACTIONS",
      "MAX_POLICY_BYTES",
      "POLICY_VERSION",
      "actionInfo",
      "can",
      "cannedPolicies",
      "compileBucketPolicy",
      "compilePolicy",
      "conditionValues",
      "evaluate",
      "familyOf",
      "formatPolicy",
      "isAllowed",
      "isEmptyPolicy",
      "parseBucketPolicy",
      "parsePolicy",
      "policyFromJson",
      "problemText",
    ]
  `)
})
