import { useSearchParam } from '../../lib/navigation/navigate.ts'

/** Which past of a bucket is shown. */
export interface Past {
  /** RFC 3339: the bucket as it was then. Nothing can be changed in that view. */
  at: string | undefined
  /** The bucket as it is, with the objects that a delete marker hides. */
  deleted: boolean
  /** What the listing asks for; undefined for an ordinary one. */
  date: string | undefined
}

/** Later than every version: each key's latest one, delete markers too. */
const END = '9999-12-31T23:59:59Z'

/** The past that the address names. */
export function usePast(): Past {
  const [text] = useSearchParam('at')
  const [flag] = useSearchParam('deleted')
  const at = text !== undefined && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : undefined
  const deleted = at === undefined && flag !== undefined
  return { at, deleted, date: at ?? (deleted ? END : undefined) }
}

/** A moment as a field for date and time has it, in the reader's time zone. */
export function toLocalText(moment: Date): string {
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19)
}

/** The moment that such a field names, RFC 3339; undefined when it is empty. */
export function toInstant(text: string): string | undefined {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}
