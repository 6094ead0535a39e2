import { readdir } from 'node:fs/promises'
import { BlobStore } from '../blobs/blob-store.ts'
import { removeBlob, settleBlob } from '../blobs/blob-writer.ts'
import type { DrivePool } from '../drives/drive-pool.ts'
import { IndexMirror } from '../index-db/index-mirror.ts'
import { successor } from '../index-db/key-bounds.ts'
import { StoreJournal } from '../journal/journal.ts'
import { listSegments } from '../journal/journal-segment.ts'
import type { KeyRing } from '../key-ring/key-ring.ts'
import { isScratchBucket } from '../lib/scratch-bucket.ts'
import { deleteBucket } from './buckets/buckets.ts'
import { ChangeFeed } from './commit/change-feed.ts'
import { Committer } from './commit/committer.ts'
import { recoverIndex } from './commit/recover-index.ts'
import { BucketTable } from './core/bucket-table.ts'

import type { EngineCore } from './core/engine-core.ts'
import { LockClock } from './core/lock-clock.ts'
import { LockClockKeeper } from './core/lock-clock-keeper.ts'
import { CURSOR_COLLECTION } from './core/stored-documents.ts'
import { encryptDocuments } from './encryption/encrypt-documents.ts'
import { GarbageCollector } from './garbage-collector.ts'
import type { Engine, EngineLog, StoreChange } from './interface/types.ts'
import { indexKeys } from './records/index-keys.ts'
import { decodeBlob } from './records/index-records.ts'
import { BlobHealer } from './repair/blob-healer.ts'
import { DriveWatch } from './repair/drive-watch.ts'
import { healObjects } from './repair/heal-objects.ts'
import { IndexDrives } from './repair/index-drives.ts'
import { Scrubber } from './repair/scrubber.ts'
import { TierGarbageCollector } from './versions/tier-objects.ts'

/** Free bytes needed to retry a write of the index: more than one LMDB write takes. */
const MIN_INDEX_FREE_BYTES = 2 ** 20
/** Changes of a bucket's record. */
const BUCKET_CHANGES: ReadonlySet<StoreChange['type']> = new Set(['bucket-create', 'bucket-delete', 'bucket-setting'])

/** The parts of a running engine. */
export interface RunningEngine {
  core: EngineCore
  feed: ChangeFeed
  steadyNow: () => number
  confirmClock: Engine['confirmClock']
  check: Engine['check']
  heal: Engine['heal']
  lastHealAt: Engine['lastHealAt']
  setScrubPace: Engine['setScrubPace']
  scrubbedAt: Engine['scrubbedAt']
  stop(): Promise<void>
}

export interface AssembleOptions {
  keyRing: KeyRing
  /** Removes documents whose key is lost, instead of refusing to start. */
  discardEncrypted: boolean
  now: () => number
  steadyNow: () => number
  log: EngineLog
}

