import { z } from 'zod'
import { name, nameQuery, names, secretKey, status } from '../iam-names.ts'
import { list, routes } from '../route.ts'
import { userEndpoints } from './endpoints.ts'

export const User = z.object({
  accessKey: z.string(),
  status,
  /** The groups of the user. */
  memberOf: list(z.string()),
  /** Policies attached to the user. Those of its groups also apply. */
  policy: list(z.string()),
})
export type User = z.infer<typeof User>

export const userCalls = routes(userEndpoints, {
  listUsers: {
    summary: 'All users; root and service accounts are not users',
    // Accepted because clients of the original console send them, but all users are returned.
    query: z.object({ limit: z.string().optional(), offset: z.string().optional() }),
    response: z.object({ users: list(User) }),
  },
  createUser: {
    summary: 'Create a user, enabled, in these groups and with these policies',
    body: z.object({ accessKey: name, secretKey, groups: names, policies: names }),
    response: User,
  },
  getUser: {
    summary: 'One user',
    query: nameQuery,
    response: User.extend({
      /** Whether a policy is attached to the user or to one of its groups. */
      hasPolicy: z.boolean(),
    }),
  },
  updateUser: {
    summary: 'Set status, groups and, if present, policies of a user',
    query: nameQuery,
    body: z.object({ status, groups: names, policies: names.optional() }),
    response: User,
  },
  deleteUser: {
    summary: 'Delete a user with its service accounts and sessions',
    query: nameQuery,
    body: z.object({ id: z.string().optional() }).nullish(),
    repeats: { id: 'name' },
  },
  setUserGroups: {
    summary: 'Set the groups of a user',
    query: nameQuery,
    body: z.object({ groups: names }),
    response: User,
  },
  addUsersToGroups: {
    summary: 'Add users to groups; groups that do not exist are created',
    body: z.object({ users: names, groups: names }),
  },
})
