import { z } from 'zod'
import { routes } from '../call/route.ts'
import { withReason } from '../reasons/issue-reason.ts'
import { reason } from '../reasons/reason.ts'
import { licenseEndpoints } from './endpoints.ts'

/** A vendor's license for the connected server, as stated in the license itself. */
export const Subscription = z.object({
  email: z.string(),
  organization: z.string(),
  account_id: z.number().optional(),
  /** In TB of 1,099,511,627,776 bytes. */
  storage_capacity: z.number(),
  /** `STANDARD` or `ENTERPRISE`; newer licenses may contain others. */
  plan: z.string(),
  /** `2022-01-06 05:16:09 +0000 UTC` */
  expires_at: z.string(),
})
export type Subscription = z.infer<typeof Subscription>

export const licenseCalls = routes(licenseEndpoints, {
  getSubscription: {
    summary:
      'The license in STOWAGE_LICENSE or, in operator mode, of the cluster; 404 if there is none or it is not valid',
    response: Subscription,
  },
  validateSubscription: {
    summary:
      'Check a license, or fetch one for an account, and store it in the secret of the cluster, or in the data folder where ' +
      'STOWAGE_LICENSE_URL is set; 404 if it is not valid',
    body: z
      .object({
        license: z.string().trim().max(16_384).default(''),
        email: z.string().trim().max(320).default(''),
        password: z.string().max(1_024).default(''),
      })
      .refine(({ license, email, password }) => license !== '' || (email !== '' && password !== ''), {
        path: ['license'],
        ...withReason(reason('required'), 'is required, or email and password'),
      }),
    response: Subscription,
  },
  refreshSubscription: {
    summary: 'Fetch the license again, and in operator mode apply it to each tenant',
    response: Subscription,
  },
})
