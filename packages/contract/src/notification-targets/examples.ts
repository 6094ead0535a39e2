import type { AreaExamples } from '../call/area-examples.ts'
import type { notificationTargetEndpoints } from './endpoints.ts'

const params = { service: 'webhook', account_id: 'primary' } as const

export const notificationTargetExamples: AreaExamples<typeof notificationTargetEndpoints> = {
  listNotificationEndpoints: {},
  addNotificationEndpoint: {
    body: { ...params, properties: { endpoint: 'https://hooks.example.com/events', enable: 'off' } },
  },
  testNotificationEndpoint: { params, body: {} },
  listTargetBuckets: { params },
  listRefusedEvents: { params },
  resendRefusedEvents: { params, body: {} },
  dropRefusedEvents: { params },
  deleteNotificationEndpoint: { params },
}
