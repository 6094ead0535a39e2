import { COMMENT_KEY, type ConfigKey, type ConfigSubsystem, numberKey } from './config-key.ts'
import { type ConfigValueType, splitList } from './value-types.ts'

/** Maximum number of events in the queue of a target. */
export const DEFAULT_QUEUE_LIMIT = 10_000

/** Keys of every kind of target. */
const QUEUE: readonly ConfigKey[] = [
  {
    name: 'queue_dir',
    type: 'path',
    help: "folder of the events that wait; a name stands for a folder of that name in the store's data folder",
    default: '',
  },
  numberKey(
    'queue_limit',
    'events that wait on disk while the target accepts none; more are dropped; 0 is the default',
    DEFAULT_QUEUE_LIMIT,
    // MinIO writes 0 into its exports.
    [0, 10_000_000],
  ),
  COMMENT_KEY,
]

type KeyOptions = Partial<Pick<ConfigKey, 'default' | 'required' | 'secret' | 'check'>>

function key(name: string, help: string, type: ConfigValueType, options: KeyOptions = {}): ConfigKey {
  return { name, type, help, default: '', ...options }
}

const text = (name: string, help: string, options?: KeyOptions) => key(name, help, 'string', options)
const requiredText = (name: string, help: string, options?: KeyOptions) =>
  key(name, help, 'string', { ...options, required: true })
const secret = (name: string, help: string) => key(name, help, 'string', { secret: true })
const flag = (name: string, help: string, preset = 'off') => key(name, help, 'on|off', { default: preset })
const file = (name: string, help: string) =>
  key(name, `${help}; a PEM file below the folder "certs" of the store's data`, 'path')

const format = key(
  'format',
  'namespace (one entry for each object) or access (one for each event)',
  ['namespace', 'access'],
  {
    default: 'namespace',
    required: true,
  },
)

