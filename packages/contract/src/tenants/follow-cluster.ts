import { z } from 'zod'
import { routes } from '../call/route.ts'
import { tenantEndpoints } from './endpoints.ts'
import { namespacesQuery } from './tenant-params.ts'

/** The kinds of objects that can be watched, by their Kubernetes names. */
export const FOLLOWED_KINDS = [
  'tenants',
  'pods',
  'persistentvolumeclaims',
  'events',
  'statefulsets',
  // Local drives belong to no namespace.
  'directcsidrives',
  'directcsivolumes',
  'directpvdrives',
  'directpvnodes',
] as const
export type FollowedKind = (typeof FOLLOWED_KINDS)[number]

const names = z
  .string()
  .max(10_000)
  .transform((text) => text.split(',').filter(Boolean))

export const followClusterCalls = routes(tenantEndpoints, {
  followCluster: {
    summary: 'Changes in the cluster, as names of changed objects',
    query: z.object({
      /** Separated by commas. */
      kinds: names.pipe(z.array(z.enum(FOLLOWED_KINDS)).min(1)),
      /** Separated by commas. Default: all. */
      namespaces: namespacesQuery.optional(),
    }),
    response: z.object({
      kind: z.enum(FOLLOWED_KINDS),
      /**
       * `listed`: all objects were listed, and changes are reported from here on. `changed`: an object was created, changed or
       * deleted. `interrupted`: data may be outdated until `resumed`. `refused`: the caller has no right to watch this kind.
       */
      what: z.enum(['listed', 'changed', 'interrupted', 'resumed', 'refused']),
      namespace: z.string(),
      /** Empty unless `what` is `changed`. */
      name: z.string(),
    }),
  },
})
