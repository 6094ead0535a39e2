/** Returns where a key leads in a row of values; undefined for other keys. @param index null before the first key */
export function arrowKeyIndex(key: string, index: number | null, count: number): number | undefined {
  if (key === 'ArrowRight') return Math.min(count - 1, (index ?? -1) + 1)
  if (key === 'ArrowLeft') return Math.max(0, (index ?? count) - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}
