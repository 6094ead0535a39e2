import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { withReason } from '../reasons/issue-reason.ts'
import { reason } from '../reasons/reason.ts'
import { bucketParams } from './bucket-params.ts'
import { bucketEndpoints } from './endpoints.ts'

/** What anyone may do with the objects below a prefix, without signing in. */
export const RuleAccess = z.enum(['readonly', 'writeonly', 'readwrite'])
export type RuleAccess = z.infer<typeof RuleAccess>

/** As in the original console, white space stands for the whole bucket. */
const prefix = z
  .string()
  .max(1024)
  .transform((text) => (text.trim() === '' ? '' : text))

/** `none`: the policy contains the prefix, but does not allow reading or writing its objects. */
const ListedAccess = z.enum([...RuleAccess.options, 'none'])

export const accessRuleCalls = routes(bucketEndpoints, {
  listAccessRules: {
    summary: 'The prefixes of a bucket that its policy makes public',
    params: bucketParams,
    response: z.object({
      accessRules: listSchema(
        z.object({
          /** Empty for the whole bucket. */
          prefix: z.string(),
          access: ListedAccess,
        }),
      ),
    }),
  },
  setAccessRule: {
    summary: 'Make a prefix public, or change its public access; other statements of the policy are kept',
    params: bucketParams,
    body: z.object({
      prefix: prefix.refine(
        (text) => !/[*?]|\$\{/.test(text),
        withReason(reason('rule-prefix'), 'should not contain *, ? or ${: policies read these characters as patterns'),
      ),
      access: RuleAccess,
      /** The access that the change is based on; null: there was no rule. If the current access differs, the response is 409. */
      before: ListedAccess.nullable().optional(),
    }),
    response: z.literal(true),
  },
  deleteAccessRule: {
    summary: 'Remove the public access to a prefix; other statements of the policy are kept',
    params: bucketParams,
    body: z.object({ prefix }),
    response: z.literal(true),
  },
})
