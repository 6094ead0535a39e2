import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { tenantEndpoints } from './endpoints.ts'

export const SchemaField = z.object({
  name: z.string(),
  /** The OpenAPI type: `string`, `integer`, `object`, `array` …; empty if several are possible. */
  type: z.string(),
  description: z.string(),
  required: z.boolean(),
  /** The allowed values; empty for any. */
  values: listSchema(z.string()),
})
export type SchemaField = z.infer<typeof SchemaField>

export const tenantSchemaCalls = routes(tenantEndpoints, {
  listTenantFields: {
    summary: "The fields at a given path of the cluster's tenant definition",
    query: z.object({
      /** Field names separated by dots, without list indices: `spec.pools.resources`. Default: the top level. */
      path: z
        .string()
        .max(500)
        .regex(/^[\w-]*(\.[\w-]+)*$/, "should match '[\\w-]*(\\.[\\w-]+)*'")
        .optional(),
    }),
    response: z.object({
      /** False if the caller has no right to read the definition. */
      known: z.boolean(),
      fields: listSchema(SchemaField),
    }),
  },
})
