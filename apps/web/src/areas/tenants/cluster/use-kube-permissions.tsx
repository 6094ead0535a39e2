import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../../lib/api/api.ts'
import { Trans } from '../../../lib/text/Trans.tsx'

/** A Kubernetes permission, as verb and resource: `delete pods`, `create tenants.minio.min.io`. */
export type KubePermission = `${string} ${string}`

/** How long results are cached (ms). Permissions change rarely, and the cluster checks every call anyway. */
const CACHE_MS = 60_000

/** Returns the reason why a control is disabled; undefined while permissions are not loaded. */
export type PermissionRefusal = (right: KubePermission, namespace?: string) => ReactNode

/** Returns a function from a permission to the reason why its control is disabled. @param namespace undefined for all */
export function useKubePermissions(
  rights: readonly KubePermission[],
  namespace?: string,
): (right: KubePermission) => ReactNode {
  const refused = useKubePermissionsIn(rights, [namespace])
  return (right) => refused(right, namespace)
}

/** The same for several namespaces; undefined among them stands for all namespaces of the cluster. */
export function useKubePermissionsIn(
  rights: readonly KubePermission[],
  namespaces: readonly (string | undefined)[],
): PermissionRefusal {
  const { data } = useQuery({
    queryKey: ['reviewAccess', rights, namespaces],
    staleTime: CACHE_MS,
    queryFn: async ({ signal }) => {
      const actions = namespaces.flatMap((namespace) =>
        rights.map((right) => {
          const [verb = '', kind = ''] = right.split(' ')
          const [resource = '', ...group] = kind.split('.')
          const where = namespace === undefined ? {} : { namespace }
          return { id: permissionId(right, namespace), verb, resource, group: group.join('.'), ...where }
        }),
      )
      const parts = Array.from({ length: Math.ceil(actions.length / MAX_ACTIONS) }, (_, n) =>
        actions.slice(n * MAX_ACTIONS, (n + 1) * MAX_ACTIONS),
      )
      const answers = await Promise.all(parts.map((part) => call('reviewAccess', { body: { actions: part }, signal })))
      return new Map(answers.flatMap(({ permissions }) => permissions.map(({ id, can }) => [id, can])))
    },
  })
  return (right, namespace) =>
    data?.get(permissionId(right, namespace)) === false && (
      <Trans text="Needs the right <right/>" parts={{ right: <code>{right}</code> }} />
    )
}

/** The most actions that one call reviews. */
const MAX_ACTIONS = 100

const permissionId = (right: KubePermission, namespace: string | undefined) => `${right} ${namespace ?? ''}`
