import { Fragment } from 'react'
import { formatAge, formatDate, formatDateTime, formatMoment, type Moment, toDate } from '../lib/text/format.ts'

/** A date, or date and time if `exact` is set. The tooltip shows date, time and time zone. */
export function Time({ at, exact = false }: { at: Moment; exact?: boolean }) {
  const text = exact ? formatDateTime(at) : formatDate(at)
  if (text === '–') return <span className="ink-3">–</span>
  return (
    <time dateTime={toDate(at).toISOString()} title={formatMoment(at)}>
      <Hyphens text={text} />
    </time>
  )
}

/** The age of a value that is reported with a delay. */
export function Age({ at }: { at: Moment }) {
  return (
    <time dateTime={toDate(at).toISOString()} title={formatMoment(at)}>
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
