import type { Input, Operation, Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from './api.ts'
import { q } from './query.ts'
import { type QueryResult, withData } from './query-result.ts'

/** Reads data for a form that is filled once: an answer from before it was opened would undo, when saved, what others changed. */
export function useFreshRead<O extends Operation>(
  operation: O,
  input: Input<O>,
  options: { refetchOnWindowFocus?: boolean } = {},
): QueryResult<Output<O>> {
  const query = useQuery({ ...q(operation, input), ...options, staleTime: 0 })
  return withData(query, query.isFetchedAfterMount ? query.data : undefined)
}

/**
 * Returns the present state of something that another user has changed meanwhile: read after each rejected save, and kept until
 * the dialog closes.
 */
export function useConflictingValue<O extends Operation>(operation: O, input: Input<O>, isConflict: boolean) {
  const { data } = useQuery({
    queryKey: [operation, input, 'theirs'],
    queryFn: ({ signal }): Promise<Output<O>> => call(operation, { ...input, signal }),
    enabled: isConflict,
    staleTime: 0,
    gcTime: 0,
  })
  return data
}
