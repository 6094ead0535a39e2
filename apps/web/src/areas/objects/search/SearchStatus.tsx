import { Button } from '@mantine/core'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { RetryButton } from '../../../ui/controls/RetryButton.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { StatusIcon, type StatusIconState } from '../../../ui/icons/StatusIcon.tsx'
import css from './search.module.css'
import type { SearchState } from './search-run.ts'

const marks: Record<SearchState['state'], StatusIconState> = {
  idle: 'off',
  running: 'run',
  stopped: 'off',
  done: 'ok',
  failed: 'bad',
}

/** The progress of a search, with buttons to continue or retry it. */
export function SearchStatus({ run, onMore, onRetry }: { run: SearchState; onMore: () => void; onRetry: () => void }) {
  const t = useT()
  const { state, rows, scanned, unreadable, next, error } = run
  if (state === 'idle') return null
  return (
    <>
      <div className={css.status} role="status">
        <StatusIcon state={marks[state]}>
          {t(plural('{{count}} object found', '{{count}} objects found'), {
            count: rows.length,
          })}
        </StatusIcon>
        <span>{t(plural('{{count}} object searched', '{{count}} objects searched'), { count: scanned })}</span>
        {state === 'stopped' && <span>{t('The search was stopped.')}</span>}
        {unreadable > 0 && (
          <span>
            {t(
              plural(
                '{{count}} object has tags that could not be read',
                '{{count}} objects have tags that could not be read',
              ),
              {
                count: unreadable,
              },
            )}
          </span>
        )}
        {next !== undefined && (
          <Button size="xs" onClick={onMore}>
            {t('Search on')}
          </Button>
        )}
      </div>
      {error && (
        <Banner kind="bad" edge detail={error.detailedError} action={<RetryButton size="xs" onRetry={onRetry} />}>
          {error.errorMessage}
        </Banner>
      )}
    </>
  )
}
