import { z } from 'zod'
import { routes } from '../call/route.ts'
import { policyTextSchema } from '../policies/policies.ts'
import { bucketParams } from './bucket-params.ts'
import { bucketEndpoints } from './endpoints.ts'

export const bucketPolicyCalls = routes(bucketEndpoints, {
  getBucketPolicy: {
    summary: 'The policy of a bucket as JSON text; empty if it has none',
    params: bucketParams,
    response: z.object({ policy: z.string() }),
  },
  setBucketPolicy: {
    summary: 'Replace the policy of a bucket; an empty text removes it',
    params: bucketParams,
    body: z.object({
      policy: policyTextSchema,
      /** The policy that the change is based on. If the current policy differs, the response is 409. */
      before: policyTextSchema.optional(),
      /** Saves a policy even if it denies its author the permission to change it again. */
      force: z.boolean().default(false),
    }),
  },
})
