import { invalidate, queryClient } from '../../lib/api/query.ts'

/** How often a listing is read again while its bucket changes, in milliseconds. */
const EVERY = 3000
/** A listing of more pages than this is read again only when all has ended: every page costs a call. */
const FEW_PAGES = 3

const changed = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined

/** The bucket's objects have changed, and may do so again soon. */
export function refreshLater(bucket: string) {
  changed.add(bucket)
  timer ??= setTimeout(() => {
    timer = undefined
    void refresh((pages) => pages <= FEW_PAGES)
  }, EVERY)
}

/** Whatever has changed has ended. */
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

/** Keys of `q` are an operation and its input. */
const bucketOf = (input: unknown) => (input as { params: { bucket: string } }).params.bucket
const pagesOf = (data: unknown) => (data as { pages?: unknown[] } | undefined)?.pages?.length ?? 1
