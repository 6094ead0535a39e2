import type { ApiFailure } from '../failure.ts'
import { asFailure } from '../failure.ts'

/**
 * Something that is read from the server, as the parts of `ui/` take it: `<DataTable query>`, `<QueryView query>`. Every
 * result of `useQuery` is one.
 */
export interface Read<T> {
  /** The last answer; it stays when a later read fails. */
  data: T | undefined
  /** Why the last read failed; null when it did not. */
  error: unknown
  /** When `data` was read, milliseconds since 1970. */
  dataUpdatedAt: number
  /** Reads again; resolves when that has ended, whether it failed or not. */
  refetch: () => Promise<unknown>
}

/** A read in pages, as a result of `useInfiniteQuery` is. */
export interface PagedRead<T> extends Read<T> {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
}

/** What a page shows of a read: one of these four, the same for every list and section. */
export type View<T> =
  | { state: 'loading' }
  | { state: 'failed'; failure: ApiFailure }
  /** It could not be read again: `data` is of an earlier read. */
  | { state: 'stale'; data: T; failure: ApiFailure }
  | { state: 'ready'; data: T }

/** What to show of a read. What is gone (404) is not shown any more, although it was read before. */
export function viewOf<T>({ data, error }: Pick<Read<T>, 'data' | 'error'>): View<T> {
  const failure = error == null ? undefined : asFailure(error)
  if (data === undefined) return failure ? { state: 'failed', failure } : { state: 'loading' }
  if (!failure) return { state: 'ready', data }
  return failure.status === 404 ? { state: 'failed', failure } : { state: 'stale', data, failure }
}

/** Whether the thing that was read does not exist, or no longer. */
export const isGone = ({ error }: Pick<Read<unknown>, 'error'>) => error != null && asFailure(error).status === 404

/** The same read with other data: what a page shows may be worked out from several answers. */
export function withData<T>({ error, dataUpdatedAt, refetch }: Read<unknown>, data: T | undefined): Read<T> {
  return { data, error, dataUpdatedAt, refetch }
}

const never = () => Promise.resolve()

/** Data that is there without a call: rows of a form, for instance. */
export const loaded = <T>(data: T): Read<T> => ({ data, error: null, dataUpdatedAt: 0, refetch: never })
