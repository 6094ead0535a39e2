import { COMMENT_KEY, type ConfigSubsystem, numberKey } from './config-key.ts'
import { LDAP_SUBSYSTEM } from './ldap-registry.ts'
import { NOTIFICATION_SUBSYSTEMS } from './notification-registry.ts'
import { OPENID_SUBSYSTEM } from './openid-registry.ts'
import { parseDurationMs } from './value-types.ts'

/** Name of the target without a name, and of the only target of other subsystems. */
export const DEFAULT_CONFIG_TARGET = '_'

/** In the order of display. Contains only settings that this store supports. */
export const CONFIG_REGISTRY: readonly ConfigSubsystem[] = [
  {
    name: 'site',
    help: 'name and region of this server',
    multipleTargets: false,
    dynamic: false,
    keys: [
      { name: 'name', type: 'string', help: 'name of the site, such as "rack-7"', default: '' },
      {
        name: 'region',
        type: 'string',
        help: 'region that signatures must name, such as "us-west-1"; empty for any',
        default: '',
        variables: ['STOWAGE_REGION', 'MINIO_REGION', 'MINIO_REGION_NAME'],
        check: (value) => (/^[a-z0-9-]{1,64}$/i.test(value) ? undefined : 'must contain only letters, digits and "-"'),
      },
      COMMENT_KEY,
    ],
  },
  {
    name: 'api',
    help: 'limits of S3 calls, allowed origins and access of the root user',
    multipleTargets: false,
    dynamic: true,
    keys: [
      numberKey('requests_max', 'most S3 requests served at the same time; 0 for no limit', 0, [0, 1_000_000]),
      {
        name: 'cluster_deadline',
        type: 'duration',
        help: 'time that each drive has to answer a check of the health of the cluster, 1ms to 1m',
        default: '10s',
        check: (value) =>
          (parseDurationMs(value) ?? 0) >= 1 && (parseDurationMs(value) ?? 0) <= 60_000
            ? undefined
            : 'must be 1ms to 1m',
      },
      {
        name: 'cors_allow_origin',
        type: 'csv',
        help: 'origins whose web pages may read answers, separated by commas; "*" stands for any text',
        default: '*',
        check: (value) =>
          /[^\x21-\x7e]/.test(value) ? 'must contain only printable ASCII, without blanks' : undefined,
      },
      {
        name: 'root_access',
        type: 'on|off',
        help: 'whether the root user may sign requests; off needs another enabled administrator',
        default: 'on',
      },
      {
        name: 'stale_uploads_expiry',
        type: 'duration',
        help: 'age at which unfinished multipart uploads are removed; 0 keeps them',
        default: '24h',
      },
      {
        name: 'stale_uploads_cleanup_interval',
        type: 'duration',
        help: 'time between two looks for unfinished multipart uploads, at least 1s',
        default: '6h',
        check: (value) => ((parseDurationMs(value) ?? 0) >= 1000 ? undefined : 'must be at least 1s'),
      },
      {
        name: 'object_max_versions',
        type: 'number',
        help: 'most versions and delete markers of one object; a write of another one is refused',
        default: '9223372036854775807',
        check: (value) => (Number(value) >= 1 ? undefined : 'must be at least 1'),
      },
    ],
  },
  {
    name: 'compression',
    help: 'compression of stored objects; what a client reads, and sizes, ETags and quotas, stay the same',
    multipleTargets: false,
    dynamic: true,
    keys: [
      { name: 'enable', type: 'on|off', help: 'whether new objects are compressed', default: 'off' },
      {
        name: 'allow_encryption',
        type: 'on|off',
        help: 'whether encrypted objects are compressed as well, which tells an observer how well they can be compressed',
        default: 'off',
      },
      {
        name: 'extensions',
        type: 'csv',
        help: 'endings of the names of objects that are compressed, such as ".log"; "*" for all',
        default: '.txt,.log,.csv,.json,.tar,.xml,.bin',
      },
      {
        name: 'mime_types',
        type: 'csv',
        help: 'content types of objects that are compressed, such as "text/*"; "*" for all',
        default: 'text/*,application/json,application/xml,binary/octet-stream',
      },
      COMMENT_KEY,
    ],
  },
  {
    name: 'scanner',
    help: 'pace of the background check of stored data',
    multipleTargets: false,
    dynamic: true,
    keys: [
      {
        name: 'speed',
        type: ['default', 'slowest', 'slow', 'fast', 'fastest'],
        help: 'share of one core that the background check may use',
        default: 'default',
      },
    ],
  },
  {
    name: 'heal',
    help: 'what the background check reads',
    multipleTargets: false,
    dynamic: true,
    keys: [
      {
        name: 'bitrotscan',
        type: 'on|off',
        help: 'whether the background check reads and compares the content of every object',
        default: 'on',
      },
    ],
  },
  {
    name: 'ilm',
    help: 'how much of the work of lifecycle rules is done at the same time',
    multipleTargets: false,
    dynamic: true,
    keys: [
      numberKey('transition_workers', 'versions that are moved to tiers at the same time', 4, [1, 100]),
      numberKey('expiration_workers', 'batches of expired objects that are removed at the same time', 1, [1, 100]),
    ],
  },
  OPENID_SUBSYSTEM,
  LDAP_SUBSYSTEM,
  {
    name: 'logger_webhook',
    help: 'webhooks that lines of the log are sent to',
    multipleTargets: true,
    dynamic: true,
    keys: [
      { name: 'endpoint', type: 'url', help: 'address that lines are sent to by POST', default: '', required: true },
      {
        name: 'auth_token',
        type: 'string',
        help: 'sent as a bearer token, or as it is if it names its scheme',
        default: '',
        secret: true,
      },
      numberKey(
        'queue_size',
        'lines that wait on disk while the webhook accepts none; more are dropped',
        100_000,
        [1, 10_000_000],
      ),
      COMMENT_KEY,
    ],
  },
  ...NOTIFICATION_SUBSYSTEMS,
  {
    name: 'audit_webhook',
    help: 'webhooks that a record of each request is sent to',
    multipleTargets: true,
    dynamic: true,
    keys: [
      {
        name: 'endpoint',
        type: 'url',
        help: 'address that records are sent to by POST, as lines of JSON',
        default: '',
        required: true,
      },
      {
        name: 'auth_token',
        type: 'string',
        help: 'sent as a bearer token, or as it is if it names its scheme',
        default: '',
        secret: true,
      },
      {
        name: 'queue_size',
        type: 'number',
        help: 'batches of records that wait on disk while the webhook accepts none; more are dropped',
        default: '100000',
        check: (value) => (Number(value) >= 1 && Number(value) <= 10_000_000 ? undefined : 'must be 1 to 10000000'),
      },
      COMMENT_KEY,
    ],
  },
]
