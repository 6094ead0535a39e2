import type { AccessSubject, Input } from '@stowage/contract'

/** A question of the page as it stands in the address; what is not asked yet is empty. */
export interface Question {
  who: AccessSubject['type']
  /** Of the user, group or access key. */
  name: string
  action: string
  resource: string
  conditions: readonly Condition[]
}

export interface Condition {
  key: string
  value: string
}

const TYPES: ReadonlySet<string> = new Set<AccessSubject['type']>(['user', 'group', 'access-key', 'anonymous'])

/** Conditions in the address: `key=value`, one a line. */
const SEPARATOR = '\n'

/** The question of an address. @param self who asks: the user that a question without a name is about */
export function questionFrom(search: Readonly<Record<string, string | undefined>>, self: string): Question {
  const { who = 'user', name, action = '', resource = '', if: conditions = '' } = search
  return {
    who: TYPES.has(who) ? (who as AccessSubject['type']) : 'user',
    name: name ?? (who === 'user' ? self : ''),
    action,
    resource,
    conditions: conditions.split(SEPARATOR).flatMap((line) => {
      const at = line.indexOf('=')
      return at > 0 ? [{ key: line.slice(0, at), value: line.slice(at + 1) }] : []
    }),
  }
}

/** The search parameters of a question. */
export function searchOf({ who, name, action, resource, conditions }: Partial<Question>): Record<string, string> {
  const all = {
    who: who === 'user' ? '' : (who ?? ''),
    name: name ?? '',
    action: action ?? '',
    resource: resource ?? '',
    if: (conditions ?? []).map(({ key, value }) => `${key}=${value}`).join(SEPARATOR),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

/** The question as the call takes it; undefined while something is missing. */
export function bodyOf({
  who,
  name,
  action,
  resource,
  conditions,
}: Question): Input<'explainAccess'>['body'] | undefined {
  if (action === '' || (who !== 'anonymous' && name.trim() === '')) return undefined
  return {
    subject: who === 'anonymous' ? { type: who } : { type: who, name },
    action,
    ...(resource.trim() === '' ? {} : { resource: resource.trim() }),
    ...(conditions.length === 0 ? {} : { conditions: [...conditions] }),
  }
}
