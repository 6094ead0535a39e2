import type { ErrorComponentProps } from '@tanstack/react-router'
import { loadable } from '../ui/lazy/loadable.tsx'

// Loaded on demand, to keep the error view out of the first chunk.
const ErrorState = loadable(async () => (await import('../ui/feedback/states.tsx')).ErrorState)

/** Replaces a page that failed to render. The layout around it remains. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  return <ErrorState error={error} onRetry={reset} />
}
