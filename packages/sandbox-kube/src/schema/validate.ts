import { isDeepStrictEqual } from 'node:util'
import { type FieldError, field } from '../errors.ts'
import { isObject, type Json, type JsonObject, quoted } from '../json.ts'
import { parseRule, type Schema, walk } from './schema.ts'

/** Errors after which the rules of a schema are not checked. */
const BLOCKING = new Set([
  ...[
    'FieldValueNotSupported',
    'FieldValueRequired',
    'FieldValueTooLong',
    'FieldValueTooMany',
    'FieldValueTypeInvalid',
  ],
])

const hasRulesOf = new WeakMap<Schema, boolean>()

function hasRules(schema: Schema): boolean {
  let has = hasRulesOf.get(schema)
  if (has === undefined) {
    has = [...walk(schema, '')].some(([each]) => each['x-kubernetes-validations']?.length)
    hasRulesOf.set(schema, has)
  }
  return has
}

/**
 * Returns the errors of an object according to its schema.
 * @param part the only member to check, if the others are not written
 */
export function schemaProblems(object: JsonObject, schema: Schema, part?: string): FieldError[] {
  const problems: FieldError[] = []
  if (part === undefined) check(object, schema, '', '', problems)
  else {
    const own = schema.properties?.[part]
    if (own && object[part] !== undefined) check(object[part], own, part, '', problems)
  }
  repeats(object, schema, '', problems)
  if (!hasRules(schema) || !isBlocked(problems)) return problems
  const message =
    'Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'
  return [...problems, { reason: 'FieldValueInvalid', message, field: '<nil>' }]
}

const isBlocked = (problems: FieldError[]) => problems.some(({ reason }) => BLOCKING.has(reason))

