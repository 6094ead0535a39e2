import type { Input, Pool } from '@stowage/contract'
import { GiB } from '@stowage/contract/values/units'
import { type Message, msg, type Translate } from '../../../lib/text/i18n.ts'
import { defaultAffinity, nodeAffinity } from '../cluster/affinity.ts'
import { poolPlacement } from '../wizard/draft/draft-from-tenant.ts'
import { parseNodeLabels } from '../wizard/draft/tenant-draft.ts'

type PoolInput = Input<'setTenantPools'>['body']['pools'][number]

export const TOLERATION_OPERATORS = ['Equal', 'Exists'] as const
/** The empty one tolerates taints of every effect. */
export const TAINT_EFFECTS = ['', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const

/** A toleration as it is typed. */
export interface TolerationRow {
  key: string
  operator: string
  value: string
  effect: string
  seconds: string
}

export const newToleration: TolerationRow = { key: '', operator: 'Exists', value: '', effect: '', seconds: '' }

/** Returns the values of the form that edits a pool. Numbers are strings, as typed. */
export function poolValues(pool: Pool) {
  const gibibytes = (bytes: number | undefined) => (bytes ? String(bytes / GiB) : '')
  const { runAsUser, runAsGroup, fsGroup, runAsNonRoot, fsGroupChangePolicy } = pool.securityContext ?? {}
  const text = (value: unknown) => (value === undefined ? '' : String(value))
  return {
    memoryRequest: gibibytes(pool.resources?.requests?.memory),
    memoryLimit: gibibytes(pool.resources?.limits?.memory),
    placement: placementValues(pool),
    tolerations: pool.tolerations.map(
      ({ key, operator, value, effect, tolerationSeconds }): TolerationRow => ({
        key: text(key),
        operator: operator === 'Exists' ? 'Exists' : 'Equal',
        value: text(value),
        effect: text(effect),
        seconds: text(tolerationSeconds),
      }),
    ),
    hasContext: pool.securityContext !== undefined,
    runAsUser: text(runAsUser),
    runAsGroup: text(runAsGroup),
    fsGroup: text(fsGroup),
    fsGroupChangePolicy: text(fsGroupChangePolicy),
    runAsNonRoot: runAsNonRoot !== false,
    runtimeClassName: pool.runtimeClassName ?? '',
  }
}
export type PoolValues = ReturnType<typeof poolValues>

type Placement = ReturnType<typeof poolPlacement>
interface PlacementValues extends Omit<Placement, 'podAffinity'> {
  /** `own`: an affinity that the other choices cannot express, and that is kept. */
  podAffinity: Placement['podAffinity'] | 'own'
}

function placementValues(pool: Pool): PlacementValues {
  const placement = poolPlacement(pool)
  const isOwn =
    pool.affinity !== undefined && sortedJson(poolAffinity('', pool.name, placement)) !== sortedJson(pool.affinity)
  return isOwn ? { ...placement, podAffinity: 'own' } : placement
}

/** Returns JSON text with sorted keys, in which the name of the tenant is empty. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (name, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    const isTenant = name !== '' && 'key' in member && member.key === 'v1.min.io/tenant'
    const entries = Object.entries(isTenant ? { ...member, values: [''] } : member)
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

function poolAffinity(tenant: string, pool: string, placement: PlacementValues): PoolInput['affinity'] {
  const { podAffinity, withPodAntiAffinity, nodeSelectorLabels } = placement
  if (podAffinity === 'default') return defaultAffinity(tenant, pool)
  if (podAffinity !== 'nodeSelector') return null
  const labels = parseNodeLabels(nodeSelectorLabels).filter(({ key, value }) => key && value)
  return nodeAffinity(labels, withPodAntiAffinity ? { tenant, pool } : undefined)
}

const NUMBER = /^\d+$/
const AMOUNT = /^\d*\.?\d+$/
const RUNTIME_CLASS = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/

/** Returns the problems of the form by field. */
export function poolProblems(t: Translate, values: PoolValues): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {}
  for (const name of ['memoryRequest', 'memoryLimit'] as const)
    if (values[name] !== '' && !(AMOUNT.test(values[name]) && Number(values[name]) > 0))
      problems[name] = t('Enter a number greater than 0, or nothing')
  const [request, limit] = [Number(values.memoryRequest), Number(values.memoryLimit)]
  if (!problems.memoryLimit && limit > 0 && request > limit)
    problems.memoryLimit = t('The limit must not be less than the request')
  const { podAffinity, nodeSelectorLabels } = values.placement
  if (podAffinity === 'nodeSelector' && !parseNodeLabels(nodeSelectorLabels).some(({ key, value }) => key && value))
    problems.nodeSelectorLabels = t('You need to add at least one label key-pair')
  for (const [row, { key, operator, effect, seconds }] of values.tolerations.entries()) {
    if (key.trim() === '' && operator === 'Equal') problems[`key.${row}`] = t('Field cannot be empty')
    if (seconds === '') continue
    if (!NUMBER.test(seconds)) problems[`seconds.${row}`] = t('Enter a whole number')
    else if (effect !== 'NoExecute') problems[`seconds.${row}`] = t('Only for the effect NoExecute')
  }
  if (values.hasContext) {
    for (const name of ['runAsUser', 'runAsGroup'] as const)
      if (!NUMBER.test(values[name])) problems[name] = t('Enter a whole number')
    if (values.fsGroup !== '' && !NUMBER.test(values.fsGroup)) problems.fsGroup = t('Enter a whole number')
    if (values.runAsNonRoot && values.runAsUser === '0') problems.runAsUser = t('This is the root user')
  }
  if (values.runtimeClassName !== '' && !RUNTIME_CLASS.test(values.runtimeClassName))
    problems.runtimeClassName = t('Use lowercase letters, digits, "-" and "."')
  return problems
}

