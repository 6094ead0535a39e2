/** Why a value is rejected, in a form or in a call. Shown beside the field, so the texts do not name it. */
export const valueReasons = defineReasons({
  required: 'Field cannot be empty',
  'wrong-type': 'The value must be of type {{type}}',
  'not-one-of': 'The value must be one of: {{values}}',
  'text-too-short': ['Enter at least {{count}} character', 'Enter at least {{count}} characters'],
  'text-too-long': ['Enter at most {{count}} character', 'Enter at most {{count}} characters'],
  'list-too-short': ['Choose at least {{count}} entry', 'Choose at least {{count}} entries'],
  'list-too-long': ['Choose at most {{count}} entry', 'Choose at most {{count}} entries'],
  'number-too-small': 'The value must be at least {{minimum}}',
  'number-too-large': 'The value must be at most {{maximum}}',
  'wrong-format': 'The value does not have the required format',
  'not-json': 'The value must be valid JSON',
  'password-too-short': 'Passwords must be at least 8 characters long',
  'not-a-duration': 'Enter a duration such as 5ms or 1.5s',
  'not-a-date': 'Choose a day of the calendar',
  'bandwidth-too-small': 'Enter 0 for no limit, or at least 100 MB per second',
  'bucket-name-characters': 'A bucket name contains no slash, and is neither "." nor ".."',
  'bucket-name-reserved': 'The storage server reserves this name',
  // The original console's text.
  'tier-name':
    'Please verify that string is uppercase only and contains valid characters (numbers, dashes & underscores).',
})

