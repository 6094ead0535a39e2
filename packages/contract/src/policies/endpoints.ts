import { defineEndpoints } from '../call/endpoint.ts'

/** Calls that show which policies are attached to whom. */
const HOLDERS = ['getUser', 'listUsers', 'getGroup', 'listPolicyUsers', 'listPolicyGroups', 'getSession'] as const

/** Actions to read what an import is compared with. */
const IMPORT_READS = [
  'admin:ListUsers',
  'admin:ListUserPolicies',
  'admin:ListGroups',
  'admin:ListServiceAccounts',
] as const

export const policyEndpoints = defineEndpoints('policies', {
  listPolicies: { method: 'GET', path: '/api/v1/policies', actions: ['admin:ListUserPolicies'] },
  createPolicy: {
    method: 'POST',
    writes: 'new or whole',
    path: '/api/v1/policies',
    answer: 'json',
    actions: ['admin:CreatePolicy'],
    changes: ['listPolicies', 'getPolicy', 'getSession'],
  },
  getPolicy: { method: 'GET', path: '/api/v1/policy', actions: ['admin:GetPolicy'] },
  deletePolicy: {
    method: 'DELETE',
    path: '/api/v1/policy',
    actions: ['admin:DeletePolicy'],
    changes: ['listPolicies'],
  },
  listPolicyUsers: { method: 'GET', path: '/api/v1/policies/:policy/users', actions: ['admin:ListUsers'] },
  listPolicyGroups: { method: 'GET', path: '/api/v1/policies/:policy/groups', actions: ['admin:ListGroups'] },
  explainAccess: {
    method: 'POST',
    writes: 'nothing',
    path: '/api/v1/explain-access',
    status: 200,
    answer: 'json',
    // Not required for questions about the caller.
    actions: ['admin:GetUser', 'admin:GetPolicy'],
    changes: [],
  },
  exportIam: {
    method: 'POST',
    writes: 'nothing',
    path: '/api/v1/iam/export',
    answer: 'json',
    status: 200,
    actions: ['admin:ExportIAM'],
    changes: [],
  },
  previewIamImport: {
    method: 'POST',
    writes: 'nothing',
    path: '/api/v1/iam/preview',
    answer: 'json',
    status: 200,
    actions: IMPORT_READS,
    changes: [],
  },
  importIam: {
    method: 'POST',
    writes: 'action',
    path: '/api/v1/iam/import',
    answer: 'json',
    status: 200,
    actions: ['admin:ImportIAM', ...IMPORT_READS],
    changes: ['listPolicies', 'getPolicy', 'listGroups', 'listAccessKeys', ...HOLDERS],
  },
  listDirectoryPolicies: {
    method: 'GET',
    path: '/api/v1/directory/policies',
    // The server asks for any of the three.
    actions: ['admin:ListUserPolicies', 'admin:ListUsers', 'admin:ListGroups'],
  },
  changeDirectoryPolicies: {
    method: 'POST',
    writes: 'part',
    path: '/api/v1/directory/policies',
    status: 204,
    actions: ['admin:AttachUserOrGroupPolicy', 'admin:UpdatePolicyAssociation'],
    changes: ['listDirectoryPolicies', 'getSession'],
  },
  setPolicies: {
    method: 'PUT',
    writes: 'whole',
    path: '/api/v1/set-policy',
    status: 204,
    actions: ['admin:AttachUserOrGroupPolicy'],
    changes: HOLDERS,
  },
  setNamedPolicies: {
    method: 'PUT',
    writes: 'whole',
    path: '/api/v1/set-policy/:policies',
    status: 204,
    actions: ['admin:AttachUserOrGroupPolicy'],
    changes: HOLDERS,
  },
})
