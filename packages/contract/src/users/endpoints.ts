import { defineEndpoints } from '../call/endpoint.ts'

const MEMBERSHIPS = ['getUser', 'listUsers', 'getGroup', 'listGroups'] as const

export const userEndpoints = defineEndpoints('users', {
  listUsers: { method: 'GET', path: '/api/v1/users', actions: ['admin:ListUsers'] },
  createUser: {
    method: 'POST',
    writes: 'new',
    path: '/api/v1/users',
    answer: 'json',
    actions: ['admin:CreateUser', 'admin:GetUser'],
    changes: [...MEMBERSHIPS, 'listPolicyUsers'],
  },
  getUser: { method: 'GET', path: '/api/v1/user', actions: ['admin:GetUser'] },
  updateUser: {
    method: 'PUT',
    writes: 'whole',
    path: '/api/v1/user',
    answer: 'json',
    actions: ['admin:GetUser', 'admin:EnableUser', 'admin:DisableUser'],
    changes: [...MEMBERSHIPS, 'listPolicyUsers'],
  },
  deleteUser: {
    method: 'DELETE',
    path: '/api/v1/user',
    body: 'json',
    actions: ['admin:DeleteUser'],
    changes: ['listUsers', 'getGroup', 'listPolicyUsers'],
  },
  setUserGroups: {
    method: 'PUT',
    writes: 'whole',
    path: '/api/v1/user/groups',
    answer: 'json',
    actions: ['admin:GetUser', 'admin:AddUserToGroup', 'admin:RemoveUserFromGroup'],
    changes: MEMBERSHIPS,
  },
  addUsersToGroups: {
    method: 'PUT',
    writes: 'part',
    path: '/api/v1/users-groups-bulk',
    actions: ['admin:AddUserToGroup'],
    changes: MEMBERSHIPS,
  },
})
