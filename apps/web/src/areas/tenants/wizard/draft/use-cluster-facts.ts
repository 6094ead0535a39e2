import { useDebouncedValue } from '@mantine/hooks'
import type { FormerTenant } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type ApiFailure, asFailure } from '../../../../lib/api/api.ts'
import { q } from '../../../../lib/api/query.ts'
import { toast } from '../../../../lib/feedback/toast.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { storageClassesQuery } from '../../cluster/storage-classes.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import type { TenantDraft } from './tenant-draft.ts'

/** Delay between the last keystroke and the check of the namespace (ms). */
const TYPING_MS = 500
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/**
 * Returns information of the cluster about a draft. Each input has its own query, so a late response cannot be taken for a
 * newer one.
 */
export function useClusterFacts(
  draft: TenantDraft,
): ClusterFacts & { lookupError: ApiFailure | undefined; former: FormerTenant | undefined } {
  const t = useT()
  const typed = draft.nameTenant.namespace.trim()
  const [namespace] = useDebouncedValue(typed, TYPING_MS)
  const isName = NAMESPACE.test(namespace)
  const settled = namespace === typed
  const tenants = useQuery({
    ...q('listNamespaceTenants', { params: { namespace } }),
    enabled: isName,
    retry: false,
    staleTime: 0,
  })
  const isFree = tenants.data?.tenants.length === 0
  const classes = useQuery({ ...storageClassesQuery(namespace), enabled: isName && isFree })
  // Without the right to list volumes there is no hint.
  const former = useQuery({
    ...q('listFormerTenants', { query: { namespaces: namespace } }),
    enabled: isName && isFree,
    retry: false,
    select: (answer) => answer.tenants.find(({ tenant }) => tenant === draft.nameTenant.tenantName),
  })
  useEffect(() => {
    if (tenants.error)
      toast.error(t('Error validating if namespace already has tenants'), asFailure(tenants.error).detailedError)
  }, [tenants.error, t])

  const servers = Number(draft.tenantSize.nodes)
  const memory = useQuery({
    ...q('getMaxAllocatableMemory', { query: { num_nodes: servers } }),
    enabled: Number.isInteger(servers) && servers >= 1,
    retry: false,
  })
  const nodes = useQuery({ ...q('listNodes', {}), retry: false })
  const invalid = t('Please enter a valid namespace')
  const problem = () => {
    if (!settled) return undefined
    if (!isName) return invalid
    if (tenants.isError) return invalid
    if (tenants.data === undefined) return undefined
    if (!isFree) return t('You can only create one tenant per namespace')
    if (classes.isError) return invalid
    return classes.data === undefined ? undefined : ''
  }
  return {
    namespace: problem(),
    former: settled ? former.data : undefined,
    lookupError: settled && isFree && classes.isError ? asFailure(classes.error) : undefined,
    classes: settled ? (classes.data ?? []) : [],
    memory: memory.data?.max_memory,
    nodes: nodes.data?.nodes,
    memoryProblem: memory.isError ? asFailure(memory.error).errorMessage : '',
  }
}
