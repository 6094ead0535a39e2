import { z } from 'zod'
import { addGroupMembers, getGroup, listGroups, removeGroupMembers, setGroupStatus } from '../../../iam/groups.ts'
import { requireAction } from '../../auth/authorize.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter, readJson, readStatusParameter, wireTime } from '../endpoint/payload.ts'

const Members = z.object({
  group: z.string(),
  members: z
    .array(z.string())
    .nullish()
    .transform((members) => members ?? []),
  groupStatus: z.enum(['enabled', 'disabled', '']).nullish(),
  isRemove: z.boolean().nullish(),
})

export const adminGroupEndpoints: AdminEndpoint[] = [
  {
    name: 'UpdateGroupMembers',
    method: 'PUT',
    path: 'update-group-members',
    async handle(call) {
      const { group, members, groupStatus, isRemove } = await readJson(call, Members)
      requireAction(call, isRemove ? 'admin:RemoveUserFromGroup' : 'admin:AddUserToGroup', {})
      if (isRemove) {
        await removeGroupMembers(call.store.iam, group, members)
      } else {
        // A new disabled group removes all rights of its members.
        if (groupStatus === 'disabled') requireAction(call, 'admin:DisableGroup', {})
        await addGroupMembers(call.store.iam, group, members, groupStatus || 'enabled')
      }
      call.empty(200)
    },
  },
  {
    name: 'ListGroups',
    method: 'GET',
    path: 'groups',
    handle: (call) => call.json(listGroups(call.store.iam)),
  },
  {
    name: 'GetGroup',
    method: 'GET',
    path: 'group',
    query: ['group'],
    handle(call) {
      const name = queryParameter(call, 'group')
      const { status, members, policies, updatedAt } = getGroup(call.store.iam, name)
      call.json({ name, status, members, policy: policies.join(','), updatedAt: wireTime(updatedAt) })
    },
  },
  {
    name: 'SetGroupStatus',
    method: 'PUT',
    path: 'set-group-status',
    query: ['group', 'status'],
    async handle(call) {
      const status = readStatusParameter(call)
      requireAction(call, status === 'enabled' ? 'admin:EnableGroup' : 'admin:DisableGroup', {})
      await setGroupStatus(call.store.iam, queryParameter(call, 'group'), status)
      call.empty(200)
    },
  },
]
