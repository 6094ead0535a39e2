import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { bucketParams } from './bucket-params.ts'
import { bucketEndpoints } from './endpoints.ts'

export const CorsMethod = z.enum(['GET', 'PUT', 'HEAD', 'POST', 'DELETE'])
export type CorsMethod = z.infer<typeof CorsMethod>

/** A CORS rule of a bucket. @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_CORSRule.html */
export const CorsRule = z.object({
  id: z.string().max(255).optional(),
  /** For example `https://www.example.com`; each may contain one `*`. */
  allowedOrigins: z.array(z.string().min(1).max(500)).min(1).max(100),
  allowedMethods: z.array(CorsMethod).min(1),
  /** Request headers that a page may send; each may contain one `*`. */
  allowedHeaders: listSchema(z.string().min(1).max(200)),
  /** Response headers that a page may read. */
  exposeHeaders: listSchema(z.string().min(1).max(200)),
  /** How long a browser may cache the preflight response (seconds). */
  maxAgeSeconds: z.number().int().min(0).max(999_999_999).optional(),
})
export type CorsRule = z.infer<typeof CorsRule>

export const bucketCorsCalls = routes(bucketEndpoints, {
  getBucketCors: {
    summary: 'The CORS rules of a bucket',
    params: bucketParams,
    response: z.object({ rules: listSchema(CorsRule) }),
  },
  setBucketCors: {
    summary: 'Replace the CORS rules of a bucket; an empty list removes them',
    params: bucketParams,
    body: z.object({
      rules: z.array(CorsRule).max(100),
      /** The rules that the change is based on. If the current rules differ, the response is 409. */
      before: z.array(CorsRule).optional(),
    }),
  },
})
