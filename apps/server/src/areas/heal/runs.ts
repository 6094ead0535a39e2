import type { HealedItem } from '@stowage/contract'
import type { HealStatus } from '@stowage/madmin'
import { addItem, type HealTotals, healedItemOf, noTotals } from './message.ts'

/** Heals that are remembered; the one that was joined longest ago goes first. */
const MAX_RUNS = 100

/**
 * A heal of the storage server, which gives each item once: what one connection has read counts for all who follow the same
 * heal, and for a page that comes back to it.
 */
export interface HealRun {
  readonly totals: HealTotals
  /** RFC 3339; empty before the first answer. */
  startTime: string
  /** Each takes the items that come. */
  readonly followers: Set<(items: readonly HealedItem[]) => void>
}

export class HealRuns {
  readonly #runs = new Map<string, HealRun>()

  /** @param token from the storage server. Only callers with the right to heal receive one. */
  join(token: string): HealRun {
    const run = this.#runs.get(token) ?? { totals: noTotals(), startTime: '', followers: new Set() }
    this.#runs.delete(token)
    this.#runs.set(token, run)
    for (const [oldest, { followers }] of this.#runs) {
      if (this.#runs.size <= MAX_RUNS) break
      if (followers.size === 0) this.#runs.delete(oldest)
    }
    return run
  }
}

/** Enters what the storage server answered, for all who follow the heal. */
export function take(run: HealRun, { startTime, items }: HealStatus): void {
  if (startTime !== undefined) run.startTime = startTime
  const healed = items.map(healedItemOf)
  for (const item of healed) addItem(run.totals, item)
  for (const follower of run.followers) follower(healed)
}
