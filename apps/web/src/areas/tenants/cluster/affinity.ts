const term = (tenant: string, pool: string) => ({
  labelSelector: {
    matchExpressions: [
      { key: 'v1.min.io/tenant', operator: 'In', values: [tenant] },
      { key: 'v1.min.io/pool', operator: 'In', values: [pool] },
    ],
  },
  topologyKey: 'kubernetes.io/hostname',
})

/** Places at most one server of a pool on each node. */
export function defaultAffinity(tenant: string, pool: string) {
  return { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(tenant, pool)] } }
}

/** Places servers only on nodes with all of these labels; with `spread` at most one server on each. */
export function nodeAffinity(
  labels: readonly { key: string; value: string }[],
  spread: { tenant: string; pool: string } | undefined,
) {
  const matchExpressions = labels.map(({ key, value }) => ({ key, operator: 'In', values: [value] }))
  return {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } },
    ...(spread ? defaultAffinity(spread.tenant, spread.pool) : {}),
  }
}
