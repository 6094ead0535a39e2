import type { ReactNode } from 'react'
import { type Read, viewOf } from '../lib/api/read.ts'
import type { Need } from './Denied.tsx'
import { StaleNotice } from './StaleNotice.tsx'
import { ErrorState, SlowNotice, useLate } from './states.tsx'

interface QueryViewProps<T> {
  /** What is read: a result of `useQuery`. */
  query: Read<T>
  /** What is asked of the server, so that a refusal can be explained. */
  needs?: Need
  /** In place of an answer without content: an `EmptyState`. Nothing for an answer that has some. */
  empty?: (data: T) => ReactNode
  /** Ways on from a failure, besides Retry. */
  actions?: ReactNode
  /** What is shown of an answer. */
  children: (data: T) => ReactNode
}

/**
 * A page or section that shows one read: loading, denied, failed, out of date, empty or there. `DataTable` does the same for
 * lists, `CellQuery` for a cell.
 */
export function QueryView<T>({ query, needs, empty, actions, children }: QueryViewProps<T>) {
  const view = viewOf(query)
  const late = useLate(view.state === 'loading')
  if (view.state === 'loading') return late ? <SlowNotice /> : null
  if (view.state === 'failed') {
    // Retrying cannot help when the resource does not exist.
    const onRetry = view.failure.status === 404 ? undefined : query.refetch
    return <ErrorState error={view.failure} onRetry={onRetry} actions={actions} {...(needs && { needs })} />
  }
  return (
    <>
      {view.state === 'stale' && (
        <StaleNotice error={view.failure} readAt={query.dataUpdatedAt} onRetry={query.refetch} />
      )}
      {empty?.(view.data) || children(view.data)}
    </>
  )
}
