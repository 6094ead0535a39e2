import { z } from 'zod'
import { list, routes } from '../route.ts'
import { tenantEndpoints } from './endpoints.ts'

export const SchemaField = z.object({
  name: z.string(),
  /** As OpenAPI names it: `string`, `integer`, `object`, `array` …; empty where it can be several. */
  type: z.string(),
  description: z.string(),
  required: z.boolean(),
  /** The values that are allowed; empty: any. */
  values: list(z.string()),
})
export type SchemaField = z.infer<typeof SchemaField>

export const schemaCalls = routes(tenantEndpoints, {
  listTenantFields: {
    summary: "The fields that the cluster's definition of a tenant has at one place",
    query: z.object({
      /** Names of fields with points between them, without the numbers of lists: `spec.pools.resources`. Default: the top. */
      path: z
        .string()
        .max(500)
        .regex(/^[\w-]*(\.[\w-]+)*$/, "should match '[\\w-]*(\\.[\\w-]+)*'")
        .optional(),
    }),
    response: z.object({
      /** False where the caller may not read the definition. */
      known: z.boolean(),
      fields: list(SchemaField),
    }),
  },
})
