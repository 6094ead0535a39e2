import { z } from 'zod'
import { listSchema, routes } from '../call/route.ts'
import { enabledStatus, iamName, iamNameQuery, iamNames, newSecretKey } from '../values/iam-names.ts'
import { userEndpoints } from './endpoints.ts'

export const User = z.object({
  accessKey: z.string(),
  status: enabledStatus,
  /** The groups of the user. */
  memberOf: listSchema(z.string()),
  /** Policies attached to the user. Those of its groups also apply. */
  policy: listSchema(z.string()),
})
export type User = z.infer<typeof User>

export const userCalls = routes(userEndpoints, {
  listUsers: {
    summary: 'All users; root and service accounts are not users',
    // Accepted because clients of the original console send them, but all users are returned.
    query: z.object({ limit: z.string().optional(), offset: z.string().optional() }),
    response: z.object({ users: listSchema(User) }),
  },
  createUser: {
    summary: 'Create a user, enabled, in these groups and with these policies',
    body: z.object({ accessKey: iamName, secretKey: newSecretKey, groups: iamNames, policies: iamNames }),
    response: User,
  },
  getUser: {
    summary: 'One user',
    query: iamNameQuery,
    response: User.extend({
      /** Whether a policy is attached to the user or to one of its groups. */
      hasPolicy: z.boolean(),
    }),
  },
  updateUser: {
    summary: 'Set status, groups and policies of a user; absent fields are not changed',
    query: iamNameQuery,
    body: z.object({
      status: enabledStatus.optional(),
      groups: iamNames.optional(),
      policies: iamNames.optional(),
      /** The values that the change is based on. If the stored ones differ, the response is 409. */
      before: z.object({ status: enabledStatus, groups: iamNames, policies: iamNames }).partial().optional(),
    }),
    response: User,
  },
  deleteUser: {
    summary: 'Delete a user with its service accounts and sessions',
    query: iamNameQuery,
    body: z.object({ id: z.string().optional() }).nullish(),
    repeats: { id: 'name' },
  },
  setUserGroups: {
    summary: 'Set the groups of a user',
    query: iamNameQuery,
    body: z.object({
      groups: iamNames,
      /** The groups that the change is based on. If the user is in others, the response is 409. */
      before: iamNames.optional(),
    }),
    response: User,
  },
  addUsersToGroups: {
    summary: 'Add users to groups; groups that do not exist are created',
    body: z.object({ users: iamNames, groups: iamNames }),
  },
})
