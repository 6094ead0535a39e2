import { z } from 'zod'
import { routes } from '../call/route.ts'
import { bucketParams } from './bucket-params.ts'
import { bucketEndpoints } from './endpoints.ts'

const tags = z.record(z.string(), z.string())

export const bucketTagCalls = routes(bucketEndpoints, {
  getBucketTags: { summary: 'The tags of a bucket', params: bucketParams, response: z.object({ tags }) },
  setBucketTags: {
    summary: 'Replace all tags of a bucket; an empty list removes them',
    params: bucketParams,
    body: z.object({
      tags,
      /** The tags that the change is based on. If the current tags differ, the response is 409. */
      before: tags.optional(),
    }),
  },
})