/** Why a call is rejected. */
const callReasons = defineReasons({
  // Sign-in and session. The first four are texts of the original console.
  'not-signed-in': 'unauthenticated for invalid credentials',
  'session-unreadable': 'incorrect api key auth',
  'session-invalid': 'invalid session',
  'sign-in-refused': 'invalid Login',
  'session-ended': 'The session has ended. Sign in again.',
  'two-sessions': 'The request carries two sessions: another page on this host has set one of them. Try again.',
  'script-cookie': 'The cookie "token" is for scripts only. Sign in again.',
  'wrong-credentials':
    'The access key or the secret key is wrong, or the user is disabled. Service accounts cannot sign in, and temporary keys need their session token.',
  'sso-not-configured': 'There is no such identity provider',
  'sso-unreachable': 'unable to contact configured identity provider',
  'sso-expired': 'The sign-in at the identity provider took too long, or was started in another browser. Try again.',
  'wrong-directory-password': 'The directory does not accept this name and password.',
  'wrong-temporary-keys':
    'The storage server does not accept these keys with this session token, or they have expired.',
  'iam-archive-unreadable': 'The file is not an archive of users and policies, or it is damaged.',
  'iam-archive-sealed': 'The file is encrypted. Enter its passphrase.',
  'iam-archive-passphrase': 'The passphrase is wrong, or the file is damaged.',
  'no-directory': 'This console does not support sign-in with a directory account.',
  'server-without-directory': 'The storage server has no directory (LDAP).',
  'sso-refused': 'The identity provider did not confirm the sign-in. Try again.',
  'password-of-provider': 'You are signed in by an identity provider. Change the password there.',
  'not-operator-mode': 'This console is not in operator mode. Sign in with an access key and a secret key.',
  'too-many-sign-ins': [
    'Too many failed sign-ins. Wait {{count}} second.',
    'Too many failed sign-ins. Wait {{count}} seconds.',
  ],

  'too-many-sign-ins-waiting': 'Too many sign-ins are waiting. Try again.',

  // Any call. The first three are texts of the original console.
  unexpected: 'an error occurred, please try again',
  'path-not-found': 'path {{path}} was not found',
  'method-not-allowed': 'method {{method}} is not allowed, but [{{allowed}}] are',
  'access-denied': 'access denied',
  'other-site': 'Requests from other sites are refused',
  'web-app-not-built': 'The web app is not built. Run "npm run build".',
  'body-too-large': 'The request body is too large: {{size}}, the limit is {{limit}}',
  'body-over-limit': 'The request body is too large',
  'body-too-slow': 'The request body did not arrive in time',
  'too-many-requests': 'Too many requests from callers that are not signed in. Try again.',
  'body-type': 'The content type of the request body is not supported by this call',
  'body-not-json': 'The request body is not valid JSON',
  'body-encoded': 'Send the request body without Content-Encoding',
  'body-contradicts-address': '{{field}} in the body differs from {{parameter}} in the address',

  // Live connections.
  'socket-expected': 'This address is a WebSocket. Open it with an Upgrade request.',
  'too-many-sockets': 'The console has too many live connections. Close some pages and try again.',
  'too-many-sockets-of-session': 'This session has too many live connections. Close some pages and try again.',
  'right-lost': 'Your policy no longer allows {{action}}',
  'audit-token': 'The token of the audit records is wrong',
  'audit-body': 'The audit records are not lines of JSON',
  'license-not-found': 'license not found',
  'report-unreadable': 'The report of the storage server cannot be read',
  // Metrics. The first two are texts of the original console.
  'widget-not-found': 'Widget not found',
  'prometheus-unreachable': 'Prometheus URL is unreachable',
  'prometheus-slow': 'Prometheus did not answer in time',
  'prometheus-refused': 'Prometheus refuses the credentials of the console',
  'prometheus-other': 'The server at the address of Prometheus is not a Prometheus',
  'prometheus-job': 'Prometheus has no job {{job}}. It has: {{jobs}}',
  'no-metrics': 'No history of the metrics is kept',
  'range-backwards': 'The start is after the end',
  'live-stream-ended': 'The storage server ended the stream',
  'heal-both-forced': 'The options force-start and force-stop cannot be combined',
  'heal-stopped': 'The storage server stopped the heal',
  'heal-forgotten': 'The storage server no longer knows this heal: it was stopped, or the server has restarted',

  // The storage server.
  'storage-unreachable': 'The storage server cannot be reached',
  'storage-connection-failed': 'The connection to the storage server failed',
  'storage-unsupported': 'The storage server does not support this call',
  'storage-internal-error': 'The storage server reports an internal error',
  'storage-busy': 'The storage server is busy. Try again.',
  'storage-starting': 'The storage server is starting. Try again.',
  'clock-difference': 'The clocks of the console and the storage server differ too much',
  'bucket-exists': 'Bucket already exists',
  // The text of the original console, whose frontend recognizes by it that there is no encryption.
  'encryption-not-found': 'The server side encryption configuration was not found',
  'lifecycle-not-found': 'The lifecycle configuration does not exist',
  'lifecycle-rule-not-found': 'This lifecycle rule does not exist',
  'lifecycle-one-expiration': 'A rule expires objects after days, on a date, or removes delete markers: choose one',
  'lifecycle-expiry-or-transition': 'A rule either expires objects or moves them to a tier: choose one',
  'lifecycle-needs-tier': 'Choose a tier',
  'lifecycle-needs-action': 'Enter when the rule acts',
  'lifecycle-past-date': 'The date must not be in the past',
  'lifecycle-unreadable': 'The lifecycle rules of this bucket cannot be read',
  'lifecycle-tags': 'Tags have the form key=value, joined by &',
  'rule-prefix': 'A prefix cannot contain *, ? or ${: policies read these characters as patterns',
  'rule-of-other-statement':
    'Another statement of the bucket policy decides about this prefix. Change it in the bucket policy.',

  'replication-rule-not-found': 'The replication rule does not exist',
  'replication-target-not-found': 'The replication target does not exist',
  'replication-tags-and-markers': 'A rule with tags cannot replicate delete markers',
  'remote-credentials': 'The other server refuses these credentials',
  'remote-unreachable': 'The other server cannot be reached',
  'remote-address': 'Enter the address as host or host:port',
  'bucket-left-behind':
    'The settings of the new bucket {{bucket}} failed, and it could not be removed again. It exists without them.',
  'copy-from-itself': 'Choose another bucket to copy from',
  'copy-from-missing': 'The bucket to copy from does not exist',
  'copy-needs-locking':
    'A default retention needs object locking, which can only be turned on when a bucket is created',
  'arn-invalid': 'The ARN of a notification target has the form arn:minio:sqs::id:type',
  'event-exists': 'The bucket already has this subscription',
  'event-not-found': 'The bucket does not have this subscription. It may have been deleted.',
  'policy-changed': 'Somebody has changed the bucket policy meanwhile. Compare the two and save again.',
  'policy-locks-out': 'With this policy you could no longer read or change the bucket policy',

  // Users, groups, policies and service accounts. The first three are texts of the original console.
  'user-exists': 'access key already in use',
  'own-user-not-deleted': 'logged in user cannot be deleted by itself',
  'check-current-password': 'error please check your current password',
  'user-not-found': "User doesn't exist",
  'user-not-found-or-disabled': 'The user does not exist or is disabled. Enable the user first.',
  'group-not-found': 'The group does not exist',
  'access-key-not-found': 'There is no user or service account with this access key',
  'unknown-action': '{{action}} is not an action of any server',
  'policy-invalid': 'The policy is not valid',
  'root-password': 'The password of the root user is a setting of the storage server and cannot be changed here',
  'groups-not-updated': '{{failed}} of {{total}} groups could not be changed',
  'password-changed-sign-in': 'The password was changed. Sign in again.',

  // Settings and tiers. The first is a text of the original console.
  'tier-not-found': 'There was an error retrieving tier information',
  'tier-no-answer':
    'The storage server did not finish its test of the tier within {{seconds}} seconds. A tier cannot be on the storage server itself.',
  'tier-credentials-missing': 'Enter all credentials of this kind of tier',
  'config-unsupported': 'The storage server does not have the setting {{name}}',
  'config-key-unknown': 'The storage server does not have the key {{key}} in {{name}}',
  'config-key-locked': 'The environment variable {{variable}} of the storage server sets this value',
  'config-value-quote': 'The storage server cannot store quotation marks in a value',
  'config-value-control': 'A value must be one line without control characters',
  'config-value-key': 'The storage server would cut the value at "{{key}}=", because it takes it for the next key',
  'config-changed': 'Somebody has changed these settings meanwhile. Compare them and save again.',
  'config-refused': 'The storage server refuses the settings',
  'target-refused': 'The target did not accept the test event',
  'config-password-again': 'Type the password again: it is not kept when the rest of the value changes',
  'config-text-empty': 'The file contains no settings',
  'config-line-unreadable': 'Line {{line}} is not of the form "setting key=value"',
  'config-value-long': 'The value is longer than {{limit}} characters',
  'config-target-twice': 'The file names this target twice',
  'config-one-target': 'This setting has one target only',
  'config-import-problems': [
    'The file has {{count}} problem. Nothing was changed.',
    'The file has {{count}} problems. Nothing was changed.',
  ],
  'config-import-half':
    'The import stopped at {{name}}, and what it had changed before could not be put back. See the history.',
  'restart-not-seen': 'The storage server has not come back within {{seconds}} seconds. Reload the page later.',

  // Uploads and deletions.
  'form-expected': 'The request body must be a form with files (multipart/form-data)',
  'form-without-file': 'The form contains no file',
  'form-file-without-name': 'A file in the form has no name',
  'form-malformed': 'The form is malformed',
  'form-incomplete': 'The form is incomplete',
  'content-type-invalid': '"{{type}}" is not a valid content type',
  'size-differs': 'The file does not have the announced size',
  'size-announced': 'Announced size: {{size}} bytes',
  'part-without-size': 'The upload of a part needs a Content-Length',
  'not-all-deleted': 'Not everything could be deleted',
  'too-many-tags': 'An object can have at most 10 tags',
  'retention-in-the-past': 'The date must be in the future',
  'nothing-to-change': 'Choose something to change',
  'copy-into-itself': 'The target is the source itself, or inside of it',
  'copy-folder-to-object': 'The target of a folder must be a folder',
  'versioning-needed': 'This works only while versioning is on for the bucket',
  'object-changed': 'The object has changed. Load it again.',
  'text-too-large': 'The text is larger than 1 MiB',
  'text-encoded': 'The object is compressed ({{encoding}}), so it cannot be edited as text',
  'delete-scope-ambiguous': 'Name either a version, all versions or the noncurrent versions',
  'share-too-long': 'You can share a file only for less than 7 days.',
  'share-in-the-past': 'Selected date must be greater than current time.',
  'share-duration': 'The duration must have the form 604800000ms, 60s or 24h',
  'link-prefix': 'A prefix with * or ? or ${ cannot be shared: policies read these characters as patterns',
  'link-unknown': 'This link does not exist',
  'archive-damaged': 'This is not a zip archive, or it is damaged',
  'archive-split': 'An archive of several files cannot be opened',
  'archive-too-large': 'The directory of this archive has more than 64 MiB. Download the archive instead.',
  'archive-no-ranges': 'The storage server does not support ranged reads',
  'archive-no-member': 'The archive has no file of this name',
  'archive-member-name': 'The name of this file could leave the folder that it is saved to',
  'archive-member-encrypted': 'This file is encrypted',
  'archive-member-method': 'This file is compressed by a method that is not supported',
  'archive-member-overlap': 'This file shares bytes with another file of the archive',
  'archive-member-damaged': 'The archive is damaged at this file',
  'objects-not-deleted': '{{failed}} of {{total}} objects could not be deleted',
})

