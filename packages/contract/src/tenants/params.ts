import { z } from 'zod'
import { namespacesIn } from './namespaces.ts'

/** Kubernetes names, validated like its API server does, so that no other text gets into a path or a host name. */
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** The name of a namespace. */
export const NamespaceName = z.string().max(63).regex(LABEL, `should match '${LABEL.source}'`)
/** The name of a tenant, pool, claim or most other objects. */
export const ObjectName = z.string().max(253).regex(SUBDOMAIN, `should match '${SUBDOMAIN.source}'`)

export const inNamespace = z.object({ namespace: NamespaceName })
export const ofTenant = z.object({ namespace: NamespaceName, tenant: ObjectName })
export const ofPod = z.object({ namespace: NamespaceName, tenant: ObjectName, pod: ObjectName })
export const ofVolume = z.object({ namespace: NamespaceName, tenant: ObjectName, volume: ObjectName })

/** The most namespaces that one call reads. */
export const MAX_NAMESPACES = 100

/** Names of namespaces in one text, separated by commas. */
export const Namespaces = z
  .string()
  .max(10_000)
  .transform((text) => [...new Set(namespacesIn(text))])
  .pipe(z.array(NamespaceName).min(1).max(MAX_NAMESPACES))
