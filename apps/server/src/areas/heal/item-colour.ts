import type { HealDrive, HealItemInfo } from '@stowage/madmin'

export type HealColour = 'green' | 'yellow' | 'red' | 'grey'

/** By parity: the largest margins (drives beyond those needed) that are red and yellow. Larger margins are green. */
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

/** Returns the colour of an item on these drives; grey also if it cannot be computed. */
export function itemColour(item: HealItemInfo, drives: readonly HealDrive[]): HealColour {
  const online = drives.filter(({ state }) => state === 'ok').length
  for (const [parity, surplus] of quorumMargins(item, drives, online)) {
    const bounds = BOUNDS[parity]
    if (!bounds || surplus > parity) continue
    if (surplus < 0) return 'grey'
    const [red, yellow] = bounds
    return surplus <= red ? 'red' : surplus <= yellow ? 'yellow' : 'green'
  }
  return 'grey'
}

/**
 * Returns how many drives an item may lose and how many more than needed are online, for each rule that applies, the best
 * first.
 */
function quorumMargins(
  item: HealItemInfo,
  drives: readonly HealDrive[],
  online: number,
): [parity: number, surplus: number][] {
  const { type, parityBlocks, dataBlocks, diskCount } = item
  const coded: [number, number] = [parityBlocks, online - dataBlocks]
  if (type === 'object' || type === 'bucket-metadata') return [coded]
  // Servers of 2025 give no counts for buckets.
  const sets = item.setCount > 0 ? item.setCount : 1
  const perSet = Math.floor((diskCount > 0 ? diskCount : drives.length) / sets)
  const quorum = Math.floor(perSet / 2) + 1
  // With two drives there is no majority; the embedded store keeps buckets like objects.
  return [[perSet - quorum, Math.floor(online / sets) - quorum], coded]
}
