import { invalidate, queryClient } from '../../lib/api/query.ts'

/** The minimum interval between refreshes of a listing while its bucket changes (ms). */
const EVERY = 3000
/** A listing with more pages than this is refreshed only when all transfers have ended, because every page costs a call. */
const FEW_PAGES = 3

const changed = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Call after the objects of a bucket changed, if more changes may follow soon. Refreshes its listings later. */
export function refreshLater(bucket: string) {
  changed.add(bucket)
  timer ??= setTimeout(() => {
    timer = undefined
    void refresh((pages) => pages <= FEW_PAGES)
  }, EVERY)
}

/** Call when all transfers have ended. Refreshes all changed listings now. */
export function refreshNow() {
  clearTimeout(timer)
  timer = undefined
  if (changed.size === 0) return
  void refresh(() => true)
  void invalidate('listBuckets')
  changed.clear()
}

async function refresh(worthIt: (pages: number) => boolean) {
  const buckets = new Set(changed)
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [operation, input], state }) =>
      operation === 'listObjects' && buckets.has(bucketOf(input)) && worthIt(pagesOf(state.data)),
  })
}

/** Query keys of `q` consist of an operation and its input. */
const bucketOf = (input: unknown) => (input as { params: { bucket: string } }).params.bucket
const pagesOf = (data: unknown) => (data as { pages?: unknown[] } | undefined)?.pages?.length ?? 1
