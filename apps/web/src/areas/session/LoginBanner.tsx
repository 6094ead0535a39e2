import { useEffect, useState } from 'react'
import type { ApiFailure } from '../../lib/api/api.ts'
import { plural, useT } from '../../lib/text/i18n.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import css from './LoginPage.module.css'

/** The error of a failed sign-in. After too many attempts it includes a countdown to the next one. */
export function LoginBanner({ failure, onClose }: { failure: ApiFailure; onClose: () => void }) {
  const t = useT()
  const left = useCountdown(failure.retryAfter)
  const wait =
    left === undefined
      ? ''
      : left > 0
        ? t(plural('Try again in {{count}} second.', 'Try again in {{count}} seconds.'), { count: left })
        : t('Try again.')
  const more = [failure.detailedError, wait].filter(Boolean).join(' ')
  return (
    <div className={css.banner}>
      <Banner kind="bad" title={failure.errorMessage} onClose={onClose}>
        {more}
      </Banner>
    </div>
  )
}

/** Counts down the remaining seconds of a wait. */
function useCountdown(seconds: number | undefined): number | undefined {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    setLeft(seconds)
    if (seconds === undefined) return
    const end = Date.now() + seconds * 1000
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 500)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}
