import { z } from 'zod'
import { createOnly } from '../call/create-only.ts'
import { listSchema, routes } from '../call/route.ts'
import { iamName, iamNameQuery, iamNames } from '../values/iam-names.ts'
import { policyEndpoints } from './endpoints.ts'

export const Policy = z.object({
  name: z.string(),
  /** Normalized JSON text: Action and Resource are always lists. */
  policy: z.string(),
})
export type Policy = z.infer<typeof Policy>

/** Longer than servers accept, so that the server's own message explains the limit. */
export const policyTextSchema = z.string().max(100_000)

const policyHolder = {
  entityType: z.enum(['user', 'group']),
  entityName: iamName,
}

const policiesBefore = {
  /** The policies that the change is based on, in any order. If others are attached, the response is 409. */
  before: iamNames.optional(),
}

export const policyCalls = routes(policyEndpoints, {
  listPolicies: {
    summary: 'All policies with their documents, built-in policies included',
    // Accepted because clients of the original console send them, but all policies are returned.
    query: z.object({ limit: z.string().optional(), offset: z.string().optional() }),
    response: z.object({ policies: listSchema(Policy), total: z.number() }),
  },
  createPolicy: {
    summary: 'Create a policy, or replace the one with this name',
    body: z.object({
      name: iamName,
      policy: policyTextSchema.min(1),
      ...createOnly,
      /** The policy that the change is based on, as `getPolicy` returns it. If the stored one differs, the response is 409. */
      before: policyTextSchema.optional(),
    }),
    response: Policy,
  },
  getPolicy: { summary: 'One policy with its document', query: iamNameQuery, response: Policy },
  deletePolicy: { summary: 'Delete a policy that is not attached to any user or group', query: iamNameQuery },
  listPolicyUsers: {
    summary: 'The users that a policy is attached to',
    params: z.object({ policy: iamName }),
    response: listSchema(z.string()),
  },
  listPolicyGroups: {
    summary: 'The groups that a policy is attached to',
    params: z.object({ policy: iamName }),
    response: listSchema(z.string()),
  },
  listDirectoryPolicies: {
    summary: 'The users and groups of the directory (LDAP) that have policies, by distinguished name',
    response: listSchema(
      z.object({ entityType: policyHolder.entityType, name: z.string(), policies: listSchema(z.string()) }),
    ),
  },
  changeDirectoryPolicies: {
    summary: 'Attach policies to a user or group of the directory (LDAP), and detach others',
    body: z.object({
      ...policyHolder,
      attach: iamNames,
      detach: iamNames,
    }),
  },
  setPolicies: {
    summary: 'Replace all policies of a user or group; an empty list detaches all of them',
    body: z.object({ name: iamNames, ...policyHolder, ...policiesBefore }),
  },
  setNamedPolicies: {
    summary: 'Replace all policies of a user or group by those in the path, separated by commas',
    params: z.object({ policies: z.string().min(1) }),
    body: z.object({ ...policyHolder, ...policiesBefore }),
  },
})