/** Returns what a request always has of a pool. The server keeps the values of all other fields. */
function unchangedPool({ name, servers, volumes_per_server, volume_configuration }: Pool): PoolInput {
  const { size, storage_class_name } = volume_configuration
  return { name, servers, volumes_per_server, volume_configuration: { size, storage_class_name } }
}

/** Returns the values of a pool as it is now, with the changes that were made to an earlier state. */
export function mergePoolValues(opened: PoolValues, values: PoolValues, now: PoolValues): PoolValues {
  const changes = Object.entries(values).filter(([field]) => isChanged(field as keyof PoolValues, opened, values))
  return { ...now, ...Object.fromEntries(changes) }
}

/** Returns all pools of a tenant, with new values for one of them. */
export function updatedPools(tenant: string, name: string, values: PoolValues, pools: readonly Pool[]): PoolInput[] {
  return pools.map((pool) => {
    const same = unchangedPool(pool)
    if (pool.name !== name) return same
    const now = poolValues(pool)
    const changed = (...fields: readonly (keyof PoolValues)[]) => fields.some((field) => isChanged(field, now, values))
    return {
      ...same,
      ...(changed('memoryRequest', 'memoryLimit') ? { resources: poolResources(pool, now, values) } : {}),
      ...(changed('placement') ? { affinity: poolAffinity(tenant, name, values.placement) } : {}),
      ...(changed('tolerations') ? { tolerations: values.tolerations.map(tolerationBody) } : {}),
      ...(changed(...SECURITY_CONTEXT_FIELDS) ? { securityContext: securityContextBody(values) } : {}),
      ...(changed('runtimeClassName') ? { runtimeClassName: values.runtimeClassName || null } : {}),
    }
  })
}

const SECURITY_CONTEXT_FIELDS = [
  'hasContext',
  'runAsUser',
  'runAsGroup',
  'fsGroup',
  'fsGroupChangePolicy',
  'runAsNonRoot',
] as const

function isChanged(field: keyof PoolValues, before: PoolValues, after: PoolValues): boolean {
  return JSON.stringify(before[field]) !== JSON.stringify(after[field])
}

