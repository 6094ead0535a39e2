import type { IamAction } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from './query.ts'

/** What the caller may do: true, false, or undefined while it is asked. */
export type Permissions<A extends IamAction> = Record<A, boolean | undefined>

/**
 * Asks the server which of these actions the caller's policy allows, on one bucket when it is given.
 * A failed question counts as allowed: the server decides anyway when the action is tried.
 */
export function usePermissions<A extends IamAction>(actions: readonly A[], bucket?: string): Permissions<A> {
  const asked = actions.map((action) => ({
    id: action,
    action,
    ...(bucket === undefined ? {} : { bucket_name: bucket }),
  }))
  const { data, isError } = useQuery({ ...q('hasPermission', { body: { actions: asked } }), staleTime: 60_000 })
  const answer = new Map(data?.permissions.map(({ id, can }) => [id, can]))
  // Every action is a key, because the map is made of them.
  return Object.fromEntries(actions.map((a) => [a, isError ? true : answer.get(a)])) as Permissions<A>
}
