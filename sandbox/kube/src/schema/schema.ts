import type { KubeJson } from '../object/json.ts'

/** A structural schema of a CustomResourceDefinition. */
export interface OpenApiSchema {
  type?: string
  format?: string
  nullable?: boolean
  default?: KubeJson
  enum?: KubeJson[]
  properties?: Record<string, OpenApiSchema>
  additionalProperties?: OpenApiSchema | boolean
  items?: OpenApiSchema
  required?: string[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: boolean
  exclusiveMaximum?: boolean
  multipleOf?: number
  minItems?: number
  maxItems?: number
  minProperties?: number
  maxProperties?: number
  allOf?: OpenApiSchema[]
  anyOf?: OpenApiSchema[]
  oneOf?: OpenApiSchema[]
  not?: OpenApiSchema
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-embedded-resource'?: boolean
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  'x-kubernetes-list-map-keys'?: string[]
  'x-kubernetes-map-type'?: 'atomic' | 'granular'
  'x-kubernetes-validations'?: ValidationRule[]
}

export interface ValidationRule {
  rule: string
  message?: string
  fieldPath?: string
  reason?: string
}

/** Members of a schema that do not restrict values. */
const NOTES = new Set([
  'description',
  'title',
  'example',
  'externalDocs',
  'id',
  '$schema',
  'x-kubernetes-group-version-kind',
])
const KNOWN = new Set([
  ...['type', 'format', 'nullable', 'default', 'enum', 'properties', 'additionalProperties', 'items', 'required'],
  ...['pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties', 'allOf', 'anyOf', 'oneOf', 'not'],
  ...['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-int-or-string', 'x-kubernetes-embedded-resource'],
  ...['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type', 'x-kubernetes-validations'],
])

export function unknownWords(schema: object): string[] {
  return Object.keys(schema).filter((word) => !KNOWN.has(word) && !NOTES.has(word))
}

/** A rule that a value must not change: the value itself, or one member of it. */
export interface ImmutableRule {
  readonly member: string | undefined
}

/** Parses a rule in CEL. The sandbox supports rules that make something immutable, and refuses definitions with others. */
export function parseRule(rule: string): ImmutableRule | undefined {
  const [match, left, right] = /^\s*self(?:\.(\w+))?\s*==\s*oldSelf(?:\.(\w+))?\s*$/.exec(rule) ?? []
  return match !== undefined && left === right ? { member: left } : undefined
}

/** Yields every schema within a schema, with its path in the definition. */
export function* walkSchema(schema: OpenApiSchema, path: string): Generator<[OpenApiSchema, string]> {
  yield [schema, path]
  for (const [name, each] of Object.entries(schema.properties ?? {}))
    yield* walkSchema(each, `${path}.properties[${name}]`)
  if (typeof schema.additionalProperties === 'object')
    yield* walkSchema(schema.additionalProperties, `${path}.additionalProperties`)
  if (schema.items) yield* walkSchema(schema.items, `${path}.items`)
}