/** A table name, which is inserted into SQL statements because it cannot be a parameter. */
const table = requiredText('table', 'table that events are written to; it is created if it does not exist', {
  check: (value) =>
    /^[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?$/.test(value)
      ? undefined
      : 'must be a name of letters, digits and "_", with or without a schema',
})

function address(value: string): string | undefined {
  const port = /^(?:\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+):(\d{1,5})$/i.exec(value)?.[1]
  return Number(port) >= 1 && Number(port) <= 65_535
    ? undefined
    : 'must be a host and a port, such as broker.example:9092'
}

function scheme(...schemes: string[]) {
  return (value: string) =>
    URL.canParse(value) && schemes.includes(new URL(value).protocol)
      ? undefined
      : `must be an address that begins with ${schemes.map((each) => `${each}//`).join(' or ')}`
}

/** Defines a key of other servers that this one does not support. */
function unavailable(why: string) {
  return (value: string) => (/^(off|false|no|disabled|0)$/i.test(value) ? undefined : why)
}

const tls = [
  flag('tls', 'whether connections use TLS'),
  flag('tls_skip_verify', 'whether the certificate of the server is trusted unchecked'),
]

function target(kind: string, help: string, keys: readonly ConfigKey[]): ConfigSubsystem {
  return { name: `notify_${kind}`, help, multipleTargets: true, dynamic: true, keys: [...keys, ...QUEUE] }
}

/** The kinds of targets for bucket events. */
export const NOTIFICATION_SUBSYSTEMS: readonly ConfigSubsystem[] = [
  target('webhook', 'webhooks that events of buckets are sent to', [
    key('endpoint', 'address that events are sent to by POST', 'url', { required: true }),
    secret('auth_token', 'sent as a bearer token, or as it is if it names its scheme'),
  ]),
  target('amqp', 'AMQP 0.9.1 brokers, such as RabbitMQ, that events of buckets are sent to', [
    requiredText('url', 'address of the broker, such as "amqp://user:password@broker.example:5672"', {
      check: scheme('amqp:', 'amqps:'),
    }),
    text('exchange', 'name of the exchange; empty for the default exchange'),
    text('exchange_type', 'direct, fanout, topic or headers: the exchange is declared; empty: it must exist'),
    text('routing_key', 'routing key of the messages'),
    flag('mandatory', 'whether a message that reaches no queue counts as undelivered'),
    flag('durable', 'whether the exchange survives a restart of the broker'),
    flag('no_wait', 'accepted for compatibility; the answer of the broker is always awaited'),
    flag('internal', 'whether the exchange is internal'),
    flag('auto_deleted', 'whether the exchange is removed with its last queue'),
    key('delivery_mode', '1 (not persistent) or 2 (persistent)', ['0', '1', '2'], { default: '0' }),
    flag('publisher_confirms', 'accepted for compatibility; confirms are always used', 'on'),
  ]),
  target('kafka', 'Kafka topics that events of buckets are sent to', [
    key('brokers', 'hosts and ports of brokers, separated by commas', 'csv', {
      required: true,
      check: (value) =>
        splitList(value)
          .map(address)
          .find((problem) => problem !== undefined),
    }),
    text('topic', 'topic that events are sent to'),
    flag('sasl', 'whether to authenticate by SASL'),
    text('sasl_username', 'user of SASL'),
    secret('sasl_password', 'password of SASL'),
    key(
      'sasl_mechanism',
      'mechanism of SASL',
      ['plain', 'PLAIN', 'sha256', 'sha512', 'scram-sha-256', 'scram-sha-512'],
      {
        default: 'plain',
      },
    ),
    ...tls,
    text('tls_client_auth', 'accepted for compatibility; a client certificate is sent when there is one'),
    file('client_tls_cert', 'client certificate'),
    file('client_tls_key', 'key of the client certificate'),
    text('version', 'accepted for compatibility; the version of the protocol is negotiated'),
    key('compression_codec', 'none or gzip', ['none', 'gzip'], { default: 'none' }),
  ]),
  target('mqtt', 'MQTT topics that events of buckets are sent to', [
    requiredText('broker', 'address of the broker, such as "tcp://broker.example:1883"', {
      check: scheme('tcp:', 'mqtt:', 'ssl:', 'tls:', 'mqtts:'),
    }),
    requiredText('topic', 'topic that events are sent to', {
      check: (value) => (/[+#]/.test(value) ? 'must not contain "+" or "#"' : undefined),
    }),
    text('username', 'user'),
    secret('password', 'password'),
    key('qos', 'quality of service: 0, 1 or 2', ['0', '1', '2'], { default: '0' }),
    key('keep_alive_interval', 'time between two signs of life', 'duration', { default: '10s' }),
    key('reconnect_interval', 'accepted for compatibility; waits between attempts grow from 1 s to 1 min', 'duration', {
      default: '0s',
    }),
  ]),
  target('nats', 'NATS subjects that events of buckets are sent to', [
    requiredText('address', 'host and port of the server', { check: address }),
    requiredText('subject', 'subject that events are sent to', {
      check: (value) => (/[\s*>]/.test(value) ? 'must not contain blanks, "*" or ">"' : undefined),
    }),
    text('username', 'user'),
    secret('password', 'password'),
    secret('token', 'token'),
    ...tls,
    key('ping_interval', 'accepted for compatibility; the connection is checked with each event', 'duration', {
      default: '0s',
    }),
    flag('jetstream', 'whether a stream of JetStream must have stored an event'),
    key('streaming', 'NATS Streaming, which ended in 2023, is not available', 'on|off', {
      default: 'off',
      check: unavailable('cannot be on: NATS Streaming ended in 2023; use jetstream'),
    }),
    file('cert_authority', 'certificate authority of the server'),
    file('client_cert', 'client certificate'),
    file('client_key', 'key of the client certificate'),
  ]),
  target('nsq', 'NSQ topics that events of buckets are sent to', [
    requiredText('nsqd_address', 'host and port of nsqd', { check: address }),
    requiredText('topic', 'topic that events are sent to', {
      check: (value) =>
        /^[.a-zA-Z0-9_-]{1,64}$/.test(value) ? undefined : 'must be 1 to 64 letters, digits, ".", "_" and "-"',
    }),
    ...tls,
  ]),
  target('mysql', 'MySQL and MariaDB tables that events of buckets are written to', [
    requiredText('dsn_string', 'data source name, such as "user:password@tcp(db.example:3306)/events"'),
    table,
    format,
    numberKey('max_open_connections', 'accepted for compatibility; one connection is used', 2, [0, 1000]),
  ]),
  target('postgres', 'PostgreSQL tables that events of buckets are written to', [
    requiredText(
      'connection_string',
      'such as "host=db.example port=5432 user=stowage dbname=events sslmode=verify-full"',
    ),
    table,
    format,
    numberKey('max_open_connections', 'accepted for compatibility; one connection is used', 2, [0, 1000]),
  ]),
  target('elasticsearch', 'Elasticsearch indexes that events of buckets are written to', [
    key('url', 'address of the server', 'url', { required: true }),
    requiredText('index', 'index that events are written to', {
      check: (value) =>
        /^[^A-Z\s"*+/\\|?#>:_,<-][^A-Z\s"*/\\|?#>:,<]{0,254}$/.test(value)
          ? undefined
          : 'must be a name of lower-case letters, digits, ".", "_" and "-"',
    }),
    format,
    text('username', 'user'),
    secret('password', 'password'),
  ]),
  target('redis', 'Redis keys that events of buckets are written to', [
    requiredText('address', 'host and port of the server', { check: address }),
    requiredText('key', 'hash (namespace) or list (access) that events are written to'),
    format,
    text('user', 'user of an access control list; empty for the default user'),
    secret('password', 'password'),
    ...tls,
    file('cert_authority', 'certificate authority of the server'),
    file('client_cert', 'client certificate'),
    file('client_key', 'key of the client certificate'),
  ]),
]
