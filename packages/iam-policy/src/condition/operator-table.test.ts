import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { conditionValues } from '../language/condition-values.ts'
import type { Dialect } from '../language/dialects.ts'
import type { ConditionValue } from '../language/document.ts'
import { OPERATORS_BY_NAME, parseOperatorName } from './operator-table.ts'
import type { Qualifier } from './value-types/operator.ts'

interface Example {
  policy: ConditionValue[]
  /** Absent: the request has no value for the key. */
  given?: string[]
  holds: boolean
  qualifier?: Qualifier
  dialect?: Dialect
  /** Values of other keys, for variables. */
  values?: Record<string, string[]>
}

const readExamples = (name: string): { key: string; rows: Example[] } =>
  JSON.parse(readFileSync(new URL(`./examples/${name}.json`, import.meta.url), 'utf8'))

describe.each([...OPERATORS_BY_NAME.entries()])('%s', (name, operator) => {
  const { key, rows } = readExamples(name)

  test.each(rows.map((row) => [JSON.stringify(row), row] as const))('%s', (_, row) => {
    const { policy, given = [], holds, qualifier, dialect = 'stowage', values = {} } = row
    const holdsFor = operator.compile(policy, { key, qualifier, dialect })
    expect(holdsFor(given, conditionValues(values))).toBe(holds)
  })

  test('has examples of both outcomes, and of an absent key', () => {
    expect(new Set(rows.map((row) => row.holds)).size).toBe(2)
    expect(rows.some((row) => row.given === undefined)).toBe(true)
  })
})

test.each([
  ['StringLike', undefined, 'StringLike'],
  ['ForAnyValue:StringLike', 'ForAnyValue', 'StringLike'],
  ['ForAllValues:Null', 'ForAllValues', 'Null'],
])('%s is read', (text, qualifier, name) => {
  expect(parseOperatorName(text)).toMatchObject({ name, ...(qualifier ? { qualifier } : {}) })
})

test.each([
  'stringlike',
  'ForSomeValues:StringLike',
  'StringLikeIfExists',
  'ArnLike',
  'a:b:StringLike',
  '',
  'constructor',
])('"%s" is no operator', (text) => {
  expect(parseOperatorName(text)).toBeUndefined()
})
