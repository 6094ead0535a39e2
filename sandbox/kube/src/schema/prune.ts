import { isJsonObject, type KubeJson, type KubeJsonObject } from '../object/json.ts'
import type { OpenApiSchema } from './schema.ts'

/**
 * Drops fields that a schema does not have, and nulls that it does not allow; then fills in defaults.
 * @returns the paths of unknown fields
 */
export function pruneUnknownFields(object: KubeJsonObject, schema: OpenApiSchema, path = ''): string[] {
  const unknown: string[] = []
  pruneObject(object, schema, path, unknown)
  fill(object, schema)
  return unknown
}

function pruneObject(object: KubeJsonObject, schema: OpenApiSchema, path: string, unknown: string[]): void {
  const keeps = schema['x-kubernetes-preserve-unknown-fields'] === true
  const others = schema.additionalProperties
  for (const [name, value] of Object.entries(object)) {
    const at = path === '' ? name : `${path}.${name}`
    const known = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    const own = known ?? (typeof others === 'object' ? others : undefined)
    const isTypeMeta = schema['x-kubernetes-embedded-resource'] && ['apiVersion', 'kind', 'metadata'].includes(name)
    if (own) pruneValue(value, own, at, unknown)
    else if (!keeps && others !== true && !isTypeMeta) {
      unknown.push(at)
      delete object[name]
    }
  }
}

function pruneValue(value: KubeJson | undefined, schema: OpenApiSchema, path: string, unknown: string[]): void {
  if (Array.isArray(value)) {
    if (schema.items) for (const [n, each] of value.entries()) pruneValue(each, schema.items, `${path}[${n}]`, unknown)
  } else if (isJsonObject(value)) pruneObject(value, schema, path, unknown)
}

function fill(value: KubeJson | undefined, schema: OpenApiSchema): void {
  if (Array.isArray(value)) {
    if (schema.items) for (const each of value) fill(each, schema.items)
    return
  }
  if (!isJsonObject(value)) return
  for (const [name, own] of Object.entries(schema.properties ?? {})) {
    if (Object.hasOwn(value, name) && value[name] === null && !own.nullable) delete value[name]
    if (!Object.hasOwn(value, name) && own.default !== undefined) value[name] = structuredClone(own.default)
    if (Object.hasOwn(value, name)) fill(value[name], own)
  }
  if (typeof schema.additionalProperties === 'object')
    for (const [name, each] of Object.entries(value))
      if (!schema.properties || !Object.hasOwn(schema.properties, name)) fill(each, schema.additionalProperties)
}
