import type { ErrorComponentProps } from '@tanstack/react-router'
import { loadable } from '../ui/lazy/loadable.tsx'

// Loaded on demand, so that the first chunk does not hold what a failure looks like.
const ErrorState = loadable(async () => (await import('../ui/states.tsx')).ErrorState)

/** A page that broke while it was drawn; the shell around it stays. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  return <ErrorState error={error} onRetry={reset} />
}
