import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../lib/api/api.ts'
import { Trans } from '../../lib/text/Trans.tsx'

/** A Kubernetes permission, as verb and resource: `delete pods`, `create tenants.minio.min.io`. */
export type Right = `${string} ${string}`

/** How long results are cached (ms). Permissions change rarely, and the cluster checks every call anyway. */
const KEPT_MS = 60_000

/**
 * Returns a function from a permission to the reason why its control is disabled; undefined while permissions are not loaded.
 * @param namespace undefined for all namespaces
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
