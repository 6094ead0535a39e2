import { KeyedQueue } from '@stowage/contract/values/keyed-queue'

/** Runs a request when fewer than the limit are running. @throws the signal's reason if it is aborted before that */
export type TransferRequestLimit = <T>(signal: AbortSignal, request: () => Promise<T>) => Promise<T>

/**
 * Limits the number of parallel requests; the others wait in order of arrival. With HTTP/1.1 a browser opens six connections
 * to a server, so transfers use up to four and leave two for the pages.
 */
export function requestLimit(concurrency: number): TransferRequestLimit {
  // All requests have the same key, and p-limit would make the first page larger.
  const queue = new KeyedQueue({ perKey: concurrency })
  return (signal, request) => queue.run('', request, signal)
}
