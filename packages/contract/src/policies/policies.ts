import { z } from 'zod'
import { name, nameQuery, names } from '../iam-names.ts'
import { list, routes } from '../route.ts'
import { policyEndpoints } from './endpoints.ts'

export const Policy = z.object({
  name: z.string(),
  /** Normalized JSON text: Action and Resource are always lists. */
  policy: z.string(),
})
export type Policy = z.infer<typeof Policy>

/** Longer than servers accept, so that the server's own message explains the limit. */
export const policyText = z.string().max(100_000)

const holder = {
  entityType: z.enum(['user', 'group']),
  entityName: name,
}

export const policyCalls = routes(policyEndpoints, {
  listPolicies: {
    summary: 'All policies with their documents, built-in policies included',
    // Accepted because clients of the original console send them, but all policies are returned.
    query: z.object({ limit: z.string().optional(), offset: z.string().optional() }),
    response: z.object({ policies: list(Policy), total: z.number() }),
  },
  createPolicy: {
    summary: 'Create a policy, or replace the one with this name',
    body: z.object({ name, policy: policyText.min(1) }),
    response: Policy,
  },
  getPolicy: { summary: 'One policy with its document', query: nameQuery, response: Policy },
  deletePolicy: { summary: 'Delete a policy that is not attached to any user or group', query: nameQuery },
  listPolicyUsers: {
    summary: 'The users that a policy is attached to',
    params: z.object({ policy: name }),
    response: list(z.string()),
  },
  listPolicyGroups: {
    summary: 'The groups that a policy is attached to',
    params: z.object({ policy: name }),
    response: list(z.string()),
  },
  setPolicies: {
    summary: 'Replace all policies of a user or group; an empty list detaches all of them',
    body: z.object({ name: names, ...holder }),
  },
  setNamedPolicies: {
    summary: 'Replace all policies of a user or group by those in the path, separated by commas',
    params: z.object({ policies: z.string().min(1) }),
    body: z.object(holder),
  },
})
