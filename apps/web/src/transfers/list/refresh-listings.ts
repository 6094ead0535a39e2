import { invalidate, queryClient } from '../../lib/api/query.ts'

/** The minimum interval between refreshes of a listing while its bucket changes (ms). */
const REFRESH_INTERVAL_MS = 3000
/** A listing with more pages than this is refreshed only when all transfers have ended, because every page costs a call. */
const FEW_PAGES = 3

const changedBuckets = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Call after the objects of a bucket changed, if more changes may follow soon. Refreshes its listings later. */
export function refreshListingsLater(bucket: string) {
  changedBuckets.add(bucket)
  timer ??= setTimeout(() => {
    timer = undefined
    void refreshListings((pages) => pages <= FEW_PAGES)
  }, REFRESH_INTERVAL_MS)
}

/** Call when all transfers have ended. Refreshes all changed listings now. */
export function refreshListingsNow() {
  clearTimeout(timer)
  timer = undefined
  if (changedBuckets.size === 0) return
  void refreshListings(() => true)
  void invalidate('listBuckets')
  changedBuckets.clear()
}

async function refreshListings(worthIt: (pages: number) => boolean) {
  const buckets = new Set(changedBuckets)
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [operation, input], state }) =>
      operation === 'listObjects' && buckets.has(queryBucket(input)) && worthIt(pageCount(state.data)),
  })
}

/** Query keys of `q` consist of an operation and its input. */
const queryBucket = (input: unknown) => (input as { params: { bucket: string } }).params.bucket
const pageCount = (data: unknown) => (data as { pages?: unknown[] } | undefined)?.pages?.length ?? 1
