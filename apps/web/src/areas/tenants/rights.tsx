import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../lib/api/api.ts'
import { Trans } from '../../lib/text/Trans.tsx'

/** A verb and what it is about: `delete pods`, `create tenants.minio.min.io`. */
export type Right = `${string} ${string}`

/** Rights change seldom, and the cluster decides anyway when something is tried. */
const KEPT_MS = 60_000

/**
 * For each right the reason why a control that needs it is out of use; none while that is not known.
 * @param namespace absent: in all of them
 */
export function useRights(rights: readonly Right[], namespace?: string): (right: Right) => ReactNode {
  const { data } = useQuery({
    queryKey: ['reviewAccess', rights, namespace],
    staleTime: KEPT_MS,
    queryFn: async ({ signal }) => {
      const actions = rights.map((id) => {
        const [verb = '', kind = ''] = id.split(' ')
        const [resource = '', ...group] = kind.split('.')
        return { id, verb, resource, group: group.join('.'), ...(namespace === undefined ? {} : { namespace }) }
      })
      const { permissions } = await call('reviewAccess', { body: { actions }, signal })
      return new Map(permissions.map(({ id, can }) => [id, can]))
    },
  })
  return (right) =>
    data?.get(right) === false && <Trans text="Needs the right <right/>" parts={{ right: <code>{right}</code> }} />
}
