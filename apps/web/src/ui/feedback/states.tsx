import { type ReactNode, useEffect, useState } from 'react'
import { asFailure } from '../../lib/api/api.ts'
import { type Translate, useT } from '../../lib/text/i18n.ts'
import { CopyButton } from '../controls/CopyButton.tsx'
import { RetryButton } from '../controls/RetryButton.tsx'
import { StatusIcon } from '../icons/StatusIcon.tsx'
import { loadable } from '../lazy/loadable.tsx'
import css from '../lazy/states.module.css'
import type { RequiredPermission } from './AccessDenied.tsx'
import { TechnicalDetails } from './Banner.tsx'
import { RequestLink } from './RequestLink.tsx'

const AccessDenied = loadable(async () => (await import('./AccessDenied.tsx')).AccessDenied)

/** Shown for an empty list or section: the text of the specification, its purpose, an action, and a command to copy. */
export function EmptyState({
  title,
  children,
  actions,
  command,
}: {
  title: string
  children?: ReactNode
  actions?: ReactNode
  command?: string | undefined
}) {
  const t = useT()
  return (
    <div className={css.void}>
      <h2 className={css.title}>{title}</h2>
      {children !== undefined && <p className="ink-2">{children}</p>}
      {actions !== undefined && <div className={css.actions}>{actions}</div>}
      {command !== undefined && (
        <div className={css.command}>
          <div className={css.label}>{t('From the command line')}</div>
          <div className={css.copy}>
            <code>{command}</code>
            <CopyButton text={command} name={t('command')} />
          </div>
        </div>
      )}
    </div>
  )
}

interface ErrorStateProps {
  error: unknown
  onRetry?: (() => unknown) | undefined
  /** The action and resource of the request, to explain a denied request. */
  needs?: RequiredPermission
  /** Buttons in addition to Retry. */
  actions?: ReactNode
}

/** Shown in place of a section that could not be loaded; the rest of the page remains. */
export function ErrorState({ error, onRetry, needs, actions }: ErrorStateProps) {
  const t = useT()
  const failure = asFailure(error)
  const ways = (
    <>
      {onRetry && <RetryButton onRetry={onRetry} />}
      {actions}
    </>
  )
  if (failure.status === 403 && needs) return <AccessDenied failure={failure} needs={needs} actions={ways} />
  return (
    <div className={css.void} role="alert">
      <h2 className={css.title}>
        <StatusIcon state="bad">{failure.errorMessage}</StatusIcon>
      </h2>
      {failure.detailedError !== '' && (
        <p>
          <TechnicalDetails text={failure.detailedError} />
        </p>
      )}
      {failure.requestId !== undefined && (
        <dl className={css.facts}>
          <dt>{t('Request ID')}</dt>
          <dd className="mono">
            <RequestLink id={failure.requestId} at={failure.at} />
          </dd>
        </dl>
      )}
      <div className={css.actions}>{ways}</div>
    </div>
  )
}

/** Returns the loading message: one immediately, another after 3 s, and from 6 s on with the elapsed seconds. */
function loadingText(t: Translate, seconds: number): string {
  if (seconds < 3) return t('Loading...')
  if (seconds < 6) return t('This operation is taking longer than expected...')
  return t('This operation is taking longer than expected... ({{seconds}} seconds elapsed)', { seconds })
}

/** The line above content that is loading. Mount it when loading starts. */
export function SlowNotice() {
  const t = useT()
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((s) => s + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className={css.slow} role="status">
      {loadingText(t, seconds)}
    </div>
  )
}

/** Returns true once `active` has lasted `ms` milliseconds; shorter waits need no loading indicator. */
export function useLongWait(active: boolean, ms = 200): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!active) return setLate(false)
    const timer = setTimeout(() => setLate(true), ms)
    return () => clearTimeout(timer)
  }, [active, ms])
  return active && late
}
