import { defineEndpoints } from '../call/endpoint.ts'

const MEMBERSHIPS = ['getUser', 'listUsers', 'getGroup', 'listGroups'] as const

export const groupEndpoints = defineEndpoints('groups', {
  listGroups: { method: 'GET', path: '/api/v1/groups', actions: ['admin:ListGroups'] },
  createGroup: {
    method: 'POST',
    writes: 'new',
    path: '/api/v1/groups',
    actions: ['admin:AddUserToGroup'],
    changes: MEMBERSHIPS,
  },
  getGroup: { method: 'GET', path: '/api/v1/group', actions: ['admin:GetGroup'] },
  updateGroup: {
    method: 'PUT',
    writes: 'whole',
    path: '/api/v1/group',
    answer: 'json',
    actions: [
      'admin:GetGroup',
      'admin:AddUserToGroup',
      'admin:RemoveUserFromGroup',
      'admin:EnableGroup',
      'admin:DisableGroup',
    ],
    changes: MEMBERSHIPS,
  },
  deleteGroup: {
    method: 'DELETE',
    path: '/api/v1/group',
    // MinIO requires the permission to add users, the embedded store the one to remove them.
    actions: ['admin:AddUserToGroup', 'admin:RemoveUserFromGroup'],
    changes: ['listGroups', 'listUsers', 'getUser', 'listPolicyGroups'],
  },
})
