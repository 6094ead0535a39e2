/**
 * Maps a list with so many calls under way at once; results stand in the list's order.
 * @throws the first failure; no further call begins then, and those under way are left to themselves
 */
export async function mapParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  map: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  const queue = items.entries()
  let failed = false
  const worker = async () => {
    for (const [index, item] of queue) {
      if (failed) return
      try {
        results[index] = await map(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  return results
}
