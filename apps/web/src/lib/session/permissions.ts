import { type Endpoint, endpoints, type IamAction, type Operation, type Output } from '@stowage/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { q } from '../api/query.ts'

/** An action that some call of the console needs. */
export type ConsoleAction = (typeof endpoints)[Operation]['actions'][number]

/** The resource of a permission check: none, a bucket, or everything below a prefix of it. */
export interface Scope {
  bucket?: string | undefined
  prefix?: string | undefined
}

/** Reports whether the caller may perform an action; undefined while that is loading. */
export type May = (action: ConsoleAction) => boolean | undefined

/** All actions of the contract, checked in one call, so that all controls of a page share its result. */
const all = [...new Set(Object.values<Endpoint>(endpoints).flatMap(({ actions }) => actions))]
/** How long results are cached (ms). Policies change rarely, and the server checks every call anyway. */
const KEPT_MS = 60_000
/** The maximum number of checks in one call. */
const MAX_CHECKS = 1000

/**
 * Returns what the caller's policies allow. If the check fails, everything counts as allowed, because the server decides
 * anyway. A prefix is checked only for actions whose result depends on the key.
 */
export function useMay({ bucket, prefix }: Scope = {}): May {
  const wide = useQuery(asking(all.map((action) => ({ action, bucket }))))
  const open = all.filter((action) => wide.data && !wide.data.get(idOf({ action, bucket }))?.sure)
  const narrow = useQuery({
    ...asking(open.map((action) => ({ action, bucket, prefix }))),
    enabled: prefix !== undefined && open.length > 0,
  })
  return (action) => {
    if (wide.isError) return true
    return (narrow.data?.get(idOf({ action, bucket, prefix })) ?? wide.data?.get(idOf({ action, bucket })))?.can
  }
}

/** Checks one action in many buckets. The buckets are checked individually only if their results can differ. */
export function useMayIn(action: ConsoleAction, buckets: readonly string[]): (bucket: string) => boolean | undefined {
  const wide = useQuery(asking(all.map((one) => ({ action: one }))))
  const answer = wide.data?.get(idOf({ action }))
  const asked = answer && !answer.sure ? buckets : []
  const slices = Array.from({ length: Math.ceil(asked.length / MAX_CHECKS) }, (_, i) =>
    asked.slice(i * MAX_CHECKS, (i + 1) * MAX_CHECKS),
  )
  const each = useQueries({
    queries: slices.map((slice) => asking(slice.map((bucket) => ({ action, bucket })))),
    combine: together,
  })
  return (bucket) => (wide.isError ? true : answer?.sure ? answer.can : each.get(idOf({ action, bucket }))?.can)
}

const together = (slices: readonly { data?: ReadonlyMap<string, Answer> | undefined }[]) =>
  new Map(slices.flatMap(({ data }) => [...(data ?? [])]))

/** Returns how the caller's policies decide about an action, statement by statement; undefined while loading. */
export function useVerdict(action: ConsoleAction, scope: Scope) {
  const { data } = useQuery(q('hasPermission', { body: { actions: [onWire({ action, ...scope })], explain: true } }))
  return data?.permissions[0]?.why
}

interface Question extends Scope {
  action: IamAction
}

/** Identifies a check, to match results to checks. */
const idOf = ({ action, bucket = '', prefix = '' }: Question) => `${action} ${bucket}/${prefix}`

/** Converts a check to its form in the call. Actions on the server itself have no bucket. */
function onWire(question: Question) {
  const { action, bucket, prefix } = question
  const where = bucket !== undefined && action.startsWith('s3:') ? { bucket_name: bucket } : undefined
  return { id: idOf(question), action, ...where, ...(where && prefix !== undefined ? { prefix } : {}) }
}

function asking(questions: Question[]) {
  return { ...q('hasPermission', { body: { actions: questions.map(onWire) } }), select: byId, staleTime: KEPT_MS }
}

type Answer = Output<'hasPermission'>['permissions'][number]
/** A stable function, so that React Query computes the map only once for each result. */
const byId = ({ permissions }: Output<'hasPermission'>) => new Map(permissions.map((answer) => [answer.id, answer]))
