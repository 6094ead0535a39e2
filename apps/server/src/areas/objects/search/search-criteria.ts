import type { ObjectItem } from '@stowage/contract'
import { wildcardPattern } from '../../../lib/util/wildcard.ts'

/** The criteria of a search; see `searchObjects` in the contract. */
export interface ObjectSearchCriteria {
  name?: string | undefined
  /** Bytes. */
  min_size?: number | undefined
  max_size?: number | undefined
  /** RFC 3339. */
  after?: string | undefined
  before?: string | undefined
  tag?: string | undefined
  storage_class?: string | undefined
}

/** Returns a function that tests an entry of a listing against all criteria except the tag. */
export function searchItemTest(criteria: ObjectSearchCriteria): (item: ObjectItem) => boolean {
  const { min_size = 0, max_size = Number.POSITIVE_INFINITY } = criteria
  const after = criteria.after === undefined ? Number.NEGATIVE_INFINITY : Date.parse(criteria.after)
  const before = criteria.before === undefined ? Number.POSITIVE_INFINITY : Date.parse(criteria.before)
  const dated = criteria.after !== undefined || criteria.before !== undefined
  const storageClass = criteria.storage_class?.toUpperCase()
  const named = nameTest(criteria.name ?? '')
  return (item) => {
    if (item.size < min_size || item.size > max_size) return false
    if (storageClass !== undefined && (item.storage_class ?? 'STANDARD').toUpperCase() !== storageClass) return false
    if (dated) {
      const modified = Date.parse(item.last_modified)
      if (!(modified >= after && modified < before)) return false
    }
    return named(item.name)
  }
}

/** Case-insensitive. */
function nameTest(text: string): (key: string) => boolean {
  if (text === '') return () => true
  const wanted = text.toLowerCase()
  if (!/[*?]/.test(text)) return (key) => key.toLowerCase().includes(wanted)
  const fits = wildcardPattern(wanted, '?')
  if (text.includes('/')) return (key) => fits(key.toLowerCase())
  return (key) => fits(key.slice(key.lastIndexOf('/') + 1).toLowerCase())
}

/** Whether the tags contain `key` or `key=value`. A key may itself contain `=`, so every split is tried. */
export function matchesTag(tags: Readonly<Record<string, string>>, wanted: string): boolean {
  if (Object.hasOwn(tags, wanted)) return true
  for (let at = wanted.indexOf('='); at >= 0; at = wanted.indexOf('=', at + 1)) {
    const key = wanted.slice(0, at)
    if (Object.hasOwn(tags, key) && tags[key] === wanted.slice(at + 1)) return true
  }
  return false
}
