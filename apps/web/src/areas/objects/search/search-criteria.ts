import { sizeUnits } from '@stowage/contract'
import { parseLocalTimeField } from '../../../lib/text/date-fields.ts'
import { unitBytes } from '../../../lib/text/size.ts'
import type { SearchQuery } from './search-run.ts'

/** The fields of the form, which are also the search parameters of the page. */
export const searchFields = ['name', 'min', 'max', 'after', 'before', 'tag', 'class', 'prefix'] as const
export type SearchField = (typeof searchFields)[number]
export type SearchCriteria = Readonly<Record<SearchField, string>>

export const NO_CRITERIA: SearchCriteria = {
  name: '',
  min: '',
  max: '',
  after: '',
  before: '',
  tag: '',
  class: '',
  prefix: '',
}

/** Returns the criteria from a URL. */
export function parseCriteria(search: string): SearchCriteria {
  const params = new URLSearchParams(search)
  return Object.fromEntries(searchFields.map((field) => [field, params.get(field) ?? ''])) as SearchCriteria
}

/** Parses a size such as `10 MiB`, `1.5g` or `4096` into bytes; undefined if it is invalid. Units are powers of 1024. */
export function parseSizeText(text: string): number | undefined {
  const [, number, letter = 'B'] = /^\s*(\d{1,15}(?:[.,]\d{1,3})?)\s*(?:([bkmgtp])(?:i?b)?)?\s*$/i.exec(text) ?? []
  if (number === undefined) return undefined
  const unit = sizeUnits.find((each) => each.startsWith(letter.toUpperCase())) ?? 'B'
  const bytes = Math.round(Number(number.replace(',', '.')) * unitBytes(unit))
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

/** Returns the fields with invalid input. */
export function invalidFields(typed: SearchCriteria): SearchField[] {
  return searchFields.filter((field) => {
    const text = typed[field].trim()
    if (text === '') return false
    if (field === 'min' || field === 'max') return parseSizeText(text) === undefined
    return (field === 'after' || field === 'before') && parseLocalTimeField(text) === undefined
  })
}

/** Returns the query for the server. Empty and invalid fields are omitted. */
export function toSearchQuery(typed: SearchCriteria): SearchQuery {
  const given = <K extends string, V>(name: K, value: V | undefined | '') =>
    value === undefined || value === '' ? {} : { [name]: value }
  return {
    ...given('prefix', typed.prefix),
    ...given('name', typed.name.trim()),
    ...given('min_size', parseSizeText(typed.min)),
    ...given('max_size', parseSizeText(typed.max)),
    ...given('after', parseLocalTimeField(typed.after)),
    ...given('before', parseLocalTimeField(typed.before)),
    ...given('tag', typed.tag.trim()),
    ...given('storage_class', typed.class.trim()),
  }
}
