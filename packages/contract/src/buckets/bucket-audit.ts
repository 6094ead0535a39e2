import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { Policy } from '../policies/policies.ts'
import { bucketParams } from './bucket-params.ts'
import { bucketEndpoints } from './endpoints.ts'

export const bucketAuditCalls = routes(bucketEndpoints, {
  listBucketPolicies: {
    summary: 'The policies with a statement that applies to a bucket',
    params: bucketParams,
    response: z.object({ policies: listSchema(Policy), total: z.number() }),
  },
  listBucketUsers: {
    summary: 'The users whose policies, or those of their groups, allow any action on a bucket, without root',
    params: bucketParams,
    response: listSchema(z.string()),
  },
})
