import { asFailure } from '../lib/failure.ts'
import { Trans } from '../lib/text/Trans.tsx'
import { Banner } from './Banner.tsx'
import { RetryButton } from './RetryButton.tsx'
import { Time } from './Time.tsx'

interface StaleNoticeProps {
  /** Why it could not be read again. */
  error: unknown
  /** When what is shown was read, milliseconds since 1970. */
  readAt: number
  onRetry: () => unknown
}

/** Above what is still shown although it could not be read again. */
export function StaleNotice({ error, readAt, onRetry }: StaleNoticeProps) {
  const { errorMessage, detailedError } = asFailure(error)
  return (
    <Banner kind="warn" edge detail={detailedError} action={<RetryButton size="xs" onRetry={onRetry} />}>
      {sentence(errorMessage)}{' '}
      <Trans text="Last updated at <time/>." parts={{ time: <Time at={readAt / 1000} exact /> }} />
    </Banner>
  )
}

/** Messages of servers end with a full stop or without. */
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