/** Why operator mode rejects a call. */
const operatorReasons = defineReasons({
  // The first three are texts of the original console.
  'kube-unauthorized': 'unauthorized',
  'kube-forbidden': 'forbidden',
  'kube-not-found': 'not found',
  'kube-kind-missing': 'The cluster does not have this kind of object. Is the MinIO operator installed?',
  'operator-mode': 'This console manages tenants. Sign in with the token of a service account.',
  'token-refused': 'The API server of the cluster does not accept the token. It may have expired.',
  'token-ended': 'The token has expired',
  'cluster-unreachable': 'The API server of the cluster cannot be reached',
  'cluster-connection-failed': 'The connection to the API server of the cluster failed',
  'cluster-busy': 'The API server of the cluster is busy. Try again.',
  'tenant-name-hyphen': 'The name must begin and end with a letter or a digit',
  'tenant-name-long': 'The name is too long: the names of its pods would have {{length}} characters, of at most 63',
  'tenant-exists': 'The tenant {{tenant}} already exists',
  'tenant-in-namespace': 'You can only create one tenant per namespace',
  'tenant-secret-exists': 'The secret {{secret}} already exists, and belongs to no tenant that is being created',
  'parity-invalid': 'invalid Erasure Coding Value',
  'parity-none': 'No erasure set fits {{nodes}} servers with {{drives}} drives each',
  'nodes-at-least': 'at least 4 nodes are required for a tenant',
  'nodes-too-few': 'there are not enough nodes in the cluster to support this tenant',
  'nodes-not-schedulable': 'there is not enough schedulable nodes to satisfy this requirement',
  'pool-last': 'The tenant has no other pool that can take the objects',
  'pool-not-found': 'The tenant has no pool {{pool}}',
  'pool-not-named': 'The servers of the tenant do not name the pool {{pool}}, so it cannot be drained safely',
  'pool-not-drained': 'The pool {{pool}} is not drained yet',
  'pool-refused': 'The tenant refused to change the pool',
  'pools-not-drained-here': 'The servers of this tenant cannot drain pools',
  'pools-unnamed': 'Pools without a name cannot be removed: the operator would number the others anew',
  'tenant-keys': 'The root keys of the tenant cannot be read. You need the right to get its secrets.',
  'tenant-unreachable': 'The tenant did not answer as expected',
  'pool-name-taken': 'The tenant already has a pool {{pool}}',
  'certificate-files-empty': 'certificate files must not be empty',
  'certificate-unreadable': 'The file contains no certificate that can be read',
  'certificate-key-unreadable': 'The file contains no private key that can be read',
  'certificate-key-other': 'The private key does not belong to the certificate',
  'certificate-without-tls': 'Encryption needs TLS: either automatic or custom certificates',
  'secret-not-referenced': 'The tenant does not refer to the secret {{secret}}',
  'tenant-without-encryption': 'The tenant has no key server',
  'tenant-without-certificates': 'The tenant has no certificates to replace',
  'tenant-without-configuration': 'The tenant names no secret with its configuration',
  'configuration-value-invalid': 'The value of {{variable}} contains a line break or another control character',
  'yaml-invalid': 'The text is not valid YAML',
  'yaml-other-tenant': 'The text names another tenant: {{field}} is {{value}}',
  'pod-of-other-tenant': 'The pod does not belong to the tenant',
  'volume-of-other-tenant': 'The volume does not belong to the tenant',
  'volume-in-use': 'The volume is used by the pod {{pod}}',
  'tenant-console-unreachable': 'The console of the tenant cannot be reached',
  'tenant-console-refused': 'The console of the tenant does not accept its credentials',
  'tenant-console-elsewhere': 'The service {{service}} leads to another host',
  'tenant-credentials': 'The credentials of the tenant cannot be read',
  'tenant-without-tls': 'The tenant has no TLS: its credentials would be sent unencrypted',
  'tenant-refused': 'The tenant does not accept its own root keys',
  'tenant-screens-ended': 'Open the tenant again from the list of tenants',
  'tenant-usage': 'unable to get tenant usage',
  'drive-invalid': '{{drive}} is not a drive in the form node:/dev/name',
  'drives-none': 'no resources found globally',
  'license-not-found': 'license not found',
  'license-invalid': 'invalid license key',
  'license-without-key': 'STOWAGE_LICENSE_KEY is not set: without that public key no license can be checked',
  'subnet-not-configured': 'STOWAGE_SUBNET_URL is not set: enter a license key instead',
  'subnet-refused': 'SUBNET does not accept the e-mail address or the password',
  'subnet-failed': 'SUBNET sent an unexpected response',
})

