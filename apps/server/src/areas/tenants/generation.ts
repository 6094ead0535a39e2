import type { Kube } from '@stowage/kube'
import { tenantSchema } from './schema.ts'

/** What the cluster's definition of a tenant has, which differs between the operator's versions. */
export interface Generation {
  logSearch: boolean
  prometheus: boolean
  credsSecret: boolean
  configuration: boolean
}

const EVERYTHING: Generation = { logSearch: true, prometheus: true, credsSecret: true, configuration: true }

/**
 * Reads the resource definition. A caller who may not read it sends every field; the API server drops those that it
 * does not know.
 */
export async function generationOf(kube: Kube, signal?: AbortSignal): Promise<Generation> {
  const schema = await tenantSchema(kube, signal)
  const fields = schema?.properties?.spec?.properties
  if (!fields) return EVERYTHING
  const has = (name: string) => Object.hasOwn(fields, name)
  return {
    logSearch: has('log'),
    prometheus: has('prometheus'),
    credsSecret: has('credsSecret'),
    configuration: has('configuration'),
  }
}
