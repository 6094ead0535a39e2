import { DamagedEntry } from '../../index-db/entry-checksum.ts'
import type { IndexReader } from '../../index-db/index-mirror.ts'
import { successor } from '../../index-db/key-bounds.ts'
import { S3Error } from '../../lib/errors.ts'
import type { Transaction } from '../commit/transaction.ts'
import { BackgroundTask } from '../core/background-task.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type { TierAccess } from '../interface/types.ts'
import { indexKeys } from '../records/index-keys.ts'
import {
  decodeTierObject,
  encodeTierObject,
  type TierObjectRecord,
  type VersionRecord,
} from '../records/index-records.ts'

/* Objects on tiers, as recorded in the index. Each contains the stored bytes of one version. */

const NOTHING = Buffer.alloc(0)

/** Whether the bytes of a version are only on its tier. */
export function isOnTierOnly({ tier }: VersionRecord): boolean {
  return tier !== undefined && tier.restoredUntil === undefined
}

export function readTierObject(index: IndexReader, object: string): TierObjectRecord {
  const key = indexKeys.tierObject(object)
  const value = index.get(key)
  if (!value) throw new DamagedEntry(key)
  return decodeTierObject(value)
}

/** Records an object before it is written, so that it is removed if no version uses it, even after a crash. */
export function announceTierObject(tx: Transaction, tier: string, object: string): void {
  tx.put(indexKeys.tierGarbage(tier, object), NOTHING)
}

export function enterTierObject(tx: Transaction, object: string, record: TierObjectRecord): void {
  tx.remove(indexKeys.tierGarbage(record.tier, object))
  tx.put(indexKeys.tierObject(object), encodeTierObject(record))
}

/** Marks the tier object of a deleted version for deletion. */
export function discardTierObject(tx: Transaction, object: string): void {
  const { tier } = readTierObject(tx, object)
  tx.remove(indexKeys.tierObject(object))
  tx.put(indexKeys.tierGarbage(tier, object), NOTHING)
  tx.garbage = true
}

/** Returns the number and the stored bytes of the versions on each tier. */
export function usageByTier(core: EngineCore): Map<string, { size: number; versions: number }> {
  const usage = new Map<string, { size: number; versions: number }>()
  const all = indexKeys.table('T')
  for (const { value } of core.index.range(all, successor(all))) {
    const { tier, size } = decodeTierObject(value)
    const known = usage.get(tier) ?? { size: 0, versions: 0 }
    usage.set(tier, { size: known.size + size, versions: known.versions + 1 })
  }
  return usage
}

/** Whether the tier has objects of this store, including those that wait for their removal. */
export function isTierUsed(core: EngineCore, tier: string): boolean {
  const garbage = indexKeys.tierGarbageByTier(tier)
  for (const _ of core.index.range(garbage, successor(garbage))) return true
  return usageByTier(core).has(tier)
}

/** @throws S3Error ServiceUnavailable if tiers are not available */
export function requireTierAccess({ tiers }: EngineCore): TierAccess {
  if (!tiers.access) throw new S3Error('ServiceUnavailable', 'The tiers of this store cannot be reached.')
  return tiers.access
}

/** Removes objects from tiers that no version needs any more. */
export class TierGarbageCollector {
  readonly #task = new BackgroundTask({
    run: () => this.#run(),
    onError: (error, task) => {
      this.core.log.warn({ err: error }, 'objects could not be removed from a tier; it will be tried again')
      task.startIn(RETRY_MS)
    },
  })

  constructor(private readonly core: EngineCore) {}

  start(): void {
    if (this.core.tiers.access) this.#task.start()
  }

  stop(): Promise<void> {
    return this.#task.stop()
  }

  async #run(): Promise<void> {
    const all = indexKeys.table('Z')
    const found = Array.from(this.core.index.range(all, successor(all)), ({ key }) => key.toString('latin1', 1))
    let failure: unknown
    for (const name of found) {
      const [tier = '', object = ''] = name.split('\0')
      if (this.#task.stopped) return
      // It is being written.
      if (this.core.tiers.active.has(object)) continue
      try {
        await requireTierAccess(this.core).remove(tier, object)
        await this.core.committer.commit((tx) => tx.remove(indexKeys.tierGarbage(tier, object)))
      } catch (error) {
        failure = error
      }
    }
    if (failure !== undefined) throw failure
  }
}

const RETRY_MS = 60_000
