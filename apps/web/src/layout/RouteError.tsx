import type { ErrorComponentProps } from '@tanstack/react-router'
import { useT } from '../lib/i18n.ts'
import { loadable } from '../lib/loadable.ts'

// Lazy, so that the first chunk does not hold what a failure looks like.
const ErrorState = loadable(() =>
  import('../ui/states.tsx').then(
    ({ ErrorState }) => ErrorState,
    // The look may be among what cannot be loaded.
    () => PlainError,
  ),
)

/** What browsers say when a part of the program is not there: the console was updated since this tab was opened. */
const missingPart = /dynamically imported module|importing a module script|unable to preload/i

/** A page that failed to load or broke while it was drawn; the shell around it stays. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  // A part that failed once stays failed until the page is loaded anew.
  const retry = missingPart.test(String(error)) ? () => window.location.reload() : reset
  return <ErrorState error={error} onRetry={retry} />
}

function PlainError({ onRetry }: { onRetry?: (() => void) | undefined }) {
  const t = useT()
  return (
    <div role="alert" style={{ padding: 24 }}>
      <p>{t('A part of this page could not be loaded.')}</p>
      <button type="button" className="link" onClick={onRetry}>
        {t('Retry')}
      </button>
    </div>
  )
}