/** Why a policy statement matches a request or not. The IDs are those of `Because` in iam-policy. */
export const statementReasons = defineReasons({
  match: 'Action, resource and conditions match',
  'not-anonymous': 'It does not apply to anonymous callers',
  'other-user': 'It does not apply to the user {{principal}}',
  'other-user-than-group': 'It applies to users by their names, not to groups',
  'other-action': 'It does not include {{action}}',
  'other-resource': 'Its resources do not match {{resource}}',
  'nothing-in-it': 'Its resources match nothing in {{resource}}',
  'no-bucket-matches': 'Its resources match no bucket',
  'not-about-a-bucket': 'Its resources are buckets, but the request is not about a bucket',
  'part-of-it': 'Its resources match only a part of {{resource}}',
  'some-buckets': 'Its resources match only some buckets',
  variables: 'Its resources contain variables',
  'open-condition': 'It depends on {{key}}',
  'unmet-condition': 'The condition {{condition}} is not met: the request has {{given}}',
  'condition-without-value': 'The condition {{condition}} is not met: the request has no {{key}}',
  'unreadable-condition': 'The condition {{condition}} cannot be read: {{problem}}',
})

/**
 * Why the console rejects a call or a value: English texts by ID. The response contains the ID and its values, so that the web
 * app can show the text in the user's language; other clients read the English `message`. A text that depends on `count` has
 * two forms, singular and plural.
 */
