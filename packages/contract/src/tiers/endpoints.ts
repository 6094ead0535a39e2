import { defineEndpoints } from '../call/endpoint.ts'

const path = '/api/v1/admin/tiers'
const actions = ['admin:SetTier'] as const
const changes = ['listTiers', 'listTierStates'] as const

export const tierEndpoints = defineEndpoints('tiers', {
  listTiers: { method: 'GET', path, actions: ['admin:ListTier'] },
  listTierStates: { method: 'GET', path: `${path}/states`, actions: ['admin:ListTier'] },
  addTier: { method: 'POST', writes: 'new', path, actions: ['admin:SetTier', 'admin:ListTier'], changes },
  getTier: { method: 'GET', path: `${path}/:type/:name`, actions: ['admin:ListTier'] },
  setTierCredentials: {
    method: 'PUT',
    writes: 'part',
    path: `${path}/:type/:name/credentials`,
    actions: ['admin:SetTier', 'admin:ListTier'],
    changes,
  },
  verifyTier: {
    method: 'POST',
    writes: 'action',
    path: `${path}/:type/:name/verify`,
    status: 204,
    actions: ['admin:ListTier'],
    changes: [],
  },
  deleteTier: { method: 'DELETE', path: `${path}/:type/:name`, actions, changes },
})
