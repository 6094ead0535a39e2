import { Fragment } from 'react'
import {
  formatAge,
  formatDate,
  formatDateTime,
  formatTimeWithZone,
  type TimeValue,
  toDate,
} from '../../lib/text/format.ts'

/** A date, or date and time if `exact` is set. The tooltip shows date, time and time zone. */
export function Time({ at, exact = false }: { at: TimeValue; exact?: boolean }) {
  const text = exact ? formatDateTime(at) : formatDate(at)
  if (text === '–') return <span className="ink-3">–</span>
  return (
    <time dateTime={toDate(at).toISOString()} title={formatTimeWithZone(at)}>
      <Hyphens text={text} />
    </time>
  )
}

/** The age of a value that is reported with a delay. */
export function Age({ at }: { at: TimeValue }) {
  return (
    <time dateTime={toDate(at).toISOString()} title={formatTimeWithZone(at)}>
      {formatAge(at)}
    </time>
  )
}

/** Renders hyphens at their normal width; tabular figures of Inter widen them. */
function Hyphens({ text }: { text: string }) {
  return text.split('-').map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one date never change their order
    <Fragment key={i}>
      {i > 0 && <i>-</i>}
      {part}
    </Fragment>
  ))
}
