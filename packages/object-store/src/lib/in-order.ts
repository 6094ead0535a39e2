/**
 * Works on several items at once, and yields the results in the order of the items.
 * @param concurrency maximum number of items in progress; asked again before each item
 */
export async function* mapInOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  concurrency: () => number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, void> {
  const started: Promise<Result>[] = []
  try {
    for await (const item of items) {
      for (let next = started[0]; next && started.length >= concurrency(); next = started[0]) {
        yield await next
        void started.shift()
      }
      const result = work(item)
      // A failure is reported when it is the item's turn.
      result.catch(() => undefined)
      started.push(result)
    }
    for (let next = started[0]; next; next = started[0]) {
      yield await next
      void started.shift()
    }
  } finally {
    // The caller may have left the loop. Nothing goes on after it.
    await Promise.allSettled(started)
  }
}
