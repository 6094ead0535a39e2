import type { ReactNode } from 'react'
import { type QueryResult, resultView } from '../../lib/api/query-result.ts'
import type { RequiredPermission } from './AccessDenied.tsx'
import { StaleNotice } from './StaleNotice.tsx'
import { ErrorState, SlowNotice, useLongWait } from './states.tsx'

interface QueryViewProps<T> {
  /** The result of `useQuery`. */
  query: QueryResult<T>
  /** The action and resource of the request, to explain a denied request. */
  needs?: RequiredPermission
  /** Returns the content for an empty result (an `EmptyState`), or nothing if the result is not empty. */
  empty?: (data: T) => ReactNode
  /** Shown after an error, beside Retry. */
  actions?: ReactNode
  /** Renders the result. */
  children: (data: T) => ReactNode
}

/**
 * A page or section that shows the result of one query and handles its states: loading, denied, failed, stale, empty and
 * ready. `DataTable` does the same for lists, `CellQuery` for a cell.
 */
export function QueryView<T>({ query, needs, empty, actions, children }: QueryViewProps<T>) {
  const view = resultView(query)
  const late = useLongWait(view.state === 'loading')
  if (view.state === 'loading') return late ? <SlowNotice /> : null
  if (view.state === 'failed') {
    // A retry cannot help if the resource does not exist.
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
