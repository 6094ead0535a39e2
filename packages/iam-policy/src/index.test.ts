import { expect, test } from 'vitest'
import * as api from './index.ts'

test('the public names', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "ACTIONS",
      "CONDITION_OPERATORS",
      "MAX_POLICY_BYTES",
      "POLICY_VERSION",
      "actionInfo",
      "bucketPolicyFromJson",
      "can",
      "cannedPolicies",
      "compileBucketPolicy",
      "compilePolicy",
      "conditionValues",
      "evaluate",
      "explain",
      "explainCan",
      "familyOf",
      "formatPolicy",
      "isAllowed",
      "isEmptyPolicy",
      "matchesResource",
      "mergePolicies",
      "parseBucketPolicy",
      "parsePolicy",
      "policyFromJson",
      "problemText",
    ]
  `)
})
