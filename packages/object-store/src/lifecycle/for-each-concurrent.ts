/**
 * Does work for each item, for at most `workers` items at the same time. After a failure no more is begun.
 * @throws the first error, when no work is running any more
 */
export async function forEachConcurrent<Item>(
  items: Iterable<Item>,
  workers: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]()
  let failure: { error: unknown } | undefined
  const run = async () => {
    for (let next = rest.next(); !next.done && !failure; next = rest.next()) {
      await work(next.value).catch((error) => {
        failure ??= { error }
      })
    }
  }
  await Promise.all(Array.from({ length: workers }, run))
  if (failure) throw failure.error
}
