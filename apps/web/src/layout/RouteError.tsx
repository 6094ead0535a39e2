import type { ErrorComponentProps } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'

// Lazy, so that the first chunk does not hold what a failure looks like.
const ErrorState = lazy(async () => ({ default: (await import('../ui/states.tsx')).ErrorState }))

/** A page that failed to load or broke while it was drawn; the shell around it stays. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  return (
    <Suspense>
      <ErrorState error={error} onRetry={reset} />
    </Suspense>
  )
}