/** Other amounts, such as cores, and the one that was not changed stay as they are now. */
function poolResources({ resources }: Pool, now: PoolValues, values: PoolValues): PoolInput['resources'] {
  const amounts = (before: Readonly<Record<string, number>> = {}, field: 'memoryRequest' | 'memoryLimit') => {
    if (!isChanged(field, now, values)) return before
    const { memory: _, ...others } = before
    return values[field] === '' ? others : { ...others, memory: Math.round(Number(values[field]) * GiB) }
  }
  return {
    requests: amounts(resources?.requests, 'memoryRequest'),
    limits: amounts(resources?.limits, 'memoryLimit'),
  }
}

function tolerationBody({ key, operator, value, effect, seconds }: TolerationRow) {
  return {
    ...(key.trim() === '' ? {} : { key: key.trim() }),
    operator,
    ...(operator === 'Exists' ? {} : { value }),
    ...(effect === '' ? {} : { effect }),
    ...(seconds === '' ? {} : { tolerationSeconds: { seconds: Number(seconds) } }),
  }
}

function securityContextBody(values: PoolValues): PoolInput['securityContext'] {
  if (!values.hasContext) return null
  const { runAsUser, runAsGroup, fsGroup, runAsNonRoot, fsGroupChangePolicy } = values
  return {
    runAsUser,
    runAsGroup,
    runAsNonRoot,
    ...(fsGroup === '' ? {} : { fsGroup }),
    ...(fsGroupChangePolicy === 'Always' || fsGroupChangePolicy === 'OnRootMismatch' ? { fsGroupChangePolicy } : {}),
  }
}

const LABELS: Readonly<Record<keyof PoolValues, Message>> = {
  memoryRequest: msg('Memory Request (Gi)'),
  memoryLimit: msg('Memory Limit (Gi)'),
  placement: msg('Pod Affinity'),
  tolerations: msg('Tolerations'),
  hasContext: msg('Security Context'),
  runAsUser: msg('Run As User'),
  runAsGroup: msg('Run As Group'),
  fsGroup: msg('FsGroup'),
  fsGroupChangePolicy: msg('FsGroupChangePolicy'),
  runAsNonRoot: msg('Do not run as Root'),
  runtimeClassName: msg('Runtime Class'),
}

/** A field whose value in the form differs from that of the pool as it is now. */
export interface PoolDifference {
  label: Message
  /** The user's value; empty if the user has not changed the field. */
  yours: string
  theirs: string
}

/** Returns the fields that differ between the form and the pool as it is now. */
export function poolDifferences(
  t: Translate,
  opened: PoolValues,
  values: PoolValues,
  now: PoolValues,
): PoolDifference[] {
  return (Object.keys(LABELS) as (keyof PoolValues)[])
    .filter((field) => isChanged(field, values, now))
    .map((field) => ({
      label: LABELS[field],
      yours: isChanged(field, opened, values) ? fieldText(t, values[field]) : '',
      theirs: fieldText(t, now[field]),
    }))
}

export const PLACEMENT_LABELS: Readonly<Record<PlacementValues['podAffinity'], Message>> = {
  none: msg('None'),
  default: msg('Default (Pod Anti-Affinity)'),
  nodeSelector: msg('Node Selector'),
  own: msg('Keep its own affinity'),
}

function fieldText(t: Translate, value: PoolValues[keyof PoolValues]): string {
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (typeof value === 'string') return value || t('None')
  if ('podAffinity' in value) {
    const { podAffinity, nodeSelectorLabels } = value
    return podAffinity === 'nodeSelector'
      ? `${t(PLACEMENT_LABELS[podAffinity])}: ${nodeSelectorLabels}`
      : t(PLACEMENT_LABELS[podAffinity])
  }
  const rows = value.map(({ key, operator, value: text, effect, seconds }) =>
    [operator === 'Exists' ? key : `${key}=${text}`, effect, seconds].filter(Boolean).join(' '),
  )
  return rows.join(', ') || t('None')
}
