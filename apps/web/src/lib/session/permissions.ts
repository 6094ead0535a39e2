import { type Endpoint, endpoints, type IamAction, type Operation, type Output } from '@stowage/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { q } from '../api/query.ts'

/** An action that some call of the console needs. */
export type ConsoleAction = (typeof endpoints)[Operation]['actions'][number]

/** What is asked about: nothing in particular, a bucket, or what is below a folder of it. */
export interface Scope {
  bucket?: string | undefined
  prefix?: string | undefined
}

/** Whether the caller may do this: undefined while it is asked. */
export type May = (action: ConsoleAction) => boolean | undefined

/** Every action of the contract: asked together, so that all controls of a page share one call and its answer. */
const all = [...new Set(Object.values<Endpoint>(endpoints).flatMap(({ actions }) => actions))]
/** Policies change seldom, and the server decides anyway when the action is tried. */
const KEPT_MS = 60_000
/** Questions that one call takes. */
const AT_ONCE = 1000

/**
 * What the caller's policy allows. A failed question counts as allowed: the server decides anyway.
 * A folder is asked about only where the answer for its bucket depends on the key.
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

/** The same for one action in each of many buckets. They are asked about one by one only where they may differ. */
export function useMayIn(action: ConsoleAction, buckets: readonly string[]): (bucket: string) => boolean | undefined {
  const wide = useQuery(asking(all.map((one) => ({ action: one }))))
  const answer = wide.data?.get(idOf({ action }))
  const asked = answer && !answer.sure ? buckets : []
  const slices = Array.from({ length: Math.ceil(asked.length / AT_ONCE) }, (_, i) =>
    asked.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  )
  const each = useQueries({
    queries: slices.map((slice) => asking(slice.map((bucket) => ({ action, bucket })))),
    combine: together,
  })
  return (bucket) => (wide.isError ? true : answer?.sure ? answer.can : each.get(idOf({ action, bucket }))?.can)
}

const together = (slices: readonly { data?: ReadonlyMap<string, Answer> | undefined }[]) =>
  new Map(slices.flatMap(({ data }) => [...(data ?? [])]))

/** How the caller's policy decides about an action, statement by statement; undefined while it is asked. */
export function useVerdict(action: ConsoleAction, scope: Scope) {
  const { data } = useQuery(q('hasPermission', { body: { actions: [onWire({ action, ...scope })], explain: true } }))
  return data?.permissions[0]?.why
}

interface Question extends Scope {
  action: IamAction
}

/** Questions and answers find each other by this. */
const idOf = ({ action, bucket = '', prefix = '' }: Question) => `${action} ${bucket}/${prefix}`

/** A question as the call takes it. Actions on the server itself are about no bucket. */
function onWire(question: Question) {
  const { action, bucket, prefix } = question
  const where = bucket !== undefined && action.startsWith('s3:') ? { bucket_name: bucket } : undefined
  return { id: idOf(question), action, ...where, ...(where && prefix !== undefined ? { prefix } : {}) }
}

function asking(questions: Question[]) {
  return { ...q('hasPermission', { body: { actions: questions.map(onWire) } }), select: byId, staleTime: KEPT_MS }
}

type Answer = Output<'hasPermission'>['permissions'][number]
/** One function for all, so that the map is made once for an answer. */
const byId = ({ permissions }: Output<'hasPermission'>) => new Map(permissions.map((answer) => [answer.id, answer]))