/** Recovers the state on the drives and connects the parts, which reach one another through `core`. */
export async function assembleEngine(pool: DrivePool, options: AssembleOptions): Promise<RunningEngine> {
  const { keyRing, now, log } = options
  for (const drive of pool.usable) for (const open of await drive.closeToOthers()) log.warn({ drive: drive.path }, open)
  const copies = await recoverIndex(pool, log)
  const journal = new StoreJournal()
  const [first] = copies
  if (!first) throw new TypeError('recovery gave no index')
  const { frame, seq } = first.index.position()
  const failed = await journal.rotate(
    copies.map(({ drive }) => drive.journalFolder),
    frame + 1,
    seq,
  )
  if (failed[0]) throw failed[0].error

  const index = new IndexMirror(
    copies.map(({ drive, index }) => ({ slot: drive.slot, index })),
    (copy, error) => indexDrives.indexDamaged(copy, error),
  )
  const committer = new Committer({
    index,
    journal,
    now,
    onJournalFailed: (folders, error) => indexDrives.journalFailed(folders, error),
    hasRoom: () => pool.members.every((drive) => drive.free > MIN_INDEX_FREE_BYTES),
    onWritten(bytes) {
      // The index writes about the same number of bytes.
      for (const drive of pool.members) pool.subtractFree(drive, 2 * bytes)
    },
    onChanges(changes) {
      // Before the listeners are called: they may read the settings of the bucket.
      const changed = changes.filter(({ type }) => BUCKET_CHANGES.has(type)).map(({ bucket = '' }) => bucket)
      for (const bucket of new Set(changed)) {
        try {
          core.buckets.refresh(bucket)
        } catch (error) {
          // Damage of the index must not stop the committer.
          log.error({ err: error, bucket }, 'a bucket could not be read after its change')
        }
      }
      feed.publish(changes)
    },
    onGarbage: () => {
      collector.start()
      tierCollector.start()
    },
    onRotated: () => void trimJournal(index, journal, log),
  })
  const indexDrives = new IndexDrives(pool, index, journal, committer, log)
  const feed = new ChangeFeed({
    folders: () => journal.folders,
    seq,
    findFrameAfter: async (after) => {
      const segments = await listSegments(journal.folders)
      return segments.findLast((segment) => segment.seq <= after)?.frame
    },
    onError: (error) => log.error({ err: error }, 'a listener of the feed failed'),
  })
  const blobs = new BlobStore(
    pool,
    {
      onDamaged(blob, slot, error, object) {
        log.warn({ err: error, blob, slot }, 'a copy of a blob is missing or damaged')
        healer.reportDamage(blob, slot)
        // Damage is often widespread, so check the rest of the object now.
        healer.queueCheck(object)
      },
      onSettleError: (drive, blob, error) =>
        log.warn({ err: error, drive: drive.path, blob }, 'a blob was not settled'),
      onDriveError(drive, error) {
        log.warn({ err: error, drive: drive.path }, 'a drive failed')
        void watch.checkDrives()
      },
    },
    now,
  )
  const core: EngineCore = {
    pool,
    index,
    committer,
    commit: (decide) => committer.commit(decide),
    blobs,
    buckets: new BucketTable(index, log),
    keyRing,
    now,
    encryptionKeys: new Map(),
    lockClock: new LockClock(now, options.steadyNow),
    tiers: { access: undefined, active: new Set(), collect: () => tierCollector.start() },
    limits: { versions: Number.POSITIVE_INFINITY },
    load: { isBusy: () => false },
    compression: { isWanted: () => false },
    log,
  }
  const collector = new GarbageCollector(core)
  const tierCollector = new TierGarbageCollector(core)
  const healer = new BlobHealer(core)
  const scrubber = new Scrubber(core, healer, indexDrives)
  const watch = new DriveWatch(
    pool,
    {
      onLost: (drive, reason) => indexDrives.driveLost(drive.slot, reason),
      async onReturned(drive) {
        healer.restoreDrive(drive.slot)
        healer.completeCopies()
        collector.start()
        indexDrives.removeLeftovers([drive])
        indexDrives.completeCopies()
      },
      async onFormatted(drive) {
        healer.restoreDrive(drive.slot)
        healer.completeCopies()
        indexDrives.completeCopies()
      },
    },
    log,
  )

  const close = async () => {
    await committer.close()
    for (const copy of index.copies) await copy.index.close()
    await journal.close()
  }
  try {
    await encryptDocuments(core, journal, options.discardEncrypted)
  } catch (error) {
    await close()
    throw error
  }
  const lockClock = new LockClockKeeper(core, await feed.lastTime())
  await sweepTemporaryFiles(core)
  for (const name of core.buckets.names().filter(isScratchBucket)) {
    await deleteBucket(core, name, { force: true }).catch((error) =>
      log.warn(
        { err: error, bucket: name },
        'a bucket of the store itself could not be removed; the next start tries again',
      ),
    )
  }
  for (const slot of pool.freshSlots) {
    const drive = pool.bySlot(slot)
    if (drive) drive.state = 'healing'
    healer.restoreDrive(slot)
  }
  for (const drive of pool.usable) await drive.removePlainCopies()
  // The index now contains data from the journal of a removed drive, which must be durable.
  await index.flushed()
  indexDrives.removeLeftovers(pool.drives)
  indexDrives.completeCopies()
  healer.completeCopies()
  collector.start()
  watch.start()
  scrubber.start()

  return {
    core,
    feed,
    steadyNow: options.steadyNow,
    check: (signal) => scrubber.check(signal),
    lastHealAt: () => healer.lastActivityAt,
    heal: (query) => healObjects({ core, healer, indexDrives }, query),
    setScrubPace: (pace) => scrubber.setPace(pace),
    scrubbedAt: () => scrubber.activeAt,
    confirmClock: () => lockClock.confirm(),
    async stop() {
      await lockClock.stop()
      await watch.stop()
      await scrubber.stop()
      await healer.stop()
      await indexDrives.stop()
      await collector.stop()
      await tierCollector.stop()
      await close()
    },
  }
}

/** Moves temporary files of committed blobs to their final names, and deletes all others. */
async function sweepTemporaryFiles({ pool, index, log }: EngineCore): Promise<void> {
  for (const drive of pool.usable) {
    for (const blob of await readdir(drive.temporaryFolder)) {
      const value = index.get(indexKeys.blob(blob))
      const ours = value && decodeBlob(value).slots.includes(drive.slot)
      await (ours ? settleBlob(drive, blob) : removeBlob(drive, blob)).catch((error) =>
        log.warn({ err: error, drive: drive.path, blob }, 'a temporary file could not be moved or removed'),
      )
    }
  }
}

/** Removes journal segments that are synced to all index copies and were read by all subscribers with a stored cursor. */
async function trimJournal(index: IndexMirror, journal: StoreJournal, log: EngineLog): Promise<void> {
  try {
    await index.flushed()
    const positions = index.copies.map((copy) => copy.index.position())
    const all = indexKeys.documents(CURSOR_COLLECTION)
    const cursors = Array.from(index.range(all, successor(all)), ({ value }) => Number(value.toString()))
    await journal.removeUnneededSegments(
      Math.min(...positions.map(({ frame }) => frame)),
      Math.min(...positions.map(({ seq }) => seq), ...cursors),
    )
  } catch (error) {
    log.error({ err: error }, 'old segments of the journal could not be removed')
  }
}
