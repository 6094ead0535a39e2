import { z } from 'zod'
import { createOnly } from '../call/create-only.ts'
import { booleanQuery, listSchema, routes } from '../call/route.ts'
import { enabledStatus, iamName, iamNameQuery, iamNames } from '../values/iam-names.ts'
import { groupEndpoints } from './endpoints.ts'

export const Group = z.object({
  name: z.string(),
  status: enabledStatus,
  members: listSchema(z.string()),
  /** Policy names, separated by commas. Empty while the group is disabled. */
  policy: z.string(),
})
export type Group = z.infer<typeof Group>

export const groupCalls = routes(groupEndpoints, {
  listGroups: {
    summary: 'The names of all groups',
    // Accepted because clients of the original console send them, but all groups are returned.
    query: z.object({ limit: z.string().optional(), offset: z.string().optional() }),
    response: z.object({ groups: listSchema(z.string()), total: z.number() }),
  },
  createGroup: {
    summary: 'Create a group with members; if it exists, add the members',
    body: z.object({ group: iamName, members: iamNames, ...createOnly }),
  },
  getGroup: { summary: 'One group with its members and policies', query: iamNameQuery, response: Group },
  updateGroup: {
    summary: 'Set members and status of a group; absent fields are not changed',
    query: iamNameQuery,
    body: z.object({
      group: z.string().optional(),
      members: iamNames.optional(),
      status: enabledStatus.optional(),
      /** The values that the change is based on. If the stored ones differ, the response is 409. */
      before: z.object({ members: iamNames, status: enabledStatus }).partial().optional(),
    }),
    response: Group,
    repeats: { group: 'name' },
  },
  deleteGroup: {
    summary: 'Delete a group',
    query: z.object({
      name: iamName,
      /** Removes the members first. Without it, a group with members is not deleted. */
      remove_members: booleanQuery,
    }),
  },
})
