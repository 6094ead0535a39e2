import { type Message, msg, t } from '../../../lib/text/i18n.ts'

/** The configurations, in the order of the specification and with the titles of the original console. */
export const CONFIG_TITLES: Readonly<Record<string, Message>> = {
  region: msg('Edit Region Configuration'),
  cache: msg('Edit Cache Configuration'),
  compression: msg('Edit Compression Configuration'),
  etcd: msg('Edit etcd Configuration'),
  identity_openid: msg('Edit Identity Open ID Configuration'),
  identity_ldap: msg('Edit Identity LDAP Configuration'),
  logger_webhook: msg('Edit Logger Webhook Configuration'),
  audit_webhook: msg('Edit Audit Webhook Configuration'),
}

/** The titles of the notification targets, in the order of the list. */
export const NOTIFICATION_TITLES: Readonly<Record<string, Message>> = {
  notify_postgres: msg('Postgres SQL'),
  notify_kafka: msg('Kafka'),
  notify_amqp: msg('AMQP'),
  notify_mqtt: msg('MQTT'),
  notify_redis: msg('Redis'),
  notify_nats: msg('NATS'),
  notify_mysql: msg('Mysql'),
  notify_elasticsearch: msg('Elastic Search'),
  notify_webhook: msg('Webhook'),
  notify_nsq: msg('NSQ'),
}

/** Labels of keys whose name is not a good label. */
const KEY_LABELS: Readonly<Record<string, Message>> = {
  'region.name': msg('Server Location'),
  expiry: msg('Expiry (days)'),
  quota: msg('Quota (%)'),
  comment: msg('Comment'),
  name: msg('Name'),
  region: msg('Region'),
  drives: msg('Drives'),
  exclude: msg('Exclude'),
  after: msg('After'),
  watermark_low: msg('Watermark Low'),
  watermark_high: msg('Watermark High'),
  extensions: msg('Extensions'),
  mime_types: msg('Mime Types'),
  endpoints: msg('Endpoints'),
  path_prefix: msg('Path Prefix'),
  coredns_path: msg('Coredns Path'),
  client_cert: msg('Client Cert'),
  client_cert_key: msg('Client Cert Key'),
  client_key: msg('Client Key'),
  config_url: msg('Config URL'),
  client_id: msg('Client ID'),
  claim_name: msg('Claim Name'),
  claim_prefix: msg('Claim Prefix'),
  server_addr: msg('Server Addr'),
  username_format: msg('Username Format'),
  username_search_filter: msg('Username Search Filter'),
  group_search_filter: msg('Group Search Filter'),
  username_search_base_dn: msg('Username Search Base DN'),
  group_name_attribute: msg('Group Name Attribute'),
  sts_expiry: msg('STS Expiry'),
  tls_skip_verify: msg('TLS Skip Verify'),
  server_insecure: msg('Server Insecure'),
  endpoint: msg('Endpoint'),
  auth_token: msg('Auth Token'),
  queue_dir: msg('Queue Dir'),
  queue_limit: msg('Queue Limit'),
  connection_string: msg('Connection String'),
  dsn_string: msg('DSN String'),
  table: msg('Table'),
  format: msg('Format'),
  brokers: msg('Brokers'),
  topic: msg('Topic'),
  sasl_username: msg('SASL Username'),
  sasl_password: msg('SASL Password'),
  sasl_mechanism: msg('SASL Mechanism'),
  tls_client_auth: msg('TLS Client Auth'),
  sasl: msg('SASL'),
  tls: msg('TLS'),
  client_tls_cert: msg('Client TLS Cert'),
  client_tls_key: msg('Client TLS Key'),
  version: msg('Version'),
  url: msg('URL'),
  exchange: msg('Exchange'),
  exchange_type: msg('Exchange Type'),
  routing_key: msg('Routing Key'),
  mandatory: msg('Mandatory'),
  durable: msg('Durable'),
  no_wait: msg('No Wait'),
  internal: msg('Internal'),
  auto_deleted: msg('Auto Deleted'),
  delivery_mode: msg('Delivery Mode'),
  address: msg('Address'),
  key: msg('Key'),
  password: msg('Password'),
  broker: msg('Broker'),
  username: msg('Username'),
  qos: msg('QOS'),
  keep_alive_interval: msg('Keep Alive Interval'),
  reconnect_interval: msg('Reconnect Interval'),
  subject: msg('Subject'),
  token: msg('Token'),
  ping_interval: msg('Ping Interval'),
  streaming: msg('Streaming'),
  streaming_async: msg('Streaming Async'),
  streaming_max_pub_acks_in_flight: msg('Streaming Max Pub Acks In Flight'),
  streaming_cluster_id: msg('Streaming Cluster ID'),
  cert_authority: msg('Cert Authority'),
  index: msg('Index'),
  nsqd_address: msg('NSQD Address'),
}

/** Returns the label of a key; undefined if the key itself is the label. */
export function settingLabel(subsystem: string, key: string): Message | undefined {
  const own = `${subsystem}.${key}`
  if (Object.hasOwn(KEY_LABELS, own)) return KEY_LABELS[own]
  return Object.hasOwn(KEY_LABELS, key) ? KEY_LABELS[key] : undefined
}

/** Labels of choices whose value is not a good label. */
export const CHOICE_LABELS: Readonly<Record<string, Message>> = {
  'format.namespace': msg('Namespace'),
  'format.access': msg('Access'),
  'delivery_mode.1': msg('1 (non-persistent)'),
  'delivery_mode.2': msg('2 (persistent)'),
}

/** Returns `Kafka`, or the server's name for an unknown kind. */
export function notificationTitle(subsystem: string): string {
  const title = Object.hasOwn(NOTIFICATION_TITLES, subsystem) ? NOTIFICATION_TITLES[subsystem] : undefined
  return title === undefined ? subsystem : t(title)
}
