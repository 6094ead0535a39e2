import { DRAFT_CHOICES, generateKey, newTenantDraft, type TenantDraft, WIZARD_STEPS } from './tenant-draft.ts'
import { AD_FIELDS, KEY_STORE_FIELDS, OIDC_FIELDS, REGISTRY_FIELDS, type WizardField } from './wizard-fields.ts'

/** The names of fields whose values are never stored, in any section. */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  ...(
    [REGISTRY_FIELDS, OIDC_FIELDS, AD_FIELDS, ...Object.values(KEY_STORE_FIELDS)] as readonly (readonly WizardField[])[]
  )
    .flat()
    .flatMap(({ key, secret }) => (secret ? [key] : [])),
  'secretKeys',
  'certificates',
])

/** Matches the user name and password in a URL. */
const USER_INFO = /(\/\/)[^/@\s]*@/g

/** Returns the parts of a draft that may be stored and exported: no passwords, secret keys or files. */
export function draftWithoutSecrets(draft: TenantDraft): object {
  const strip = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(USER_INFO, '$1')
    if (Array.isArray(value)) return value.map(strip)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => (SECRET_FIELDS.has(name) ? [] : [[name, strip(member)]])),
    )
  }
  return strip(draft) as object
}

/** The maximum number of list items that are restored. */
const MAX_ITEMS = 100

/** Returns `base` with the stored values that have the same type and, for fixed choices, are allowed. */
function mergeKnownFields(base: unknown, kept: unknown, name: string): unknown {
  if (typeof base !== typeof kept || Array.isArray(base) !== Array.isArray(kept) || kept === null) return base
  if (Array.isArray(base) && Array.isArray(kept)) {
    const texts = kept.filter((each) => typeof each === 'string').slice(0, MAX_ITEMS)
    return texts.length > 0 && typeof base[0] === 'string' ? texts : base
  }
  if (typeof base === 'object' && base !== null)
    return Object.fromEntries(
      Object.entries(base).map(([key, value]) => [
        key,
        Object.hasOwn(kept as object, key)
          ? mergeKnownFields(value, (kept as Record<string, unknown>)[key], key)
          : value,
      ]),
    )
  const choices: readonly unknown[] | undefined =
    name === 'page'
      ? WIZARD_STEPS
      : Object.hasOwn(DRAFT_CHOICES, name)
        ? DRAFT_CHOICES[name as keyof typeof DRAFT_CHOICES]
        : undefined
  return choices === undefined || choices.includes(kept) ? kept : base
}

/** Restores a draft, with new secret keys. Unknown fields are ignored. */
export function restoreDraft(kept: unknown): TenantDraft {
  const draft = mergeKnownFields(newTenantDraft(), kept, '') as TenantDraft
  const { accessKeys } = draft.identityProvider
  return {
    ...draft,
    identityProvider: { ...draft.identityProvider, secretKeys: accessKeys.map(() => generateKey(32)) },
  }
}

export interface StoredDraft {
  draft: TenantDraft
  /** ms since 1970. */
  at: number
}

const storageKey = (user: string, server: string) => `stowage.tenant-draft:${user}@${server}`

/** Returns the stored draft of a user on a cluster; there is at most one. It outlives the session. */
export function draftStore(user: string, server: string) {
  const name = storageKey(user, server)
  return {
    read(): StoredDraft | undefined {
      try {
        const { at, draft } = JSON.parse(localStorage.getItem(name) ?? '{}') as Record<string, unknown>
        return typeof at === 'number' && typeof draft === 'object' ? { at, draft: restoreDraft(draft) } : undefined
      } catch {
        // The stored value is invalid: there is no draft.
        return undefined
      }
    },
    write(draft: TenantDraft) {
      try {
        localStorage.setItem(name, JSON.stringify({ at: Date.now(), draft: draftWithoutSecrets(draft) }))
      } catch {
        // Storage is full or not allowed: the draft exists as long as the page.
      }
    },
    forget() {
      localStorage.removeItem(name)
    },
  }
}
