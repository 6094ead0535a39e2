import type { Input, Operation, Output, ReadOperation } from '@stowage/contract'
import { QueryClient, type QueryState, queryOptions } from '@tanstack/react-query'
import { ApiFailure, call } from './api.ts'

/** The cache of all server state. No component keeps a copy. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // A call without network fails immediately and is reported. By default it would wait silently, and a change would be made
    // later, unexpectedly, when the network returns. Besides, the console may run on this computer.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 15_000,
      // Other errors with a status are definite; only a gateway error is retried, once.
      retry: (count, error) => count < 1 && error instanceof ApiFailure && [502, 503, 504].includes(error.status),
      refetchOnWindowFocus: true,
      // The page shows a failure that was just read ahead for it, instead of making the call again.
      retryOnMount: ({ state }) => !isRecentFailure(state),
    },
  },
})

/** Returns the options of a query, for loaders and components alike: `useQuery(q('listBuckets', {}))`. */
export function q<O extends Operation>(operation: O, input: Input<O>) {
  return queryOptions({
    queryKey: [operation, input] as const,
    queryFn: async ({ signal }): Promise<Output<O>> => call(operation, { ...input, signal }),
  })
}

/** How long a failure that was read ahead counts as the answer (ms). */
const FRESH_FAILURE_MS = 5000
const isRecentFailure = ({ status, errorUpdatedAt }: Pick<QueryState, 'status' | 'errorUpdatedAt'>) =>
  status === 'error' && Date.now() - errorUpdatedAt < FRESH_FAILURE_MS

/** Starts to read data that a page will show. */
export function prefetch<O extends Operation>(operation: O, input: Input<O>): void {
  const options = q(operation, input)
  const state = queryClient.getQueryState(options.queryKey)
  if (!state || !isRecentFailure(state)) void queryClient.prefetchQuery(options)
}

/** Reads these calls again wherever their results are shown. */
export async function invalidate(...operations: readonly ReadOperation[]): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => operations.some((name) => name === queryKey[0]) })
}
