import type { SpecDifference } from '@stowage/contract'
import { compareQuantities, parseQuantity } from '@stowage/contract/values/quantity'
import { POOL_LABEL, type SavedKubeObject, type TenantObject, type TenantPool, type TenantSpec } from '@stowage/kube'
import type { StatefulSet } from 'kubernetes-types/apps/v1'
import type { Container, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'

/** The objects of a tenant in the cluster; undefined for those that the caller has no right to read. */
export interface TenantClusterObjects {
  sets: readonly SavedKubeObject<StatefulSet>[] | undefined
  pods: readonly SavedKubeObject<Pod>[] | undefined
  claims: readonly SavedKubeObject<PersistentVolumeClaim>[] | undefined
  /** The keys of each secret that the tenant refers to; `missing` if the secret does not exist. */
  secrets: ReadonlyMap<string, readonly string[] | 'missing'>
  /** The variables in secrets of the tenant, as far as the caller may read them; they set the same variables as `env`. */
  variables?: readonly SecretVariables[]
}

/** Variables that a secret sets. */
export interface SecretVariables {
  /** Name of the secret. */
  name: string
  variables: Readonly<Record<string, string>>
}

/** A secret that a tenant refers to, and the keys that its operator reads. */
export interface SecretReference {
  name: string
  keys: readonly string[]
}

/** The secrets that a tenant refers to. */
export function referencedSecrets(spec: TenantSpec): SecretReference[] {
  const certificate = ({ name, type }: { name: string; type?: string }) => ({
    name,
    keys: type === undefined || type === '' ? ['public.crt', 'private.key'] : certificateKeys(type),
  })
  const plain = ({ name }: { name: string }) => ({ name, keys: [] })
  const found: SecretReference[] = [
    ...[spec.configuration].flatMap((each) => (each?.name ? [{ name: each.name, keys: ['config.env'] }] : [])),
    ...[spec.imagePullSecret].flatMap((each) => (each?.name ? [{ name: each.name, keys: ['.dockerconfigjson'] }] : [])),
    ...[spec.credsSecret, ...(spec.users ?? []), spec.kes?.clientCertSecret, spec.externalClientCertSecret].flatMap(
      (each) => (each?.name ? [plain({ name: each.name })] : []),
    ),
    ...(spec.externalCertSecret ?? []).map(certificate),
    ...(spec.externalCaCertSecret ?? []).map(plain),
    ...(spec.externalClientCertSecrets ?? []).map(plain),
    ...[spec.kes?.externalCertSecret].flatMap((each) => (each ? [certificate(each)] : [])),
    ...[spec.kes?.kesSecret].flatMap((each) => (each?.name ? [{ name: each.name, keys: ['server-config.yaml'] }] : [])),
  ]
  return [...new Map(found.map((each) => [each.name, each])).values()]
}

/** Secrets of Kubernetes and cert-manager have these keys; opaque ones have the names that MinIO uses. */
function certificateKeys(type: string): string[] {
  return type === 'Opaque' ? ['public.crt', 'private.key'] : ['tls.crt', 'tls.key']
}

/**
 * Returns the differences between a tenant and the cluster. Values of variables are compared, but not part of the result: it names
 * the variable only.
 */
export function tenantDrift({ metadata, spec }: TenantObject, parts: TenantClusterObjects): SpecDifference[] {
  if (!spec) return []
  const pools = spec.pools.map((pool, index) => ({ pool, set: `${metadata?.name}-${pool.name || `ss-${index}`}` }))
  return [
    ...(parts.sets ? setsDrift(pools, spec, parts.sets) : []),
    ...(parts.pods ? podsDrift(pools, spec.image, parts.pods, parts.sets ?? []) : []),
    ...(parts.claims && parts.sets ? claimsDrift(pools, parts.claims, parts.sets) : []),
    ...referencedSecrets(spec).flatMap((secret) => secretDrift(secret, parts.secrets)),
    ...variablesDrift(spec, parts.variables ?? []),
  ]
}

/**
 * Finds variables that several sources set to different values. The last source counts: `env` of the tenant, then its credentials,
 * then its configuration.
 */
function variablesDrift({ env = [] }: TenantSpec, secrets: readonly SecretVariables[]): SpecDifference[] {
  const wanted = new Map<string, string>()
  for (const { name, value } of env) if (value !== undefined) wanted.set(name, value)
  return secrets.flatMap(({ name: secret, variables }) =>
    Object.entries(variables).flatMap(([name, value]) => {
      const before = wanted.get(name)
      wanted.set(name, value)
      return before === undefined || before === value ? [] : [reporter('Secret', secret)('variable', name, name)]
    }),
  )
}

interface PoolSet {
  pool: TenantPool
  /** Name of the pool's StatefulSet. */
  set: string
}

type Report = (field: SpecDifference['field'], wanted?: unknown, found?: unknown) => SpecDifference

const reporter =
  (kind: SpecDifference['kind'], name: string): Report =>
  (field, wanted = '', found = '') => ({ kind, name, field, wanted: String(wanted), found: String(found) })

const serverContainer = (containers: readonly Container[] | undefined) =>
  containers?.find(({ name }) => name === 'minio') ?? containers?.[0]

function setsDrift(pools: readonly PoolSet[], spec: TenantSpec, sets: readonly SavedKubeObject<StatefulSet>[]) {
  const surplus = sets
    .filter(({ metadata }) => metadata.labels?.[POOL_LABEL] && !pools.some(({ set }) => set === metadata.name))
    .map(({ metadata }) => reporter('StatefulSet', metadata.name)('surplus'))
  const others = pools.flatMap(({ pool, set }) => {
    const report = reporter('StatefulSet', set)
    const found = sets.find(({ metadata }) => metadata.name === set)
    return found ? setDrift(pool, spec, found, report) : [report('missing')]
  })
  return [...others, ...surplus]
}

function setDrift(
  pool: TenantPool,
  { image, env = [] }: TenantSpec,
  { spec }: StatefulSet,
  report: Report,
): SpecDifference[] {
  const container = serverContainer(spec?.template.spec?.containers)
  const templates = spec?.volumeClaimTemplates ?? []
  const wantedClaim = pool.volumeClaimTemplate?.spec
  const foundClaim = templates[0]?.spec
  const amounts = ['memory', 'cpu'] as const
  const set = new Map(container?.env?.map(({ name, value }) => [name, value]))
  // Values from secrets and fields are filled in when a pod starts. Newer operators keep variables out of the StatefulSet.
  const literal = env.filter((each) => each.value !== undefined && !each.valueFrom)
  return [
    ...(spec?.replicas !== pool.servers ? [report('replicas', pool.servers, spec?.replicas ?? 0)] : []),
    ...(image && container?.image !== image ? [report('image', image, container?.image)] : []),
    ...(templates.length !== pool.volumesPerServer ? [report('drives', pool.volumesPerServer, templates.length)] : []),
    ...quantityDrift(
      'size',
      wantedClaim?.resources?.requests?.storage,
      foundClaim?.resources?.requests?.storage,
      report,
    ),
    ...(wantedClaim?.storageClassName && foundClaim && foundClaim.storageClassName !== wantedClaim.storageClassName
      ? [report('storage-class', wantedClaim.storageClassName, foundClaim.storageClassName)]
      : []),
    ...amounts.flatMap((name) =>
      quantityDrift(name, pool.resources?.requests?.[name], container?.resources?.requests?.[name], report),
    ),
    ...literal
      .filter(({ name, value }) => set.has(name) && set.get(name) !== value)
      .map(({ name }) => report('variable', name, name)),
  ]
}

/** Compares quantities by value: `1Gi` and `1073741824` are equal. */
function quantityDrift(
  field: SpecDifference['field'],
  wanted: string | undefined,
  found: string | undefined,
  report: Report,
) {
  const [one, other] = [wanted, found].map((text) => (text === undefined ? undefined : parseQuantity(text)))
  // The API server refuses an invalid quantity.
  if (!one || (other && compareQuantities(one, other) === 0)) return []
  return [report(field, wanted, found)]
}

function podsDrift(
  pools: readonly PoolSet[],
  image: string | undefined,
  pods: readonly SavedKubeObject<Pod>[],
  sets: readonly SavedKubeObject<StatefulSet>[],
): SpecDifference[] {
  const wanted = pools.flatMap(({ pool, set }) =>
    Array.from({ length: pool.servers }, (_, n) => ({ set, name: `${set}-${n}` })),
  )
  const surplus = pods
    .filter(({ metadata }) => metadata.labels?.[POOL_LABEL] && !wanted.some(({ name }) => name === metadata.name))
    .map(({ metadata }) => reporter('Pod', metadata.name)('surplus'))
  const others = wanted.flatMap(({ set, name }) => {
    const report = reporter('Pod', name)
    const pod = pods.find(({ metadata }) => metadata.name === name)
    if (!pod) return [report('missing')]
    const found = serverContainer(pod.spec?.containers)?.image
    const isReady = pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
    const revision = sets.find(({ metadata }) => metadata.name === set)?.status?.updateRevision
    const runs = pod.metadata.labels?.['controller-revision-hash']
    return [
      ...(image && found !== image ? [report('image', image, found)] : []),
      ...(isReady ? [] : [report('ready', 'Ready', pod.status?.phase ?? 'Unknown')]),
      ...(revision && runs && revision !== runs ? [report('revision', revision, runs)] : []),
    ]
  })
  return [...others, ...surplus]
}

/** The names of volumes are derived from the templates of the StatefulSet. */
function claimsDrift(
  pools: readonly PoolSet[],
  claims: readonly SavedKubeObject<PersistentVolumeClaim>[],
  sets: readonly SavedKubeObject<StatefulSet>[],
): SpecDifference[] {
  const wanted = pools.flatMap(({ pool, set }) => {
    const templates = sets.find(({ metadata }) => metadata.name === set)?.spec?.volumeClaimTemplates ?? []
    const size = pool.volumeClaimTemplate?.spec?.resources?.requests?.storage
    return Array.from({ length: pool.servers }, (_, n) => n).flatMap((n) =>
      templates.map(({ metadata }) => ({ name: `${metadata?.name}-${set}-${n}`, size })),
    )
  })
  const names = new Set(wanted.map(({ name }) => name))
  const surplus = claims
    .filter(({ metadata }) => !names.has(metadata.name) && pools.length > 0)
    .map(({ metadata }) => reporter('PersistentVolumeClaim', metadata.name)('surplus'))
  const others = wanted.flatMap(({ name, size }) => {
    const report = reporter('PersistentVolumeClaim', name)
    const claim = claims.find(({ metadata }) => metadata.name === name)
    return claim ? quantityDrift('size', size, claim.spec?.resources?.requests?.storage, report) : [report('missing')]
  })
  return [...others, ...surplus]
}

function secretDrift({ name, keys }: SecretReference, secrets: TenantClusterObjects['secrets']): SpecDifference[] {
  const found = secrets.get(name)
  const report = reporter('Secret', name)
  if (found === undefined) return []
  if (found === 'missing') return [report('missing')]
  const lacking = keys.filter((key) => !found.includes(key))
  return lacking.length === 0 ? [] : [report('keys', keys.join(', '), found.join(', '))]
}
