import { z } from 'zod'
import { targetName } from '../configs/configs.ts'
import { list, routes } from '../route.ts'
import { notificationTargetEndpoints } from './endpoints.ts'

const service = z.enum([
  'webhook',
  'amqp',
  'kafka',
  'mqtt',
  'nats',
  'nsq',
  'mysql',
  'postgres',
  'postgresql',
  'elasticsearch',
  'redis',
])
const params = z.object({ service, account_id: targetName })

const NotificationEndpoint = z.object({
  /** `webhook`, `postgresql` … */
  service: z.string(),
  /** Name of the target. */
  account_id: z.string(),
  /** `online`, `offline`; `off` for a target that is switched off, `not started` for one that the server does not list. */
  status: z.string(),
  /** By which rules of buckets name it; empty while it has not started. */
  arn: z.string(),
  /** Events that wait, that the target has refused for good, and that found the queue full; where the server says so. */
  queued: z.number().optional(),
  refused: z.number().optional(),
  dropped: z.number().optional(),
  /** Why it takes no events. */
  lastError: z.string().optional(),
})
export type NotificationEndpoint = z.infer<typeof NotificationEndpoint>

export const notificationTargetCalls = routes(notificationTargetEndpoints, {
  listNotificationEndpoints: {
    summary: 'The notification targets with their state, also those that did not start',
    response: z.object({ notification_endpoints: list(NotificationEndpoint) }),
  },
  addNotificationEndpoint: {
    summary: 'Add a notification target, or change one',
    body: z.object({ service, account_id: targetName, properties: z.record(z.string(), z.string()) }),
    response: z.object({
      service: z.string(),
      account_id: z.string(),
      properties: z.record(z.string(), z.string()),
      restart: z.boolean(),
    }),
  },
  testNotificationEndpoint: {
    summary: 'Send a test event to a target; other servers than the embedded one only connect to it',
    params,
    body: z.object({}).nullish(),
    response: z.object({
      /** Milliseconds until the server answered. */
      duration: z.number(),
      /** Whether the target has taken a test event; else the server has only connected to it. */
      sent: z.boolean(),
    }),
  },
  listRefusedEvents: {
    summary: 'The events that a target has refused for good; the embedded store keeps them',
    params,
    response: z.object({
      total: z.number(),
      /** The oldest ones, at most 100. */
      events: list(
        z.object({
          /** When it was refused. */
          time: z.string(),
          /** In the words of the target. */
          reason: z.string(),
          /** `s3:ObjectCreated:Put` */
          eventName: z.string(),
          /** `bucket/key` */
          key: z.string(),
        }),
      ),
    }),
  },
  resendRefusedEvents: {
    summary: 'Send the events again that a target has refused',
    params,
    body: z.object({}).nullish(),
    response: z.object({
      /** How many the queue had room for. */
      count: z.number(),
    }),
  },
  dropRefusedEvents: { summary: 'Forget the events that a target has refused', params },
  deleteNotificationEndpoint: {
    summary: 'Remove a notification target',
    params,
    response: z.object({ restart: z.boolean() }),
  },
})
