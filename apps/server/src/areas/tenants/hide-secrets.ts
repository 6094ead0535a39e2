import { isSecretName } from './secret-variables.ts'

const HIDDEN = '(not shown)'
/** An annotation that contains the whole object as applied. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** Returns a copy of an object for display: without managed fields, and without values that may be secrets. */
export function forDisplay(object: object): object {
  const copy = structuredClone(object) as {
    metadata?: { managedFields?: unknown; annotations?: Record<string, string> }
  }
  delete copy.metadata?.managedFields
  if (copy.metadata?.annotations && LAST_APPLIED in copy.metadata.annotations)
    delete copy.metadata.annotations[LAST_APPLIED]
  return hide(copy) as object
}

function hide(value: unknown): unknown {
  if (typeof value === 'string') return hideInString(value)
  if (Array.isArray(value)) return value.map(hide)
  if (typeof value !== 'object' || value === null) return value
  // An environment variable of a container: its name determines whether its value may be shown.
  if ('name' in value && typeof value.name === 'string' && 'value' in value && isSecretName(value.name))
    return { ...value, value: HIDDEN }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' && isSecretName(name) && name === name.toUpperCase() ? HIDDEN : hide(member),
    ]),
  )
}

/** Annotations and arguments may contain objects as JSON, addresses and options. */
function hideInString(text: string): string {
  if (/^\s*[[{]/.test(text)) {
    try {
      return JSON.stringify(hide(JSON.parse(text)))
    } catch {
      // Not JSON.
    }
  }
  return hideInText(text)
}

/**
 * Returns a text for display, such as a log, without values of variables that may be secrets. A log has megabytes of any
 * content, so each expression begins with something fixed: a run of characters is not searched from each of its places.
 */
export function hideInText(text: string): string {
  return text
    .replace(/\b([A-Z][A-Z0-9_]*)=("[^"]*"|\S+)/g, (whole, name: string) =>
      isSecretName(name) ? `${name}=${HIDDEN}` : whole,
    )
    .replace(OPTION, `$1$2${HIDDEN}`)
    .replace(/:\/\/[^\s/@:]*:[^\s/@]*@/g, `://${HIDDEN}@`)
}

/** An option of a command line, such as `--secret-key=…`. */
const OPTION = /(secret|password|token)(?<=-[a-z0-9-]{0,64})([a-z0-9-]{0,64}[= ])("[^"]*"|\S+)/gi
