/** Why a value is refused, in a form or in a call. They are shown beside the field, so they do not name it. */
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
  'bucket-name-characters': 'A bucket name contains no slash, and is neither "." nor ".."',
  'bucket-name-reserved': 'The storage server reserves this name',
})

/** Why a call is refused. */
const callReasons = defineReasons({
  // Sign-in and session; the first four are the words of the original.
  'not-signed-in': 'unauthenticated for invalid credentials',
  'session-unreadable': 'incorrect api key auth',
  'session-invalid': 'invalid session',
  'sign-in-refused': 'invalid Login',
  'session-ended': 'The session has ended. Sign in again.',
  'two-sessions': 'The request carries two sessions: another page on this host has set one of them. Try again.',
  'script-cookie': 'The cookie "token" is for scripts only. Sign in again.',
  'wrong-credentials':
    'The access key or the secret key is wrong, or the user is disabled. Service accounts and temporary credentials cannot sign in: use the access key of a user.',
  'not-operator-mode': 'This console is not in operator mode. Sign in with an access key and a secret key.',
  'too-many-sign-ins': [
    'Too many failed sign-ins. Wait {{count}} second.',
    'Too many failed sign-ins. Wait {{count}} seconds.',
  ],

  'too-many-sign-ins-waiting': 'Too many sign-ins are waiting. Try again.',

  // Any call; the first three are the words of the original.
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

  // The storage server.
  'storage-unreachable': 'The storage server cannot be reached',
  'storage-connection-failed': 'The connection to the storage server failed',
  'storage-unsupported': 'The storage server does not support this call',
  'storage-internal-error': 'The storage server reports an internal error',
  'storage-busy': 'The storage server is busy. Try again.',
  'storage-starting': 'The storage server is starting. Try again.',
  'clock-difference': 'The clocks of the console and the storage server differ too much',
  'bucket-exists': 'Bucket already exists',

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
  'objects-not-deleted': '{{failed}} of {{total}} objects could not be deleted',
})

/** Why a statement of a policy matches a request or not; the ids are those of `Because` in iam-policy. */
export const statementReasons = defineReasons({
  match: 'Action, resource and conditions match',
  'not-anonymous': 'It does not apply to anonymous callers',
  'other-user': 'It does not apply to the user {{principal}}',
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
 * Why the console refuses a call or a value: English texts by id. The answer of a failed call carries the id and its
 * values, so that the web app shows it in the user's language; other clients read the English `message`. A text that
 * depends on `count` has two forms, for one and for more.
 */
export const reasons = { ...valueReasons, ...callReasons, ...statementReasons }

type Texts = Readonly<Record<string, string | readonly [one: string, other: string]>>
type Places<T extends string> = T extends `${string}{{${infer Name}}}${infer Rest}` ? Name | Places<Rest> : never
type PlacesOf<T> = T extends string
  ? Places<T>
  : T extends readonly [string, infer Other extends string]
    ? Places<Other>
    : never

export type ReasonId = keyof typeof reasons
/** The values of a reason: what stands in its places. */
export type ReasonValues = Readonly<Record<string, string | number>>

/** A reason as an answer carries it. A later server may know more of them than its reader. */
export interface Reason {
  id: string
  params?: ReasonValues | undefined
}

type ParamsOf<I extends ReasonId> = [PlacesOf<(typeof reasons)[I]>] extends [never]
  ? []
  : [params: { readonly [Name in PlacesOf<(typeof reasons)[I]>]: Name extends 'count' ? number : string | number }]

/** A reason with its values: `reason('body-too-large', { size, limit })`. */
export function reason<I extends ReasonId>(id: I, ...[params]: ParamsOf<I>): Reason {
  return params === undefined ? { id } : { id, params }
}

/** The text of a reason in English; undefined for one that is not known here. */
export function englishOf({ id, params = {} }: Reason): string | undefined {
  if (!Object.hasOwn(reasons, id)) return undefined
  const text: string | readonly [string, string] = reasons[id as ReasonId]
  const form = typeof text === 'string' ? text : params.count === 1 ? text[0] : text[1]
  return form.replace(/\{\{(\w+)\}\}/g, (place, name: string) => String(params[name] ?? place))
}

/** Also where the extractor of texts looks: each is an entry of the catalogues. */
function defineReasons<const T extends Texts>(texts: T): T {
  return texts
}
