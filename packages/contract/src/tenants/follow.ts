import { z } from 'zod'
import { routes } from '../route.ts'
import { tenantEndpoints } from './endpoints.ts'

/** What can be followed, by the names that Kubernetes gives them. */
export const followedKinds = ['tenants', 'pods', 'persistentvolumeclaims', 'events'] as const
export type FollowedKind = (typeof followedKinds)[number]

const names = z
  .string()
  .max(10_000)
  .transform((text) => text.split(',').filter(Boolean))

export const followCalls = routes(tenantEndpoints, {
  followCluster: {
    summary: 'What changes in the cluster: names of objects, to read them again',
    query: z.object({
      /** Separated by commas. */
      kinds: names.pipe(z.array(z.enum(followedKinds)).min(1)),
      /** Separated by commas. Default: all. */
      namespaces: names.pipe(z.array(z.string().max(63)).min(1).max(100)).optional(),
    }),
    response: z.object({
      kind: z.enum(followedKinds),
      /**
       * `listed`: all objects are known, so that nothing is missed from here on. `changed`: one was made, changed or
       * deleted. `interrupted`: what is known may be old, until `resumed`. `refused`: the caller may not follow this kind.
       */
      what: z.enum(['listed', 'changed', 'interrupted', 'resumed', 'refused']),
      namespace: z.string(),
      /** Empty unless something changed. */
      name: z.string(),
    }),
  },
})
