import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OPERATORS_BY_NAME } from './condition/operator-table.ts'
import * as api from './index.ts'
import { ERROR_CODES, WARNING_CODES } from './parse/problem-codes.ts'

test('the public names', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "ACTIONS",
      "ADMIN_OPERATIONS",
      "CONDITION_OPERATORS",
      "JWT_CLAIMS",
      "KMS_OPERATIONS",
      "MAX_POLICY_BYTES",
      "POLICY_VERSION",
      "S3_OPERATIONS",
      "S3_REQUEST_PARTS",
      "actionFamily",
      "actionInfo",
      "askedActions",
      "bucketPolicyFromJson",
      "cannedPolicies",
      "compileBucketPolicy",
      "compileGlob",
      "compileGlobParts",
      "compilePolicy",
      "conditionValues",
      "evaluate",
      "evaluateCapability",
      "explainCapability",
      "explainRequest",
      "formatPolicy",
      "globMatches",
      "isAllowed",
      "isEmptyPolicy",
      "matchesResource",
      "mergePolicies",
      "nearestName",
      "operationsNeeding",
      "parseBucketPolicy",
      "parsePolicy",
      "policyFromJson",
      "principalUser",
      "problemText",
      "toActionName",
    ]
  `)
})

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the README has every code with its meaning', () => {
  for (const [code, meaning] of Object.entries({ ...ERROR_CODES, ...WARNING_CODES })) {
    expect(readme).toContain(`| \`${code}\` | ${meaning} |`)
  }
})

test('the README names every function and operator', () => {
  for (const name of [...Object.keys(api), ...OPERATORS_BY_NAME.keys()]) expect(readme).toContain(name)
})
