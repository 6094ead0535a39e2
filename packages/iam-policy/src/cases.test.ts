import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  type AccessRequest,
  bucketPolicyFromJson,
  type CallerAccess,
  type CannedPolicyName,
  type CapabilityQuestion,
  type CompiledBucketPolicy,
  cannedPolicies,
  compileBucketPolicy,
  compilePolicy,
  conditionValues,
  type Dialect,
  type EvaluationDecision,
  type EvaluationReason,
  evaluate,
  evaluateCapability,
  policyFromJson,
} from './index.ts'
import { DIALECTS, type DialectRules } from './language/dialects.ts'

/**
 * One whole-policy case of `cases/*.json`. To add one, write it there.
 * The caller holds `statements` (one policy), or several `policies` (with statements, or names of canned ones). Where
 * there is a `bucketPolicy`, it is the user `principal`, or anonymous.
 */
interface Case {
  name: string
  /** The rule in `dialects.ts` that the case tests. */
  rule?: keyof DialectRules
  /** The server release on which the outcome was observed. */
  seen?: string
  statements?: unknown[]
  policies?: Record<string, unknown[]> | CannedPolicyName[]
  bucketPolicy?: unknown[]
  principal?: string
  /** The statements of each session policy. */
  sessions?: unknown[][]
  owner?: boolean
  suspended?: boolean
  ask?: Ask[]
  can?: CanAsk[]
}

type Values = Record<string, string[]>

/** `expect` applies to all dialects without their own outcome. */
interface Ask extends Omit<AccessRequest, 'conditions'>, Partial<Record<Dialect, EvaluationDecision>> {
  conditions?: Values
  expect: EvaluationDecision
  reason?: EvaluationReason
  policy?: string
  statement?: number
}

interface CanAsk extends Omit<CapabilityQuestion, 'known'>, Partial<Record<Dialect, EvaluationDecision>> {
  known?: Values
  expect: EvaluationDecision
  dependsOn?: string[]
}

const NAMES = Object.keys(DIALECTS) as Dialect[]

const folder = new URL('./cases/', import.meta.url)
const files = readdirSync(folder).map((file): [string, Case[]] => [
  file,
  JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
])

describe.each(files)('%s', (_, cases) => {
  describe.each(cases.map((item) => [item.name, item] as const))('%s', (_name, item) => {
    test.each(
      (item.ask ?? []).flatMap((ask) => NAMES.map((dialect) => [caseTitle(ask, dialect), ask, dialect] as const)),
    )('%s', (_title, ask, dialect) => {
      const { conditions = {}, expect: expected, reason, policy, statement, ...request } = ask
      const verdict = evaluate(caseAccess(item, dialect), {
        ...request,
        bucketPolicy: caseBucketPolicy(item, dialect),
        conditions: conditionValues(conditions),
      })
      expect(verdict.decision).toBe(ask[dialect] ?? expected)
      if (reason) expect(verdict.reason).toBe(reason)
      if (policy) expect(verdict.statement?.policy).toBe(policy)
      if (statement !== undefined) expect(verdict.statement?.index).toBe(statement)
    })

    test.each(
      (item.can ?? []).flatMap((ask) =>
        NAMES.map((dialect) => [`${JSON.stringify(ask)} (${dialect})`, ask, dialect] as const),
      ),
    )('can %s', (_title, ask, dialect) => {
      const { known = {}, expect: expected, dependsOn, ...question } = ask
      const verdict = evaluateCapability(caseAccess(item, dialect), {
        ...question,
        bucketPolicy: caseBucketPolicy(item, dialect),
        known: conditionValues(known),
      })
      expect(verdict.decision).toBe(ask[dialect] ?? expected)
      if (dependsOn && !ask[dialect]) expect(verdict.dependsOn).toEqual(dependsOn)
    })
  })
})

/** Rules about the syntax of policies, which `parse/examples` covers. */
const RULES_OF_PARSING: (keyof DialectRules)[] = ['starFamily', 'since2025', 'principalsAreUsers']

test('every rule in which dialects differ has a case whose answers differ', () => {
  const cases = files.flatMap(([, items]) => items)
  const covered = new Set(
    cases
      .filter(({ ask = [], can: canAsk = [] }) => [...ask, ...canAsk].some((one) => NAMES.some((name) => one[name])))
      .map(({ rule }) => rule),
  )
  const rules = Object.keys(DIALECTS.stowage).filter((rule) => !RULES_OF_PARSING.some((other) => other === rule))
  expect(rules.filter((rule) => !covered.has(rule as keyof DialectRules))).toEqual([])
})

test('there are many cases, and each has questions', () => {
  const cases = files.flatMap(([, items]) => items)
  expect(cases.length).toBeGreaterThanOrEqual(150)
  expect(cases.filter((item) => !item.ask && !item.can)).toEqual([])
  const titles = files.flatMap(([file, items]) => items.map((item) => `${file}: ${item.name}`))
  expect(new Set(titles).size).toBe(titles.length)
})

function caseAccess(item: Case, dialect: Dialect): CallerAccess {
  const compile = (name: string, statements: unknown[]) =>
    compilePolicy(policyFromJson({ Version: '2012-10-17', Statement: statements }), { name, dialect })
  const { owner, principal, suspended } = item
  const sessions = item.sessions?.map((statements) => compile('session', statements))
  const access = { owner, principal, suspended, sessions }
  if (Array.isArray(item.policies)) {
    return {
      ...access,
      policies: item.policies.map((name) => compilePolicy(cannedPolicies()[name], { name, dialect })),
    }
  }
  const statements: Record<string, unknown[]> = item.statements ? { policy: item.statements } : {}
  const policies = item.policies ?? (item.bucketPolicy ? statements : { policy: [], ...statements })
  return { ...access, policies: Object.entries(policies).map(([name, statements]) => compile(name, statements)) }
}

function caseBucketPolicy({ bucketPolicy }: Case, dialect: Dialect): CompiledBucketPolicy | undefined {
  if (!bucketPolicy) return undefined
  const document = bucketPolicyFromJson({ Version: '2012-10-17', Statement: bucketPolicy })
  return compileBucketPolicy(document, { name: 'bucket', dialect })
}

function caseTitle({ action, bucket = '', object = '', conditions, ...rest }: Ask, dialect: Dialect): string {
  const values = conditions ? ` with ${JSON.stringify(conditions)}` : ''
  return `${action} ${bucket}/${object}${values}: ${rest[dialect] ?? rest.expect} (${dialect})`
}
