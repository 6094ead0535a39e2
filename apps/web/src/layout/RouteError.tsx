import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorState } from '../ui/states.tsx'

/** A page that failed to load or broke while it was drawn; the shell around it stays. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  return <ErrorState error={error} onRetry={reset} />
}
