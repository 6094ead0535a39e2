import type { ApiFailure } from './api-failure.ts'
import { asFailure } from './api-failure.ts'

/**
 * Data that are read from the server, as the components of `ui/` accept them: `<DataTable query>`, `<QueryView query>`. Every
 * result of `useQuery` is one.
 */
export interface QueryResult<T> {
  /** The last result; kept if a later request fails. */
  data: T | undefined
  /** The error of the last request; null if it succeeded. */
  error: unknown
  /** When `data` was read, milliseconds since 1970. */
  dataUpdatedAt: number
  /** Reads again. Resolves when the request has ended, successful or not. */
  refetch: () => Promise<unknown>
}

/** Data that are read page by page, such as a result of `useInfiniteQuery`. */
export interface PagedQueryResult<T> extends QueryResult<T> {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
}

/** The state in which a page shows a read. */
export type ResultView<T> =
  | { state: 'loading' }
  | { state: 'failed'; failure: ApiFailure }
  /** The data could not be refreshed; `data` is from an earlier request. */
  | { state: 'stale'; data: T; failure: ApiFailure }
  | { state: 'ready'; data: T }

/** Returns the state of a read. A resource that no longer exists (404) is reported as failed even if it was read before. */
export function resultView<T>({ data, error }: Pick<QueryResult<T>, 'data' | 'error'>): ResultView<T> {
  const failure = error == null ? undefined : asFailure(error)
  if (data === undefined) return failure ? { state: 'failed', failure } : { state: 'loading' }
  if (!failure) return { state: 'ready', data }
  return failure.status === 404 ? { state: 'failed', failure } : { state: 'stale', data, failure }
}

/** Reports whether the resource does not exist (404). */
export const isNotFound = ({ error }: Pick<QueryResult<unknown>, 'error'>) =>
  error != null && asFailure(error).status === 404

/** Returns the same read with other data, for data that are computed from several results. */
export function withData<T>(
  { error, dataUpdatedAt, refetch }: QueryResult<unknown>,
  data: T | undefined,
): QueryResult<T> {
  return { data, error, dataUpdatedAt, refetch }
}

const never = () => Promise.resolve()

/** Wraps data that need no request, such as rows of a form. */
export const loadedResult = <T>(data: T): QueryResult<T> => ({ data, error: null, dataUpdatedAt: 0, refetch: never })
