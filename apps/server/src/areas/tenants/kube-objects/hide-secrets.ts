import { isSecretVariable } from './secret-variables.ts'

const HIDDEN = '(not shown)'
/** An annotation that contains the whole object as applied. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** Returns a copy of an object for display: without managed fields, and without values that may be secrets. */
export function objectForDisplay(object: object): object {
  const copy = structuredClone(object) as {
    metadata?: { managedFields?: unknown; annotations?: Record<string, string> }
  }
  delete copy.metadata?.managedFields
  if (copy.metadata?.annotations && LAST_APPLIED in copy.metadata.annotations)
    delete copy.metadata.annotations[LAST_APPLIED]
  return hideSecretValues(copy) as object
}

/** Returns annotations for display. */
export function annotationsForDisplay(annotations: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { metadata } = objectForDisplay({ metadata: { annotations } }) as {
    metadata: { annotations: Record<string, string> }
  }
  return metadata.annotations
}

/** Members of objects of other programs, such as a registry's `password` and `auth`; names of secrets are no secrets. */
const MEMBER =
  /^(?!.*(name|ref|secrets?)$)(auth|.*(password|passwd|passphrase|token|secret.?key|access.?key|private.?key|credentials?))$/i
const CLIENT_SECRET = /^(client.?)?secret(.?value)?$/i

const isSecretMember = (name: string, isForeign: boolean) =>
  (isSecretVariable(name) && name === name.toUpperCase()) ||
  (isForeign && (MEMBER.test(name) || CLIENT_SECRET.test(name)))

/** @param isForeign the value is from an object in an annotation, whose members have any names */
function hideSecretValues(value: unknown, isForeign = false): unknown {
  if (typeof value === 'string') return hideInString(value)
  if (Array.isArray(value)) return hideInList(value, isForeign)
  if (typeof value !== 'object' || value === null) return value
  // An environment variable of a container: its name determines whether its value may be shown.
  if ('name' in value && typeof value.name === 'string' && 'value' in value && isSecretVariable(value.name))
    return { ...value, value: HIDDEN }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' && isSecretMember(name, isForeign) ? HIDDEN : hideSecretValues(member, isForeign),
    ]),
  )
}

/** An option whose value is the next argument: `--password`, `-token`. */
const SECRET_OPTION =
  /^--?[a-z0-9-]*(secret|passw(or)?d|passphrase|token|(access|secret|private|api)-?key|credentials?)[a-z0-9-]*$/i
/** Options of curl and others with `name:password`. */
const USER_OPTION = /^(-u|--user|--proxy-user)$/

/** Hides secrets in the arguments of a command, where an option and its value may be two texts. */
function hideInList(list: readonly unknown[], isForeign: boolean): unknown[] {
  return list.map((value, i) => {
    const before = list[i - 1]
    if (typeof value === 'string' && typeof before === 'string') {
      if (SECRET_OPTION.test(before) && !before.includes('=')) return HIDDEN
      if (USER_OPTION.test(before) && value.includes(':')) return HIDDEN
    }
    return hideSecretValues(value, isForeign)
  })
}

/** Annotations and arguments may contain objects as JSON, addresses and options. */
function hideInString(text: string): string {
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.stringify(hideSecretValues(JSON.parse(text), true))
    } catch {
      // Not JSON.
    }
  }
  return hideSecretsInText(text)
}

/**
 * Returns a text for display, such as a log, without values of variables that may be secrets. A log has megabytes of any
 * content, so each expression begins with something fixed: a run of characters is not searched from each of its places.
 */
export function hideSecretsInText(text: string): string {
  return text
    .replace(/\b([A-Z][A-Z0-9_]*)=("[^"]*"|\S+)/g, (whole, name: string) =>
      isSecretVariable(name) ? `${name}=${HIDDEN}` : whole,
    )
    .replace(PRIVATE_KEY, `$1${HIDDEN}`)
    .replace(SIGNED, `$1${HIDDEN}`)
    .replace(COOKIE, `$1${HIDDEN}`)
    .replace(USER, `$1${HIDDEN}`)
    .replace(OPTION, `$1$2${HIDDEN}`)
    .replace(LABELLED, `$1${HIDDEN}`)
    .replace(JSON_MEMBER, `$1$2${HIDDEN}"`)
    .replace(BEARER, `$1 ${HIDDEN}`)
    .replace(/:\/\/[^\s/@:]*:[^\s/@]*@/g, `://${HIDDEN}@`)
}

/** An option of a command line, such as `--secret-key=…`. */
const OPTION = /(secret|password|token)(?<=-[a-z0-9-]{0,64})([a-z0-9-]{0,64}[= ])("[^"]*"|\S+)/gi

/** A private key as PEM, also one whose line breaks are escaped, and one that is cut off. */
const PRIVATE_KEY = /(-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----)[A-Za-z0-9+/=\s\\:,-]*?(?=-----END|["'<]|$)/g
/** Parts of a signature, in a query or a header. */
const SIGNED =
  /\b((?:X-Amz-Security-Token%3D|(?:X-Amz-(?:Signature|Credential)|AWSAccessKeyId|Credential|Signature)(?:=|%3D)))[^\s&"',;\\]+/gi
/** A header with cookies, up to the end of the line or text. */
const COOKIE = /\b((?:Set-)?Cookie2?\\{0,2}["']?\s{0,4}[:=]\s{0,4}\[?\\{0,2}["']?)[^\r\n"']+/gi
/** `curl -u name:password`. */
const USER = /((?:^|\s)(?:-u|--user|--proxy-user)[= ]\s{0,4}["']?)[^\s:"']{1,256}:[^\s"']+/g
/** `password: X`, as in YAML and in messages. */
const LABELLED =
  /\b((?:password|passwd|passphrase|pwd|secret|token|secret[_ -]?key|access[_ -]?key|private[_ -]?key|api[_ -]?key|credentials?)["']?\s{0,4}:\s{1,4}["']?)(?!\(not shown)[^\s"',}]+/gi

/** A member of a JSON log, such as `"secretKey":"…"`, also with escaped quotes. */
const JSON_MEMBER =
  /((?:secret|password|passwd|passphrase|token|access_?key|private_?key)[a-z0-9_-]{0,64})(\\?"\s{0,4}:\s{0,4}\\?")[^"\\]+(?:\\?")/gi
/** Credentials of a header: `Authorization: Bearer …`. */
const BEARER = /\b(Bearer|Basic) [A-Za-z0-9._~+/=-]{8,}/g