/** Returns the immutable fields that a change would modify; empty if the schema is not enforced. */
export function immutableProblems(next: JsonObject, previous: JsonObject, schema: Schema): FieldError[] {
  const problems: FieldError[] = []
  if (!hasRules(schema) || isBlocked(schemaProblems(next, schema))) return []
  immutable(next, previous, schema, '', problems)
  return problems
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

/** @param shown the path in messages */
function check(value: Json, schema: Schema, path: string, shown: string, problems: FieldError[]): void {
  const type = typeOf(value)
  if (value === null && schema.nullable) return
  if (!hasType(value, schema)) {
    const wanted = schema['x-kubernetes-int-or-string'] ? 'integer,string' : (schema.type ?? '')
    problems.push(field.invalidType(path, type, `${shown} in body must be of type ${wanted}: ${quoted(type)}`))
    return
  }
  if (schema.enum && !schema.enum.some((each) => isDeepStrictEqual(each, value))) {
    const supported = schema.enum.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    problems.push(field.notSupported(path, JSON.stringify(value), supported))
  }
  if (typeof value === 'string') checkText(value, schema, path, shown, problems)
  if (typeof value === 'number') checkNumber(value, schema, path, shown, problems)
  if (Array.isArray(value)) checkList(value, schema, path, shown, problems)
  else if (isObject(value)) checkObject(value, schema, path, shown, problems)
  combine(value, schema, path, shown, problems)
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function hasType(value: Json, schema: Schema): boolean {
  const type = typeOf(value)
  if (schema['x-kubernetes-int-or-string']) return type === 'integer' || type === 'string'
  if (schema.type === undefined) return true
  return type === schema.type || (schema.type === 'number' && type === 'integer')
}

function checkText(value: string, schema: Schema, path: string, shown: string, problems: FieldError[]): void {
  const { pattern, minLength, maxLength } = schema
  const length = [...value].length
  if (maxLength !== undefined && length > maxLength) problems.push(field.tooLong(path, maxLength))
  if (minLength !== undefined && length < minLength)
    problems.push(field.invalid(path, value, `${shown} in body should be at least ${minLength} chars long`))
  if (pattern !== undefined && !patternOf(pattern).test(value))
    problems.push(field.invalid(path, value, `${shown} in body should match '${pattern}'`))
}

const patterns = new Map<string, RegExp>()

export function patternOf(text: string): RegExp {
  let pattern = patterns.get(text)
  if (!pattern) {
    pattern = new RegExp(text, 'u')
    patterns.set(text, pattern)
  }
  return pattern
}

function checkNumber(value: number, schema: Schema, path: string, shown: string, problems: FieldError[]): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const say = (detail: string) => problems.push(field.invalid(path, value, `${shown} in body should be ${detail}`))
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
    say(exclusiveMaximum ? `less than ${maximum}` : `less than or equal to ${maximum}`)
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
    say(exclusiveMinimum ? `greater than ${minimum}` : `greater than or equal to ${minimum}`)
  if (multipleOf !== undefined && value % multipleOf !== 0) say(`a multiple of ${multipleOf}`)
}

function checkList(value: Json[], schema: Schema, path: string, shown: string, problems: FieldError[]): void {
  const { minItems, maxItems, items } = schema
  if (maxItems !== undefined && value.length > maxItems) problems.push(field.tooMany(path, value.length, maxItems))
  if (minItems !== undefined && value.length < minItems)
    problems.push(field.invalid(path, value.length, `${shown} in body should have at least ${minItems} items`))
  if (items) for (const [n, each] of value.entries()) check(each, items, `${path}[${n}]`, `${shown}[${n}]`, problems)
}

function checkObject(value: JsonObject, schema: Schema, path: string, shown: string, problems: FieldError[]): void {
  const { properties = {}, additionalProperties, required = [], minProperties, maxProperties } = schema
  for (const name of required) if (!Object.hasOwn(value, name)) problems.push(field.required(join(path, name)))
  const count = Object.keys(value).length
  if (maxProperties !== undefined && count > maxProperties) problems.push(field.tooMany(path, count, maxProperties))
  if (minProperties !== undefined && count < minProperties)
    problems.push(field.invalid(path, count, `${shown} in body should have at least ${minProperties} properties`))
  for (const [name, each] of Object.entries(value)) {
    if (each === undefined) continue
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    const schemaOf = own ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
    // The server checks these itself.
    if (path === '' && ['apiVersion', 'kind', 'metadata'].includes(name)) continue
    if (schemaOf) check(each, schemaOf, join(path, name), join(shown, name), problems)
  }
}

function combine(value: Json, schema: Schema, path: string, shown: string, problems: FieldError[]): void {
  const fits = (each: Schema) => {
    const found: FieldError[] = []
    check(value, each, path, shown, found)
    return found.length === 0
  }
  const say = (detail: string) => problems.push(field.invalid(path, null, `${shown} in body must validate ${detail}`))
  for (const each of schema.allOf ?? []) check(value, each, path, shown, problems)
  if (schema.anyOf && !schema.anyOf.some(fits)) say('at least one schema (anyOf)')
  if (schema.oneOf && schema.oneOf.filter(fits).length !== 1) say('one and only one schema (oneOf)')
  if (schema.not && fits(schema.not)) say('the schema (not)')
}

/** Checks for duplicates in lists that are sets, or maps by keys of their members. */
function repeats(value: Json | undefined, schema: Schema, path: string, problems: FieldError[]): void {
  if (Array.isArray(value)) {
    const seen = new Set<string>()
    const keys = schema['x-kubernetes-list-map-keys'] ?? []
    for (const [n, each] of value.entries()) {
      const identity = identityOf(each, schema['x-kubernetes-list-type'], keys)
      if (identity !== undefined && seen.has(identity)) problems.push(field.duplicate(`${path}[${n}]`, identity))
      if (identity !== undefined) seen.add(identity)
      if (schema.items) repeats(each, schema.items, `${path}[${n}]`, problems)
    }
  } else if (isObject(value))
    for (const [name, own] of Object.entries(schema.properties ?? {}))
      if (Object.hasOwn(value, name)) repeats(value[name], own, join(path, name), problems)
}

/** Formats a value like Go. */
function identityOf(value: Json, type: Schema['x-kubernetes-list-type'], keys: string[]): string | undefined {
  if (type === 'set') return JSON.stringify(value)
  if (type !== 'map' || !isObject(value)) return undefined
  return `map[string]interface {}{${keys.map((key) => `${quoted(key)}:${JSON.stringify(value[key] ?? null)}`).join(', ')}}`
}

/** Compares with the previous state. Members of lists are compared if the list defines how to identify them. */
function immutable(
  value: Json | undefined,
  previous: Json | undefined,
  schema: Schema,
  path: string,
  problems: FieldError[],
): void {
  if (value === undefined || previous === undefined) return
  for (const { rule, message, fieldPath } of schema['x-kubernetes-validations'] ?? []) {
    const parsed = parseRule(rule)
    const member = parsed?.member
    const pick = (each: Json) => (member === undefined ? each : isObject(each) ? each[member] : undefined)
    if (!parsed || isDeepStrictEqual(pick(value), pick(previous))) continue
    const shown = `Invalid value: ${quoted(typeOf(value))}: ${message ?? `failed rule: ${rule}`}`
    problems.push({ reason: 'FieldValueInvalid', message: shown, field: path + (fieldPath ?? '') })
  }
  if (Array.isArray(value) && Array.isArray(previous)) {
    const { items } = schema
    const keys = schema['x-kubernetes-list-map-keys']
    if (!items || !keys) return
    const before = new Map(previous.map((each) => [identityOf(each, 'map', keys), each]))
    for (const [n, each] of value.entries())
      immutable(each, before.get(identityOf(each, 'map', keys)), items, `${path}[${n}]`, problems)
  } else if (isObject(value) && isObject(previous))
    for (const [name, own] of Object.entries(schema.properties ?? {}))
      if (Object.hasOwn(value, name) && Object.hasOwn(previous, name))
        immutable(value[name], previous[name], own, join(path, name), problems)
}
