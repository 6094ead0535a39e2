import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type KubeJson, type KubeJsonObject, quoteLikeGo } from '../object/json.ts'
import { type FieldError, fieldErrors } from '../object/kube-api-error.ts'
import { type OpenApiSchema, parseRule, walkSchema } from './schema.ts'

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

const knownRules = new WeakMap<OpenApiSchema, boolean>()

function hasRules(schema: OpenApiSchema): boolean {
  let has = knownRules.get(schema)
  if (has === undefined) {
    has = [...walkSchema(schema, '')].some(([each]) => each['x-kubernetes-validations']?.length)
    knownRules.set(schema, has)
  }
  return has
}

/**
 * Returns the errors of an object according to its schema.
 * @param part the only member to check, if the others are not written
 */
export function schemaProblems(object: KubeJsonObject, schema: OpenApiSchema, part?: string): FieldError[] {
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
export function immutableProblems(next: KubeJsonObject, previous: KubeJsonObject, schema: OpenApiSchema): FieldError[] {
  const problems: FieldError[] = []
  if (!hasRules(schema) || isBlocked(schemaProblems(next, schema))) return []
  immutable(next, previous, schema, '', problems)
  return problems
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

/** @param shown the path in messages */
function check(value: KubeJson, schema: OpenApiSchema, path: string, shown: string, problems: FieldError[]): void {
  const type = jsonSchemaType(value)
  if (value === null && schema.nullable) return
  if (!hasType(value, schema)) {
    const wanted = schema['x-kubernetes-int-or-string'] ? 'integer,string' : (schema.type ?? '')
    problems.push(
      fieldErrors.invalidType(path, type, `${shown} in body must be of type ${wanted}: ${quoteLikeGo(type)}`),
    )
    return
  }
  if (schema.enum && !schema.enum.some((each) => isDeepStrictEqual(each, value))) {
    const supported = schema.enum.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    problems.push(fieldErrors.notSupported(path, JSON.stringify(value), supported))
  }
  if (typeof value === 'string') checkText(value, schema, path, shown, problems)
  if (typeof value === 'number') checkNumber(value, schema, path, shown, problems)
  if (Array.isArray(value)) checkList(value, schema, path, shown, problems)
  else if (isJsonObject(value)) checkObject(value, schema, path, shown, problems)
  combine(value, schema, path, shown, problems)
}

function jsonSchemaType(value: KubeJson): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function hasType(value: KubeJson, schema: OpenApiSchema): boolean {
  const type = jsonSchemaType(value)
  if (schema['x-kubernetes-int-or-string']) return type === 'integer' || type === 'string'
  if (schema.type === undefined) return true
  return type === schema.type || (schema.type === 'number' && type === 'integer')
}

function checkText(value: string, schema: OpenApiSchema, path: string, shown: string, problems: FieldError[]): void {
  const { pattern, minLength, maxLength } = schema
  const length = [...value].length
  if (maxLength !== undefined && length > maxLength) problems.push(fieldErrors.tooLong(path, maxLength))
  if (minLength !== undefined && length < minLength)
    problems.push(fieldErrors.invalid(path, value, `${shown} in body should be at least ${minLength} chars long`))
  if (pattern !== undefined && !compilePattern(pattern).test(value))
    problems.push(fieldErrors.invalid(path, value, `${shown} in body should match '${pattern}'`))
}

const patterns = new Map<string, RegExp>()

export function compilePattern(text: string): RegExp {
  let pattern = patterns.get(text)
  if (!pattern) {
    pattern = new RegExp(text, 'u')
    patterns.set(text, pattern)
  }
  return pattern
}

function checkNumber(value: number, schema: OpenApiSchema, path: string, shown: string, problems: FieldError[]): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const say = (detail: string) =>
    problems.push(fieldErrors.invalid(path, value, `${shown} in body should be ${detail}`))
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
    say(exclusiveMaximum ? `less than ${maximum}` : `less than or equal to ${maximum}`)
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
    say(exclusiveMinimum ? `greater than ${minimum}` : `greater than or equal to ${minimum}`)
  if (multipleOf !== undefined && value % multipleOf !== 0) say(`a multiple of ${multipleOf}`)
}

function checkList(
  value: KubeJson[],
  schema: OpenApiSchema,
  path: string,
  shown: string,
  problems: FieldError[],
): void {
  const { minItems, maxItems, items } = schema
  if (maxItems !== undefined && value.length > maxItems)
    problems.push(fieldErrors.tooMany(path, value.length, maxItems))
  if (minItems !== undefined && value.length < minItems)
    problems.push(fieldErrors.invalid(path, value.length, `${shown} in body should have at least ${minItems} items`))
  if (items) for (const [n, each] of value.entries()) check(each, items, `${path}[${n}]`, `${shown}[${n}]`, problems)
}

function checkObject(
  value: KubeJsonObject,
  schema: OpenApiSchema,
  path: string,
  shown: string,
  problems: FieldError[],
): void {
  const { properties = {}, additionalProperties, required = [], minProperties, maxProperties } = schema
  for (const name of required) if (!Object.hasOwn(value, name)) problems.push(fieldErrors.required(join(path, name)))
  const count = Object.keys(value).length
  if (maxProperties !== undefined && count > maxProperties)
    problems.push(fieldErrors.tooMany(path, count, maxProperties))
  if (minProperties !== undefined && count < minProperties)
    problems.push(fieldErrors.invalid(path, count, `${shown} in body should have at least ${minProperties} properties`))
  for (const [name, each] of Object.entries(value)) {
    if (each === undefined) continue
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    const memberSchema = own ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
    // The server checks these itself.
    if (path === '' && ['apiVersion', 'kind', 'metadata'].includes(name)) continue
    if (memberSchema) check(each, memberSchema, join(path, name), join(shown, name), problems)
  }
}

function combine(value: KubeJson, schema: OpenApiSchema, path: string, shown: string, problems: FieldError[]): void {
  const fits = (each: OpenApiSchema) => {
    const found: FieldError[] = []
    check(value, each, path, shown, found)
    return found.length === 0
  }
  const say = (detail: string) =>
    problems.push(fieldErrors.invalid(path, null, `${shown} in body must validate ${detail}`))
  for (const each of schema.allOf ?? []) check(value, each, path, shown, problems)
  if (schema.anyOf && !schema.anyOf.some(fits)) say('at least one schema (anyOf)')
  if (schema.oneOf && schema.oneOf.filter(fits).length !== 1) say('one and only one schema (oneOf)')
  if (schema.not && fits(schema.not)) say('the schema (not)')
}

/** Checks for duplicates in lists that are sets, or maps by keys of their members. */
function repeats(value: KubeJson | undefined, schema: OpenApiSchema, path: string, problems: FieldError[]): void {
  if (Array.isArray(value)) {
    const seen = new Set<string>()
    const keys = schema['x-kubernetes-list-map-keys'] ?? []
    for (const [n, each] of value.entries()) {
      const identity = itemIdentity(each, schema['x-kubernetes-list-type'], keys)
      if (identity !== undefined && seen.has(identity)) problems.push(fieldErrors.duplicate(`${path}[${n}]`, identity))
      if (identity !== undefined) seen.add(identity)
      if (schema.items) repeats(each, schema.items, `${path}[${n}]`, problems)
    }
  } else if (isJsonObject(value))
    for (const [name, own] of Object.entries(schema.properties ?? {}))
      if (Object.hasOwn(value, name)) repeats(value[name], own, join(path, name), problems)
}

/** Formats a value like Go. */
function itemIdentity(
  value: KubeJson,
  type: OpenApiSchema['x-kubernetes-list-type'],
  keys: string[],
): string | undefined {
  if (type === 'set') return JSON.stringify(value)
  if (type !== 'map' || !isJsonObject(value)) return undefined
  return `map[string]interface {}{${keys.map((key) => `${quoteLikeGo(key)}:${JSON.stringify(value[key] ?? null)}`).join(', ')}}`
}

/** Compares with the previous state. Members of lists are compared if the list defines how to identify them. */
function immutable(
  value: KubeJson | undefined,
  previous: KubeJson | undefined,
  schema: OpenApiSchema,
  path: string,
  problems: FieldError[],
): void {
  if (value === undefined || previous === undefined) return
  for (const { rule, message, fieldPath } of schema['x-kubernetes-validations'] ?? []) {
    const parsed = parseRule(rule)
    const member = parsed?.member
    const pick = (each: KubeJson) => (member === undefined ? each : isJsonObject(each) ? each[member] : undefined)
    if (!parsed || isDeepStrictEqual(pick(value), pick(previous))) continue
    const shown = `Invalid value: ${quoteLikeGo(jsonSchemaType(value))}: ${message ?? `failed rule: ${rule}`}`
    problems.push({ reason: 'FieldValueInvalid', message: shown, field: path + (fieldPath ?? '') })
  }
  if (Array.isArray(value) && Array.isArray(previous)) {
    const { items } = schema
    const keys = schema['x-kubernetes-list-map-keys']
    if (!items || !keys) return
    const before = new Map(previous.map((each) => [itemIdentity(each, 'map', keys), each]))
    for (const [n, each] of value.entries())
      immutable(each, before.get(itemIdentity(each, 'map', keys)), items, `${path}[${n}]`, problems)
  } else if (isJsonObject(value) && isJsonObject(previous))
    for (const [name, own] of Object.entries(schema.properties ?? {}))
      if (Object.hasOwn(value, name) && Object.hasOwn(previous, name))
        immutable(value[name], previous[name], own, join(path, name), problems)
}
