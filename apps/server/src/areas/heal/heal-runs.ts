import type { HealedItem } from '@stowage/contract'
import { MAX_UNHEALTHY } from '@stowage/contract/heal/heal'
import type { HealScope, HealStatus } from '@stowage/madmin'
import { addToHealTotals, emptyHealTotals, type HealTotals, isHealthyItem, wireHealedItem } from './healed-items.ts'

/** Maximum number of heals in memory that nobody follows; the least recently joined one is dropped first. */
const MAX_RUNS = 20

/**
 * A heal on the storage server. The server returns each item only once, so the items read by one connection are shared with all
 * connections that follow the same heal, also later ones.
 */
export interface HealRun {
  readonly path: HealScope
  readonly totals: HealTotals
  /** The first items that are or were not healthy. */
  readonly unhealthy: HealedItem[]
  /** How long it has run. If the server does not report its end: until it was first seen finished. */
  seconds: number
  isFinished: boolean
  /** Settles when the last of the requests for its state has ended. */
  lastRequest: Promise<unknown>
  /** Callbacks that receive new items. */
  readonly followers: Set<(items: readonly HealedItem[]) => void>
}

export class HealRuns {
  readonly #runs = new Map<string, HealRun>()

  /** @param token from the storage server. Only callers with the right to heal receive one. */
  join(path: HealScope, token: string): HealRun {
    const run = this.#runs.get(token) ?? {
      path,
      totals: emptyHealTotals(),
      unhealthy: [],
      seconds: 0,
      isFinished: false,
      lastRequest: Promise.resolve(),
      followers: new Set(),
    }
    this.#runs.delete(token)
    this.#runs.set(token, run)
    for (const [oldest, { followers }] of this.#runs) {
      if (this.#runs.size <= MAX_RUNS) break
      if (followers.size === 0) this.#runs.delete(oldest)
    }
    return run
  }

  /** Returns the token of the heal of a path that was joined last. */
  latestToken(path: HealScope): string | undefined {
    return [...this.#runs].findLast(([, run]) => isSame(run.path, path))?.[0]
  }

  /** Forgets the heals of a path. Connections that follow them continue. */
  forget(path: HealScope): void {
    for (const [token, run] of this.#runs) if (isSame(run.path, path)) this.#runs.delete(token)
  }
}

const isSame = (a: HealScope, b: HealScope) => a.bucket === b.bucket && a.prefix === b.prefix

/** Makes a request for the state of a heal after earlier ones: whoever reads that it has finished must have all items. */
export async function afterEarlierRequests<T>(run: HealRun, request: () => Promise<T>): Promise<T> {
  const answer = run.lastRequest.then(request)
  run.lastRequest = answer.catch(() => undefined)
  return await answer
}

/** Adds an answer of the storage server and passes its items to all followers. */
export function addHealStatus(run: HealRun, { startTime, endTime, items, summary }: HealStatus): void {
  if (startTime !== undefined && !run.isFinished) {
    const end = endTime === undefined ? Date.now() : Date.parse(endTime)
    run.seconds = Math.max(0, Math.round((end - Date.parse(startTime)) / 1000))
  }
  run.isFinished = summary === 'finished'
  const healed = items.map(wireHealedItem)
  for (const item of healed) {
    addToHealTotals(run.totals, item)
    if (!isHealthyItem(item) && run.unhealthy.length < MAX_UNHEALTHY) run.unhealthy.push(item)
  }
  for (const follower of run.followers) follower(healed)
}
