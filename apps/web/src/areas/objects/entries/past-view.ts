import { useSearchParam } from '../../../lib/navigation/navigate.ts'

/** The past state of a bucket that is shown. */
export interface PastView {
  /** RFC 3339: shows the bucket at that time. Nothing can be changed in that view. */
  at: string | undefined
  /** Shows the current objects and those hidden by a delete marker. */
  deleted: boolean
  /** The date parameter of the listing; undefined for a normal listing. */
  date: string | undefined
}

/** Later than any version: lists the latest version of each key, including delete markers. */
const END_OF_TIME = '9999-12-31T23:59:59Z'

/** Returns the past state that the URL selects. */
export function usePastView(): PastView {
  const [text] = useSearchParam('at')
  const [flag] = useSearchParam('deleted')
  const at = text !== undefined && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : undefined
  const deleted = at === undefined && flag !== undefined
  return { at, deleted, date: at ?? (deleted ? END_OF_TIME : undefined) }
}
