import type { SchemaField } from '@stowage/contract'
import { tenantSchemaCalls } from '@stowage/contract/tenants/tenant-schema'
import { type Kube, KubeError, resources } from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import { serveOperator } from '../../../lib/http/serve.ts'

/** The parts of an OpenAPI schema that are used here. */
export interface FieldSchema {
  type?: string
  description?: string
  properties?: Record<string, FieldSchema>
  items?: FieldSchema
  required?: string[]
  enum?: unknown[]
}

export function tenantSchemaRoutes(app: FastifyInstance): void {
  serveOperator(app, tenantSchemaCalls.listTenantFields, async ({ query }, { kube, signal }) => {
    const schema = await tenantSchema(kube, signal)
    return { known: schema !== undefined, fields: schema ? schemaFieldsAt(schema, query.path ?? '') : [] }
  })
}

/** Returns the cluster's definition of a tenant; undefined if the caller has no right to read it, or it has no schema. */
export async function tenantSchema(kube: Kube, signal?: AbortSignal): Promise<FieldSchema | undefined> {
  const at = { name: 'tenants.minio.min.io' }
  try {
    const { spec } = await kube.get(resources.customResourceDefinitions, at, signal ? { signal } : {})
    const version = spec?.versions.find(({ name }) => name === 'v2')
    return version?.schema?.openAPIV3Schema as FieldSchema | undefined
  } catch (error) {
    if (error instanceof KubeError && (error.code === 'Forbidden' || error.code === 'NotFound')) return undefined
    throw error
  }
}

/** Returns the fields below a path, by name; none if the schema does not have the path. */
export function schemaFieldsAt(schema: FieldSchema, path: string): SchemaField[] {
  let found: FieldSchema | undefined = schema
  for (const name of path.split('.').filter(Boolean)) {
    const { properties } = itemSchema(found)
    found = properties && Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!found) return []
  }
  const { properties = {}, required = [] } = itemSchema(found)
  return Object.entries(properties)
    .map(([name, field]) => ({
      name,
      type: field.type ?? '',
      description: field.description ?? '',
      required: required.includes(name),
      values: (field.enum ?? []).map(String),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns the schema of a list's items, or the schema itself. */
const itemSchema = (schema: FieldSchema): FieldSchema => schema.items ?? schema
