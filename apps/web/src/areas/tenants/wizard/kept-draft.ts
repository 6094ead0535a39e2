import { CHOICES, type Draft, newDraft, randomKey, STEPS } from './draft.ts'
import { AD, type Field, KEY_STORES, OIDC, REGISTRY } from './fields.ts'

/** The names of fields whose values are never stored, in any section. */
const SECRETS: ReadonlySet<string> = new Set([
  ...([REGISTRY, OIDC, AD, ...Object.values(KEY_STORES)] as readonly (readonly Field[])[])
    .flat()
    .flatMap(({ key, secret }) => (secret ? [key] : [])),
  'secretKeys',
  'certificates',
])

/** Matches the user name and password in a URL. */
const USER_INFO = /(\/\/)[^/@\s]*@/g

/** Returns the parts of a draft that may be stored and exported: no passwords, secret keys or files. */
export function withoutSecrets(draft: Draft): object {
  const strip = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(USER_INFO, '$1')
    if (Array.isArray(value)) return value.map(strip)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => (SECRETS.has(name) ? [] : [[name, strip(member)]])),
    )
  }
  return strip(draft) as object
}

/** The maximum number of list items that are restored. */
const MAX_ITEMS = 100

/** Returns `base` with the stored values that have the same type and, for fixed choices, are allowed. */
function merged(base: unknown, kept: unknown, name: string): unknown {
  if (typeof base !== typeof kept || Array.isArray(base) !== Array.isArray(kept) || kept === null) return base
  if (Array.isArray(base) && Array.isArray(kept)) {
    const texts = kept.filter((each) => typeof each === 'string').slice(0, MAX_ITEMS)
    return texts.length > 0 && typeof base[0] === 'string' ? texts : base
  }
  if (typeof base === 'object' && base !== null)
    return Object.fromEntries(
      Object.entries(base).map(([key, value]) => [
        key,
        Object.hasOwn(kept as object, key) ? merged(value, (kept as Record<string, unknown>)[key], key) : value,
      ]),
    )
  const choices: readonly unknown[] | undefined =
    name === 'page' ? STEPS : Object.hasOwn(CHOICES, name) ? CHOICES[name as keyof typeof CHOICES] : undefined
  return choices === undefined || choices.includes(kept) ? kept : base
}

/** Restores a draft, with new secret keys. Unknown fields are ignored. */
export function draftOf(kept: unknown): Draft {
  const draft = merged(newDraft(), kept, '') as Draft
  const { accessKeys } = draft.identityProvider
  return {
    ...draft,
    identityProvider: { ...draft.identityProvider, secretKeys: accessKeys.map(() => randomKey(32)) },
  }
}

export interface KeptDraft {
  draft: Draft
  /** ms since 1970. */
  at: number
}

const nameOf = (user: string, server: string) => `stowage.tenant-draft:${user}@${server}`

/** Returns the stored draft of a user on a cluster; there is at most one. It outlives the session. */
export function draftStore(user: string, server: string) {
  const name = nameOf(user, server)
  return {
    read(): KeptDraft | undefined {
      try {
        const { at, draft } = JSON.parse(localStorage.getItem(name) ?? '{}') as Record<string, unknown>
        return typeof at === 'number' && typeof draft === 'object' ? { at, draft: draftOf(draft) } : undefined
      } catch {
        // The stored value is invalid: there is no draft.
        return undefined
      }
    },
    write(draft: Draft) {
      try {
        localStorage.setItem(name, JSON.stringify({ at: Date.now(), draft: withoutSecrets(draft) }))
      } catch {
        // Storage is full or not allowed: the draft exists as long as the page.
      }
    },
    forget() {
      localStorage.removeItem(name)
    },
  }
}
