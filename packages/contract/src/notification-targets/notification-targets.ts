import { z } from 'zod'
import { createOnly } from '../call/create-only.ts'
import { listSchema, routes } from '../call/route.ts'
import { targetName } from '../configs/configs.ts'
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
  /** The name of the target. */
  account_id: z.string(),
  /** `online`, `offline`; `off` for a disabled target, `not started` for one that the server does not list. */
  status: z.string(),
  /** The ARN that bucket rules refer to; empty until the target has started. */
  arn: z.string(),
  /** Whether the server starts it at its next restart. */
  waiting: z.boolean().optional(),
  /**
   * The numbers of events that are queued, that the target rejected permanently, and that were dropped because the queue was
   * full; absent if the server does not report them.
   */
  queued: z.number().optional(),
  refused: z.number().optional(),
  dropped: z.number().optional(),
  /** Why it receives no events. */
  lastError: z.string().optional(),
})
export type NotificationEndpoint = z.infer<typeof NotificationEndpoint>

export const notificationTargetCalls = routes(notificationTargetEndpoints, {
  listNotificationEndpoints: {
    summary: 'The notification targets with their state, including those that did not start',
    response: z.object({ notification_endpoints: listSchema(NotificationEndpoint) }),
  },
  addNotificationEndpoint: {
    summary: 'Add a notification target, or change one',
    body: z.object({
      service,
      account_id: targetName,
      properties: z.record(z.string(), z.string()),
      ...createOnly,
    }),
    response: z.object({
      service: z.string(),
      account_id: z.string(),
      properties: z.record(z.string(), z.string()),
      restart: z.boolean(),
    }),
  },
  testNotificationEndpoint: {
    summary: 'Send a test event to a target; servers other than the embedded store only connect to it',
    params,
    body: z.object({}).nullish(),
    response: z.object({
      /** The response time of the target (ms). */
      duration: z.number(),
      /** Whether the target accepted a test event; otherwise the server only connected to it. */
      sent: z.boolean(),
    }),
  },
  listTargetBuckets: {
    summary: 'The buckets with notification rules that name a target',
    params,
    response: z.object({
      /** The names, at most 20. */
      buckets: listSchema(z.string()),
      total: z.number(),
      /** False if the user may not read the rules of all buckets. */
      complete: z.boolean(),
    }),
  },
  listRefusedEvents: {
    summary: 'The events that a target rejected permanently, as kept by the embedded store',
    params,
    response: z.object({
      total: z.number(),
      /** The oldest events, at most 100. */
      events: listSchema(
        z.object({
          /** When the target rejected it. */
          time: z.string(),
          /** The target's message. */
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
    summary: 'Send the events again that a target rejected',
    params,
    body: z.object({}).nullish(),
    response: z.object({
      /** The number of events that fit into the queue. */
      count: z.number(),
    }),
  },
  dropRefusedEvents: { summary: 'Delete the events that a target rejected', params },
  deleteNotificationEndpoint: {
    summary: 'Remove a notification target',
    params,
    response: z.object({ restart: z.boolean() }),
  },
})
