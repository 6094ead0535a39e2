import type { ConfigValues } from '../../config/config.ts'
import { readMysqlSource, readPostgresSource } from './data-sources.ts'
import { MAX_WEBHOOK_REQUESTS, type OpenTarget } from './open-target.ts'

/** A kind of target: its name in ARNs, and its code, which is loaded with the first target of the kind. */
export interface NotificationTargetKind {
  readonly subsystem: string
  readonly service: string
  readonly load: () => Promise<OpenTarget>
  /** As in `DeliveryTarget`. */
  readonly window?: number
  /** Returns what is wrong with values that are valid individually. */
  readonly check?: (values: ConfigValues) => string | undefined
}

export const NOTIFICATION_TARGET_KINDS: readonly NotificationTargetKind[] = [
  {
    subsystem: 'notify_webhook',
    service: 'webhook',
    window: MAX_WEBHOOK_REQUESTS,
    load: async () => (await import('./webhook.ts')).openWebhook,
  },
  { subsystem: 'notify_amqp', service: 'amqp', load: async () => (await import('./amqp.ts')).openAmqp },
  { subsystem: 'notify_kafka', service: 'kafka', load: async () => (await import('./kafka.ts')).openKafka },
  { subsystem: 'notify_mqtt', service: 'mqtt', load: async () => (await import('./mqtt.ts')).openMqtt },
  { subsystem: 'notify_nats', service: 'nats', load: async () => (await import('./nats.ts')).openNats },
  { subsystem: 'notify_nsq', service: 'nsq', load: async () => (await import('./nsq.ts')).openNsq },
  {
    subsystem: 'notify_mysql',
    service: 'mysql',
    load: async () => (await import('./mysql.ts')).openMysql,
    check: (values) => sourceProblem('dsn_string', values, readMysqlSource),
  },
  {
    subsystem: 'notify_postgres',
    service: 'postgresql',
    load: async () => (await import('./postgres.ts')).openPostgres,
    check: (values) => sourceProblem('connection_string', values, readPostgresSource),
  },
  {
    subsystem: 'notify_elasticsearch',
    service: 'elasticsearch',
    load: async () => (await import('./elasticsearch.ts')).openElasticsearch,
  },
  { subsystem: 'notify_redis', service: 'redis', load: async () => (await import('./redis.ts')).openRedis },
]

function sourceProblem(
  key: string,
  { [key]: text }: ConfigValues,
  read: (text: string) => unknown,
): string | undefined {
  try {
    if (text) read(text)
    return undefined
  } catch (error) {
    return `${key}: ${(error as Error).message}`
  }
}
