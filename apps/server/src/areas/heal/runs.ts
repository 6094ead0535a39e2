import type { HealedItem } from '@stowage/contract'
import type { HealStatus } from '@stowage/madmin'
import { addItem, type HealTotals, healedItemOf, noTotals } from './message.ts'

/** Maximum number of heals in memory; the least recently joined one is dropped first. */
const MAX_RUNS = 100

/**
 * A heal on the storage server. The server returns each item only once, so the items read by one connection are shared with all
 * connections that follow the same heal, also later ones.
 */
export interface HealRun {
  readonly totals: HealTotals
  /** RFC 3339; empty before the first answer. */
  startTime: string
  /** Callbacks that receive new items. */
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

/** Adds an answer of the storage server and passes its items to all followers. */
export function take(run: HealRun, { startTime, items }: HealStatus): void {
  if (startTime !== undefined) run.startTime = startTime
  const healed = items.map(healedItemOf)
  for (const item of healed) addItem(run.totals, item)
  for (const follower of run.followers) follower(healed)
}
