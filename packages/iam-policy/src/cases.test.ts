import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  type Access,
  type AccessRequest,
  bucketPolicyFromJson,
  type CannedPolicyName,
  type CapabilityQuestion,
  can,
  cannedPolicies,
  compileBucketPolicy,
  compilePolicy,
  conditionValues,
  type Decision,
  type Dialect,
  evaluate,
  policyFromJson,
  type Reason,
} from './index.ts'

/**
 * One whole-policy case of `cases/*.json`. To add one, write it there.
 * The caller holds `statements` (one policy), or several `policies` (with statements, or names of canned ones), or is
 * anonymous and asks against `bucketPolicy`.
 */
interface Case {
  name: string
  /** The server release on which the outcome was seen. */
  seen?: string
  statements?: unknown[]
  policies?: Record<string, unknown[]> | CannedPolicyName[]
  bucketPolicy?: unknown[]
  session?: unknown[]
  owner?: boolean
  ask?: Ask[]
  can?: CanAsk[]
}

type Values = Record<string, string[]>

/** `expect` holds for all dialects that have no outcome of their own. */
interface Ask extends Omit<AccessRequest, 'conditions'>, Partial<Record<Dialect, Decision>> {
  conditions?: Values
  expect: Decision
  reason?: Reason
  policy?: string
  statement?: number
}

interface CanAsk extends Omit<CapabilityQuestion, 'known'> {
  known?: Values
  expect: Decision
  dependsOn?: string[]
}

const DIALECTS: Dialect[] = ['stowage', 'minio-2025', 'minio-2021']

const folder = new URL('./cases/', import.meta.url)
const files = readdirSync(folder).map((file): [string, Case[]] => [
  file,
  JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
])

describe.each(files)('%s', (_, cases) => {
  describe.each(cases.map((item) => [item.name, item] as const))('%s', (_name, item) => {
    test.each(
      (item.ask ?? []).flatMap((ask) => DIALECTS.map((dialect) => [titleOf(ask, dialect), ask, dialect] as const)),
    )('%s', (_title, ask, dialect) => {
      const { conditions = {}, expect: expected, reason, policy, statement, ...request } = ask
      const verdict = evaluate(accessOf(item, dialect), { ...request, conditions: conditionValues(conditions) })
      expect(verdict.decision).toBe(ask[dialect] ?? expected)
      if (reason) expect(verdict.reason).toBe(reason)
      if (policy) expect(verdict.statement?.policy).toBe(policy)
      if (statement !== undefined) expect(verdict.statement?.index).toBe(statement)
    })

    test.each((item.can ?? []).map((ask) => [JSON.stringify(ask), ask] as const))('can %s', (_title, ask) => {
      const { known = {}, expect: expected, dependsOn, ...question } = ask
      const verdict = can(accessOf(item, 'stowage'), { ...question, known: conditionValues(known) })
      expect(verdict.decision).toBe(expected)
      if (dependsOn) expect(verdict.dependsOn).toEqual(dependsOn)
    })
  })
})

test('there are many cases, and none asks nothing', () => {
  const cases = files.flatMap(([, items]) => items)
  expect(cases.length).toBeGreaterThanOrEqual(150)
  expect(cases.filter((item) => !item.ask && !item.can)).toEqual([])
  const titles = files.flatMap(([file, items]) => items.map((item) => `${file}: ${item.name}`))
  expect(new Set(titles).size).toBe(titles.length)
})

function accessOf(item: Case, dialect: Dialect): Access {
  const compile = (name: string, statements: unknown[]) =>
    compilePolicy(policyFromJson({ Version: '2012-10-17', Statement: statements }), { name, dialect })
  const access = { owner: item.owner, session: item.session && compile('session', item.session) }
  if (item.bucketPolicy) {
    const document = bucketPolicyFromJson({ Version: '2012-10-17', Statement: item.bucketPolicy })
    return { ...access, policies: [compileBucketPolicy(document, { name: 'bucket', dialect })] }
  }
  if (Array.isArray(item.policies)) {
    return {
      ...access,
      policies: item.policies.map((name) => compilePolicy(cannedPolicies()[name], { name, dialect })),
    }
  }
  const policies = item.policies ?? { policy: item.statements ?? [] }
  return { ...access, policies: Object.entries(policies).map(([name, statements]) => compile(name, statements)) }
}

function titleOf({ action, bucket = '', object = '', conditions, ...rest }: Ask, dialect: Dialect): string {
  const values = conditions ? ` with ${JSON.stringify(conditions)}` : ''
  return `${action} ${bucket}/${object}${values}: ${rest[dialect] ?? rest.expect} (${dialect})`
}
