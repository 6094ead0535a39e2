import type { ObjectChanges } from '@stowage/contract'
import { endOfUtcDay } from '../../../lib/text/date-fields.ts'
import { type MetadataField, metadataBody } from '../entries/metadata-fields.ts'

// A type, because a form's values must have an index signature.
export type ObjectChangeForm = {
  /** Leave empty to keep it unchanged. */
  content_type: string
  /** A field without a value is removed from the objects. */
  fields: MetadataField[]
  tags: MetadataField[]
  legal_hold: '' | 'enabled' | 'disabled'
  retention: '' | 'governance' | 'compliance' | 'remove'
  /** The last day of the retention, such as `2026-11-30`. */
  date: string
  governance_bypass: boolean
}

export const NO_OBJECT_CHANGE: ObjectChangeForm = {
  ...{ content_type: '', fields: [], tags: [], legal_hold: '', retention: '', date: '', governance_bypass: false },
}

/** Returns the changes for the request; undefined if nothing changes. */
export function objectChanges(form: ObjectChangeForm): ObjectChanges | undefined {
  const { headers, user_metadata } = metadataBody(form.fields.filter(({ name }) => name.trim() !== ''))
  const tags = form.tags.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value.trim()])
  const { retention } = form
  const changes = {
    ...(form.content_type.trim() === '' ? {} : { content_type: form.content_type.trim() }),
    ...optionalField('headers', emptyAsNull(headers)),
    ...optionalField('user_metadata', emptyAsNull(user_metadata)),
    ...optionalField('tags', emptyAsNull(Object.fromEntries(tags))),
    ...(form.legal_hold === '' ? {} : { legal_hold: form.legal_hold }),
    ...(retention === 'remove' ? { retention: null } : {}),
    ...(retention === 'governance' || retention === 'compliance'
      ? { retention: { mode: retention, expires: endOfUtcDay(form.date) } }
      : {}),
  }
  if (Object.keys(changes).length === 0) return undefined
  return { ...changes, governance_bypass: form.governance_bypass }
}

const emptyAsNull = (map: Record<string, string>) =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, value === '' ? null : value]))

const optionalField = <N extends string, M extends object>(name: N, map: M) =>
  Object.keys(map).length === 0 ? {} : ({ [name]: map } as Record<N, M>)
