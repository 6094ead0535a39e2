import { z } from 'zod'
import { parseNamespaces } from './parse-namespaces.ts'

/** Kubernetes names, validated like its API server does, so that no other text gets into a path or a host name. */
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** The name of a namespace. */
export const NamespaceName = z.string().max(63).regex(LABEL, `should match '${LABEL.source}'`)
/** The name of a tenant, pool, claim or most other objects. */
export const SubdomainName = z.string().max(253).regex(SUBDOMAIN, `should match '${SUBDOMAIN.source}'`)

export const namespaceParams = z.object({ namespace: NamespaceName })
export const tenantParams = z.object({ namespace: NamespaceName, tenant: SubdomainName })
export const podParams = z.object({ namespace: NamespaceName, tenant: SubdomainName, pod: SubdomainName })
export const volumeParams = z.object({ namespace: NamespaceName, tenant: SubdomainName, volume: SubdomainName })

/** The most namespaces that one call reads. */
export const MAX_NAMESPACES = 100

/** Names of namespaces in one text, separated by commas. */
export const namespacesQuery = z
  .string()
  .max(10_000)
  .transform((text) => [...new Set(parseNamespaces(text))])
  .pipe(z.array(NamespaceName).min(1).max(MAX_NAMESPACES))
