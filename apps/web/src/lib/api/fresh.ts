import type { Input, Operation, Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from './query.ts'
import { type Read, withData } from './read.ts'

/** Reads data for a form that is filled once: an answer from before it was opened would undo, when saved, what others changed. */
export function useFresh<O extends Operation>(
  operation: O,
  input: Input<O>,
  options: { refetchOnWindowFocus?: boolean } = {},
): Read<Output<O>> {
  const query = useQuery({ ...q(operation, input), ...options, staleTime: 0 })
  return withData(query, query.isFetchedAfterMount ? query.data : undefined)
}
