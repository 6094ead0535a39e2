import { defineEndpoints } from '../call/endpoint.ts'

const actions = ['admin:ConfigUpdate'] as const
const changes = ['getConfig', 'listConfigHistory', 'listNotificationEndpoints', 'exportConfigs'] as const

export const configEndpoints = defineEndpoints('configs', {
  listConfigs: { method: 'GET', path: '/api/v1/configs', actions },
  exportConfigs: { method: 'GET', path: '/api/v1/configs/export', actions },
  importConfigs: {
    method: 'POST',
    writes: 'whole',
    path: '/api/v1/configs/import',
    answer: 'json',
    status: 200,
    actions,
    changes,
  },
  previewConfigImport: {
    method: 'POST',
    writes: 'nothing',
    path: '/api/v1/configs/import/preview',
    answer: 'json',
    status: 200,
    actions,
    changes: [],
  },
  getConfig: { method: 'GET', path: '/api/v1/configs/:name', actions },
  setConfig: { method: 'PUT', writes: 'new or whole', path: '/api/v1/configs/:name', answer: 'json', actions, changes },
  resetConfig: {
    method: 'POST',
    writes: 'whole',
    path: '/api/v1/configs/:name/reset',
    answer: 'json',
    status: 200,
    actions,
    changes,
  },
  listConfigHistory: { method: 'GET', path: '/api/v1/config-history', actions },
  clearConfigHistory: {
    method: 'DELETE',
    path: '/api/v1/config-history',
    actions,
    changes: ['listConfigHistory'],
  },
  restoreConfigHistory: {
    method: 'POST',
    writes: 'action',
    path: '/api/v1/config-history/:id/restore',
    answer: 'json',
    status: 200,
    actions,
    changes,
  },
  restartService: {
    method: 'POST',
    writes: 'action',
    path: '/api/v1/service/restart',
    status: 204,
    actions: ['admin:ServiceRestart', 'admin:ServerInfo'],
    changes: ['getConfig', 'listNotificationEndpoints', 'getAdminInfo'],
  },
})
