import { setTimeout as wait } from 'node:timers/promises'
import { DamagedEntry } from '../../index-db/entry-checksum.ts'
import type { IndexCopy } from '../../index-db/index-mirror.ts'
import type { EngineCore } from '../core/engine-core.ts'
import type { HealCopy } from '../interface/types.ts'
import { missingCopies } from './blob-healer.ts'
import type { IndexDrives } from './index-drives.ts'

/** Interval of checks whether a copy of the index has been restored (ms). */
const CHECK_MS = 50

/** State of some entries in one copy of the index. */
interface IndexCopyState extends HealCopy {
  /** Undefined if the drive has no copy of the index. */
  copy?: IndexCopy
}

/**
 * Checks some entries in all copies of the index. A copy in which an entry is missing or damaged is rebuilt.
 * @param entries returns the keys that must exist; called for each check, because writes continue
 * @param budget remaining time that the heal may wait for such copies (ms); this function reduces it
 */
export async function healIndex(
  { core, indexDrives }: { core: EngineCore; indexDrives: IndexDrives },
  entries: () => Buffer[],
  { dryRun, budget, signal }: { dryRun: boolean; budget: { leftMs: number }; signal: AbortSignal },
): Promise<{ before: HealCopy[]; after: HealCopy[] }> {
  const found = await checkIndexCopies(core, entries)
  const before = found.map(({ copy: _, ...state }) => state)
  if (dryRun || found.every(({ state }) => state === 'ok')) return { before, after: before }
  const damaged = found
    .filter(({ state }) => state === 'missing' || state === 'corrupt')
    .flatMap(({ copy }) => copy ?? [])
  for (const copy of damaged) {
    // The last copy is left in use: most of it can still be read.
    if (core.index.copies.length < 2 || !core.index.copies.includes(copy)) continue
    core.index.remove(copy.slot)
    indexDrives.indexDamaged(copy, new DamagedEntry(entries()[0] ?? Buffer.alloc(0)))
  }
  await waitForRebuild(core, budget, signal)
  return { before, after: (await checkIndexCopies(core, entries)).map(({ copy: _, ...state }) => state) }
}

async function checkIndexCopies(core: EngineCore, entries: () => Buffer[]): Promise<IndexCopyState[]> {
  const first = indexCopyStates(core, entries())
  if (first.every(({ state }) => state === 'ok')) return first
  // During a commit one copy may be behind the other; between commits they are equal.
  return await core.committer.exclusive(async () => indexCopyStates(core, entries()))
}

function indexCopyStates({ index, pool, blobs }: EngineCore, entries: readonly Buffer[]): IndexCopyState[] {
  const found = index.copies.map((copy): IndexCopyState => {
    const drive = pool.bySlot(copy.slot)
    const name = { id: drive?.id ?? '', path: drive?.path ?? '' }
    if (!drive?.usable) return { ...name, state: 'offline' }
    return { ...name, state: indexCopyState(copy, entries), copy }
  })
  const slots = index.copies.map(({ slot }) => slot)
  return [...found, ...missingCopies(pool, slots, blobs.wantedCopies - found.length)]
}

function indexCopyState({ index }: IndexCopy, entries: readonly Buffer[]): HealCopy['state'] {
  try {
    return entries.every((key) => index.get(key) !== undefined) ? 'ok' : 'missing'
  } catch {
    return 'corrupt'
  }
}

async function waitForRebuild(
  { index, pool }: EngineCore,
  budget: { leftMs: number },
  signal: AbortSignal,
): Promise<void> {
  while (index.copies.length < Math.min(2, pool.usable.length) && budget.leftMs > 0) {
    await wait(CHECK_MS, undefined, { signal })
    budget.leftMs -= CHECK_MS
  }
}
