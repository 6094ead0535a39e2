import type { AccessSubject, Input } from '@stowage/contract'

/** A question as it is in the URL. Parts that are not filled in yet are empty. */
export interface CanTheyQuestion {
  who: AccessSubject['type']
  /** The name of the user, group or access key. */
  name: string
  action: string
  resource: string
  conditions: readonly QuestionCondition[]
}

export interface QuestionCondition {
  key: string
  /** Empty if the key is absent. */
  value: string
  /** The request does not have the key. */
  absent?: true
}

const TYPES: ReadonlySet<string> = new Set<AccessSubject['type']>(['user', 'group', 'access-key', 'anonymous'])

/** Separates conditions in the URL, which have the form `key=value`, or `!key` for a key that the request does not have. */
const SEPARATOR = '\n'

/** Parses the question of a URL. @param self the current user, used if the URL names no user */
export function parseQuestion(search: Readonly<Record<string, string | undefined>>, self: string): CanTheyQuestion {
  const { who = 'user', name, action = '', resource = '', if: conditions = '' } = search
  return {
    who: TYPES.has(who) ? (who as AccessSubject['type']) : 'user',
    name: name ?? (who === 'user' ? self : ''),
    action,
    resource,
    conditions: conditions.split(SEPARATOR).flatMap((line) => {
      if (line.length > 1 && line.startsWith('!')) return [{ key: line.slice(1), value: '', absent: true as const }]
      const at = line.indexOf('=')
      return at > 0 ? [{ key: line.slice(0, at), value: line.slice(at + 1) }] : []
    }),
  }
}

/** Returns the search parameters of a question. */
export function questionSearch({
  who,
  name,
  action,
  resource,
  conditions,
}: Partial<CanTheyQuestion>): Record<string, string> {
  const all = {
    who: who === 'user' ? '' : (who ?? ''),
    name: name ?? '',
    action: action ?? '',
    resource: resource ?? '',
    if: (conditions ?? []).map(({ key, value, absent }) => (absent ? `!${key}` : `${key}=${value}`)).join(SEPARATOR),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

/** Returns the request body of a question; undefined while it is incomplete. */
export function explainAccessBody({
  who,
  name,
  action,
  resource,
  conditions,
}: CanTheyQuestion): Input<'explainAccess'>['body'] | undefined {
  if (action === '' || (who !== 'anonymous' && name.trim() === '')) return undefined
  return {
    subject: who === 'anonymous' ? { type: who } : { type: who, name },
    action,
    ...(resource.trim() === '' ? {} : { resource: resource.trim() }),
    ...(conditions.length === 0 ? {} : { conditions: [...conditions] }),
  }
}
