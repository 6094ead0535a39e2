import type { Input, Operation, Output, ReadOperation } from '@stowage/contract'
import { QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiFailure, call } from './api.ts'

/** All state of the server lives here and nowhere else. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Offline a call fails immediately and is reported. By default it would wait silently, and a change would be made when the
    // network returns, unasked. The console may also run on this very machine.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 15_000,
      // Failures with a status are answers; only a gateway's hiccup is worth one more try.
      retry: (count, error) => count < 1 && error instanceof ApiFailure && [502, 503, 504].includes(error.status),
      refetchOnWindowFocus: true,
    },
  },
})

/** Options of a query, one function for loader and component: `useQuery(q('listBuckets', {}))`. */
export function q<O extends Operation>(operation: O, input: Input<O>) {
  return queryOptions({
    queryKey: [operation, input] as const,
    queryFn: async ({ signal }): Promise<Output<O>> => call(operation, { ...input, signal }),
  })
}

/** Starts to read what a page will show. */
export function prefetch<O extends Operation>(operation: O, input: Input<O>): void {
  void queryClient.prefetchQuery(q(operation, input))
}

/** Reads the answers of these calls again, wherever they are shown. */
export async function invalidate(...operations: readonly ReadOperation[]): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => operations.some((name) => name === queryKey[0]) })
}
