/** A field of a configuration form. The web app renders it; the server checks required fields. */
export interface FormField {
  readonly key: string
  /** Default: `text`. */
  readonly type?: 'text' | 'number' | 'csv' | 'switch' | 'secret' | 'choice'
  readonly required?: true
  /** The initial value of an empty field. */
  readonly default?: string
  /** The options of a `choice`. */
  readonly choices?: readonly string[]
}

const comment: FormField = { key: 'comment' }

/** The forms of the settings page, by subsystem. */
export const CONFIG_FORMS = {
  region: [{ key: 'name', required: true }, comment],
  cache: [
    { key: 'drives', type: 'csv', required: true },
    { key: 'expiry', type: 'number' },
    { key: 'quota', type: 'number' },
    { key: 'exclude', type: 'csv' },
    { key: 'after', type: 'number' },
    { key: 'watermark_low', type: 'number' },
    { key: 'watermark_high', type: 'number' },
    comment,
  ],
  compression: [
    { key: 'extensions', type: 'csv' },
    { key: 'mime_types', type: 'csv' },
  ],
  etcd: [
    { key: 'endpoints', type: 'csv', required: true },
    { key: 'path_prefix' },
    { key: 'coredns_path' },
    { key: 'client_cert' },
    { key: 'client_cert_key' },
    comment,
  ],
  identity_openid: [{ key: 'config_url' }, { key: 'client_id' }, { key: 'claim_name' }, { key: 'claim_prefix' }],
  identity_ldap: [
    { key: 'server_addr', required: true },
    { key: 'username_format', type: 'csv', required: true },
    { key: 'username_search_filter', required: true },
    { key: 'group_search_filter', required: true },
    { key: 'username_search_base_dn', type: 'csv' },
    { key: 'group_name_attribute' },
    { key: 'sts_expiry', default: '1h' },
    { key: 'tls_skip_verify', type: 'switch' },
    { key: 'server_insecure', type: 'switch' },
    comment,
  ],
  logger_webhook: [
    { key: 'endpoint', required: true },
    { key: 'auth_token', type: 'secret', required: true },
  ],
  audit_webhook: [
    { key: 'endpoint', required: true },
    { key: 'auth_token', type: 'secret', required: true },
  ],
} as const satisfies Record<string, readonly FormField[]>

/** The queue fields and the comment, at the end of most forms. */
const queue = [
  { key: 'queue_dir', required: true },
  { key: 'queue_limit', type: 'number', default: '10000' },
  comment,
] as const satisfies readonly FormField[]

const format: FormField = {
  key: 'format',
  type: 'choice',
  required: true,
  choices: ['namespace', 'access'],
  default: 'namespace',
}

/** The forms of the notification targets, by subsystem, in the order of the list. */
export const NOTIFICATION_FORMS = {
  notify_postgres: [
    { key: 'connection_string', type: 'secret', required: true },
    { key: 'table', required: true },
    format,
    ...queue,
  ],
  notify_kafka: [
    { key: 'brokers', type: 'csv', required: true },
    { key: 'topic' },
    { key: 'sasl_username' },
    { key: 'sasl_password', type: 'secret' },
    { key: 'sasl_mechanism', default: 'PLAIN' },
    { key: 'tls_client_auth' },
    { key: 'sasl', type: 'switch' },
    { key: 'tls', type: 'switch' },
    { key: 'tls_skip_verify', type: 'switch' },
    { key: 'client_tls_cert' },
    { key: 'client_tls_key' },
    { key: 'version' },
    ...queue,
  ],
  notify_amqp: [
    { key: 'url', type: 'secret', required: true },
    { key: 'exchange' },
    { key: 'exchange_type' },
    { key: 'routing_key' },
    { key: 'mandatory', type: 'switch' },
    { key: 'durable', type: 'switch' },
    { key: 'no_wait', type: 'switch' },
    { key: 'internal', type: 'switch' },
    { key: 'auto_deleted', type: 'switch' },
    { key: 'delivery_mode', type: 'choice', choices: ['1', '2'] },
    ...queue,
  ],
  notify_mqtt: [
    { key: 'broker', required: true },
    { key: 'topic', required: true },
    { key: 'username' },
    { key: 'password', type: 'secret' },
    { key: 'qos', type: 'number', default: '0' },
    { key: 'keep_alive_interval' },
    { key: 'reconnect_interval' },
    ...queue,
  ],
  notify_redis: [
    { key: 'address', required: true },
    { key: 'key', required: true },
    { key: 'password', type: 'secret' },
    ...queue,
  ],
  notify_nats: [
    { key: 'address', required: true },
    { key: 'subject', required: true },
    { key: 'username' },
    { key: 'password', type: 'secret' },
    { key: 'token', type: 'secret' },
    { key: 'tls', type: 'switch' },
    { key: 'tls_skip_verify', type: 'switch' },
    { key: 'ping_interval' },
    { key: 'streaming', type: 'switch' },
    { key: 'streaming_async', type: 'switch' },
    { key: 'streaming_max_pub_acks_in_flight', type: 'number' },
    { key: 'streaming_cluster_id' },
    { key: 'cert_authority' },
    { key: 'client_cert' },
    { key: 'client_key' },
    ...queue,
  ],
  notify_mysql: [
    { key: 'dsn_string', type: 'secret', required: true },
    { key: 'table', required: true },
    format,
    ...queue,
  ],
  notify_elasticsearch: [{ key: 'url', required: true }, { key: 'index', required: true }, format, ...queue],
  notify_webhook: [{ key: 'endpoint', required: true }, { key: 'auth_token', type: 'secret' }, ...queue],
  notify_nsq: [
    { key: 'nsqd_address', required: true },
    { key: 'topic', required: true },
    { key: 'tls', type: 'switch' },
    { key: 'tls_skip_verify', type: 'switch' },
    ...queue,
  ],
} as const satisfies Record<string, readonly FormField[]>

/** Returns the form of a subsystem; undefined if it has none and the server's help is used instead. */
export function findConfigForm(subsystem: string): readonly FormField[] | undefined {
  const forms: Readonly<Record<string, readonly FormField[]>> = { ...CONFIG_FORMS, ...NOTIFICATION_FORMS }
  return Object.hasOwn(forms, subsystem) ? forms[subsystem] : undefined
}

/** Returns the server's name of a key: the original console writes `queue-dir` for `queue_dir`. */
export function serverConfigKey(key: string): string {
  return key === 'queue-dir' || key === 'queue-limit' ? key.replace('-', '_') : key
}
