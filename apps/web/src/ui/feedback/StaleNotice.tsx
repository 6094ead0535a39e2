import { asFailure } from '../../lib/api/api-failure.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { RetryButton } from '../controls/RetryButton.tsx'
import { Time } from '../values/Time.tsx'
import { Banner } from './Banner.tsx'

interface StaleNoticeProps {
  /** The error of the last attempt. */
  error: unknown
  /** When the shown data were read, milliseconds since 1970. */
  readAt: number
  onRetry: () => unknown
}

/** A notice above data that could not be refreshed. */
export function StaleNotice({ error, readAt, onRetry }: StaleNoticeProps) {
  const { errorMessage, detailedError } = asFailure(error)
  return (
    <Banner kind="warn" edge detail={detailedError} action={<RetryButton size="xs" onRetry={onRetry} />}>
      {endWithStop(errorMessage)}{' '}
      <Trans text="Last updated at <time/>." parts={{ time: <Time at={readAt / 1000} exact /> }} />
    </Banner>
  )
}

/** Ends a server message with a full stop; some already end with one. */
const endWithStop = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
