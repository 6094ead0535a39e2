import type { HealDrive, HealItem } from '@stowage/madmin'

export type Colour = 'green' | 'yellow' | 'red' | 'grey'

/** By parity: how many more drives than needed are red at most, and how many yellow. What is above is green. */
const BOUNDS: Readonly<Record<number, readonly [red: number, yellow: number]>> = {
  1: [0, 0],
  2: [0, 1],
  3: [1, 2],
  4: [1, 2],
  5: [1, 3],
  6: [2, 4],
  7: [2, 4],
  8: [2, 5],
}

/** The colour of an item with these drives; grey also where it cannot be computed. */
export function colourOf(item: HealItem, drives: readonly HealDrive[]): Colour {
  const online = drives.filter(({ state }) => state === 'ok').length
  for (const [parity, surplus] of marginsOf(item, drives, online)) {
    const bounds = BOUNDS[parity]
    if (!bounds || surplus > parity) continue
    if (surplus < 0) return 'grey'
    const [red, yellow] = bounds
    return surplus <= red ? 'red' : surplus <= yellow ? 'yellow' : 'green'
  }
  return 'grey'
}

/** How many drives an item may lose and how many more than needed are there, by each rule that fits, the best first. */
function marginsOf(item: HealItem, drives: readonly HealDrive[], online: number): [parity: number, surplus: number][] {
  const { type, parityBlocks, dataBlocks, diskCount } = item
  const coded: [number, number] = [parityBlocks, online - dataBlocks]
  if (type === 'object' || type === 'bucket-metadata') return [coded]
  // Servers of 2025 give no counts for buckets.
  const sets = item.setCount > 0 ? item.setCount : 1
  const perSet = Math.floor((diskCount > 0 ? diskCount : drives.length) / sets)
  const quorum = Math.floor(perSet / 2) + 1
  // Two drives have no majority; the embedded store keeps buckets like objects.
  return [[perSet - quorum, Math.floor(online / sets) - quorum], coded]
}
