import { defineEndpoints } from '../call/endpoint.ts'

const actions = ['admin:ConfigUpdate'] as const
const changes = ['getConfig', 'listConfigHistory', 'listNotificationEndpoints', 'exportConfigs'] as const
const path = '/api/v1/admin/notification_endpoints'

export const notificationTargetEndpoints = defineEndpoints('notification-targets', {
  listNotificationEndpoints: { method: 'GET', path, actions: ['admin:ServerInfo'] },
  addNotificationEndpoint: { method: 'POST', writes: 'new', path, answer: 'json', actions, changes },
  testNotificationEndpoint: {
    method: 'POST',
    writes: 'action',
    path: `${path}/:service/:account_id/test`,
    answer: 'json',
    status: 200,
    actions,
    changes,
  },
  listTargetBuckets: { method: 'GET', path: `${path}/:service/:account_id/buckets`, actions: ['admin:ServerInfo'] },
  listRefusedEvents: { method: 'GET', path: `${path}/:service/:account_id/refused`, actions },
  resendRefusedEvents: {
    method: 'POST',
    writes: 'action',
    path: `${path}/:service/:account_id/refused/resend`,
    answer: 'json',
    status: 200,
    actions,
    changes: ['listNotificationEndpoints', 'listRefusedEvents'],
  },
  dropRefusedEvents: {
    method: 'DELETE',
    path: `${path}/:service/:account_id/refused`,
    actions,
    changes: ['listNotificationEndpoints', 'listRefusedEvents'],
  },
  deleteNotificationEndpoint: {
    method: 'DELETE',
    path: `${path}/:service/:account_id`,
    answer: 'json',
    status: 200,
    actions,
    changes,
  },
})