export const reasons = { ...valueReasons, ...callReasons, ...operatorReasons, ...statementReasons }

type Texts = Readonly<Record<string, string | readonly [one: string, other: string]>>
type Places<T extends string> = T extends `${string}{{${infer Name}}}${infer Rest}` ? Name | Places<Rest> : never
type PlacesOf<T> = T extends string
  ? Places<T>
  : T extends readonly [string, infer Other extends string]
    ? Places<Other>
    : never

export type ReasonId = keyof typeof reasons
/** The values of the placeholders of a reason. */
export type ReasonValues = Readonly<Record<string, string | number>>

/** A reason in a response. A newer server may send reasons that the client does not have. */
export interface Reason {
  id: string
  params?: ReasonValues | undefined
}

type ParamsOf<I extends ReasonId> = [PlacesOf<(typeof reasons)[I]>] extends [never]
  ? []
  : [params: { readonly [Name in PlacesOf<(typeof reasons)[I]>]: Name extends 'count' ? number : string | number }]

/** Returns a reason with its values: `reason('body-too-large', { size, limit })`. */
export function reason<I extends ReasonId>(id: I, ...[params]: ParamsOf<I>): Reason {
  return params === undefined ? { id } : { id, params }
}

/** Returns the English text of a reason; undefined for an unknown one. */
export function englishOf({ id, params = {} }: Reason): string | undefined {
  if (!Object.hasOwn(reasons, id)) return undefined
  const text: string | readonly [string, string] = reasons[id as ReasonId]
  const form = typeof text === 'string' ? text : params.count === 1 ? text[0] : text[1]
  return form.replace(/\{\{(\w+)\}\}/g, (place, name: string) => String(params[name] ?? place))
}

/** Declares reasons. The text extractor looks for this call, and adds each text to the catalogues. */
function defineReasons<const T extends Texts>(texts: T): T {
  return texts
}
