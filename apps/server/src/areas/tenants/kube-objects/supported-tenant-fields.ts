import type { Kube } from '@stowage/kube'
import { tenantSchema } from './tenant-schema.ts'

/** Fields of a tenant in the cluster's definition, which differ between versions of the operator. */
export interface SupportedTenantFields {
  logSearch: boolean
  prometheus: boolean
  credsSecret: boolean
  configuration: boolean
  buckets: boolean
}

const ALL_FIELDS: SupportedTenantFields = {
  logSearch: true,
  prometheus: true,
  credsSecret: true,
  configuration: true,
  buckets: true,
}

/** Reads the resource definition. Without the right to read it, every field is sent; the API server drops unknown ones. */
export async function readSupportedTenantFields(kube: Kube, signal?: AbortSignal): Promise<SupportedTenantFields> {
  const schema = await tenantSchema(kube, signal)
  const fields = schema?.properties?.spec?.properties
  if (!fields) return ALL_FIELDS
  const has = (name: string) => Object.hasOwn(fields, name)
  return {
    logSearch: has('log'),
    prometheus: has('prometheus'),
    credsSecret: has('credsSecret'),
    configuration: has('configuration'),
    buckets: has('buckets'),
  }
}
