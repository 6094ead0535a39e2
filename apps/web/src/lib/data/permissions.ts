import { type Endpoint, endpoints, type Operation, type Output } from '@stowage/contract'
import type { ActionName } from '@stowage/iam-policy'
import { useQueries, useQuery } from '@tanstack/react-query'
import { q } from '../api/query.ts'

/** An action that some call of the console needs. */
export type ConsoleAction = (typeof endpoints)[Operation]['actions'][number]

/** The resource of a permission check: none, a bucket, or everything below a prefix of it. */
export interface PermissionScope {
  bucket?: string | undefined
  prefix?: string | undefined
}

/** Reports whether the caller may perform an action; undefined while that is loading. */
export type PermissionCheck = (action: ConsoleAction) => boolean | undefined

/** All actions of the contract, checked in one call, so that all controls of a page share its result. */
const ALL_ACTIONS = [...new Set(Object.values<Endpoint>(endpoints).flatMap(({ actions }) => actions))]
/** How long results are cached (ms). Policies change rarely, and the server checks every call anyway. */
const KEPT_MS = 60_000
/** The maximum number of checks in one call. */
const MAX_CHECKS = 1000

/**
 * Returns what the caller's policies allow. If the check fails, everything counts as allowed, because the server decides
 * anyway. A prefix is checked only for actions whose result depends on the key.
 */
export function usePermissions({ bucket, prefix }: PermissionScope = {}): PermissionCheck {
  const wide = useQuery(permissionsQuery(ALL_ACTIONS.map((action) => ({ action, bucket }))))
  const open = ALL_ACTIONS.filter((action) => wide.data && !wide.data.get(questionId({ action, bucket }))?.sure)
  const narrow = useQuery({
    ...permissionsQuery(open.map((action) => ({ action, bucket, prefix }))),
    enabled: prefix !== undefined && open.length > 0,
  })
  return (action) => {
    if (wide.isError) return true
    return (narrow.data?.get(questionId({ action, bucket, prefix })) ?? wide.data?.get(questionId({ action, bucket })))
      ?.can
  }
}

/** Checks one action in many buckets. The buckets are checked individually only if their results can differ. */
export function useBucketPermissions(
  action: ConsoleAction,
  buckets: readonly string[],
): (bucket: string) => boolean | undefined {
  const wide = useQuery(permissionsQuery(ALL_ACTIONS.map((one) => ({ action: one }))))
  const answer = wide.data?.get(questionId({ action }))
  const asked = answer && !answer.sure ? buckets : []
  const slices = Array.from({ length: Math.ceil(asked.length / MAX_CHECKS) }, (_, i) =>
    asked.slice(i * MAX_CHECKS, (i + 1) * MAX_CHECKS),
  )
  const each = useQueries({
    queries: slices.map((slice) => permissionsQuery(slice.map((bucket) => ({ action, bucket })))),
    combine: mergeAnswers,
  })
  return (bucket) => (wide.isError ? true : answer?.sure ? answer.can : each.get(questionId({ action, bucket }))?.can)
}

const mergeAnswers = (slices: readonly { data?: ReadonlyMap<string, PermissionAnswer> | undefined }[]) =>
  new Map(slices.flatMap(({ data }) => [...(data ?? [])]))

/** Returns how the caller's policies decide about an action, statement by statement; undefined while loading. */
export function usePermissionReport(action: ConsoleAction, scope: PermissionScope) {
  const { data } = useQuery(
    q('hasPermission', { body: { actions: [toRequestAction({ action, ...scope })], explain: true } }),
  )
  return data?.permissions[0]?.why
}

interface PermissionQuestion extends PermissionScope {
  action: ActionName
}

/** Identifies a check, to match results to checks. */
const questionId = ({ action, bucket = '', prefix = '' }: PermissionQuestion) => `${action} ${bucket}/${prefix}`

/** Converts a check to its form in the call. Actions on the server itself have no bucket. */
function toRequestAction(question: PermissionQuestion) {
  const { action, bucket, prefix } = question
  const where = bucket !== undefined && action.startsWith('s3:') ? { bucket_name: bucket } : undefined
  return { id: questionId(question), action, ...where, ...(where && prefix !== undefined ? { prefix } : {}) }
}

function permissionsQuery(questions: PermissionQuestion[]) {
  return {
    ...q('hasPermission', { body: { actions: questions.map(toRequestAction) } }),
    select: answersById,
    staleTime: KEPT_MS,
  }
}

type PermissionAnswer = Output<'hasPermission'>['permissions'][number]
/** A stable function, so that React Query computes the map only once for each result. */
const answersById = ({ permissions }: Output<'hasPermission'>) =>
  new Map(permissions.map((answer) => [answer.id, answer]))
