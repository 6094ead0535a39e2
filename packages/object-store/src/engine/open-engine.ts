import { join, resolve } from 'node:path'
import type { StoreDrive } from '../drives/drive.ts'
import { openDrives } from '../drives/drive-pool.ts'
import { ENCRYPTION_KEY_FILE } from '../key-ring/key-file.ts'
import { KeyRing } from '../key-ring/key-ring.ts'
import { closeDataFolder, ensureFolder } from '../lib/folder.ts'
import { assembleEngine, type RunningEngine } from './assemble-engine.ts'
import * as buckets from './buckets/buckets.ts'

import type { EngineCore } from './core/engine-core.ts'
import * as documents from './core/stored-documents.ts'
import { lockDataFolder } from './data-folder-lock.ts'
import { createEncryptionKey, hasEncryptionKey, listEncryptionKeys } from './encryption/encryption-keys.ts'
import type * as types from './interface/types.ts'
import type { EngineLog } from './interface/types.ts'
import { applyLifecycle, scanLifecycle } from './lifecycle/lifecycle-actions.ts'
import { restoreVersion } from './lifecycle/restore-version.ts'
import { transitionVersion } from './lifecycle/transition-version.ts'
import * as objectLock from './objects/change-version-lock.ts'
import { deleteObject, deleteObjects } from './objects/delete-versions.ts'
import * as listing from './objects/listing.ts'
import { getObject } from './objects/object-handle.ts'
import * as objects from './objects/write-object.ts'
import { indexKeys } from './records/index-keys.ts'
import * as waiting from './replication/replication-backlog.ts'
import { completeUpload } from './uploads/complete-upload.ts'
import * as parts from './uploads/parts.ts'
import * as uploads from './uploads/uploads.ts'
import { isTierUsed, usageByTier } from './versions/tier-objects.ts'

const SILENT_LOG: EngineLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * Opens or creates the data folder and its drives, and applies the journal to the index.
 * @throws DataFolderLocked, and Error for an unusable drive
 */
export async function openEngine(options: types.EngineOptions): Promise<types.Engine> {
  const data = resolve(options.data)
  await ensureFolder(data)
  const unlock = await lockDataFolder(data)
  try {
    const { now = Date.now, log = SILENT_LOG, discardEncrypted = false } = options
    // A custom clock is used by tests, which advance it.
    const steadyNow = options.steadyNow ?? options.now ?? (() => performance.now())
    const drives = options.drives.map((path) => resolve(path))
    for (const open of await closeDataFolder(data, drives)) log.warn({}, open)
    const pool = await openDrives(data, drives, options.minFree)
    const keyRing = await KeyRing.open(join(data, ENCRYPTION_KEY_FILE))
    return buildEngine(await assembleEngine(pool, { keyRing, now, steadyNow, log, discardEncrypted }), unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

const engineOperations = {
  createBucket: buckets.createBucket,
  deleteBucket: buckets.deleteBucket,
  setBucketSettings: buckets.setBucketSettings,
  bucketUsage: buckets.bucketUsage,
  putObject: objects.putObject,
  getObject,
  deleteObject,
  deleteObjects,
  copyObject: objects.copyObject,
  setObjectTags: objects.setObjectTags,
  setObjectRetention: objectLock.setObjectRetention,
  setObjectLegalHold: objectLock.setObjectLegalHold,
  listObjects: listing.listObjects,
  listVersions: listing.listVersions,
  scanLifecycle,
  applyLifecycle,
  transitionVersion,
  restoreVersion,
  usageByTier,
  isTierUsed,
  createUpload: uploads.createUpload,
  getUpload: uploads.getUpload,
  putPart: parts.putPart,
  copyPart: parts.copyPart,
  completeUpload,
  abortUpload: uploads.abortUpload,
  listParts: parts.listParts,
  listUploads: uploads.listUploads,
  createEncryptionKey,
  listEncryptionKeys,
  hasEncryptionKey,
  applyReplicaMetadata: objects.applyReplicaMetadata,
  listReplicationBacklog: waiting.listReplicationBacklog,
  replicationCounts: waiting.replicationCounts,
  settleReplicationTasks: waiting.settleReplicationTasks,
  queueVersions: waiting.queueVersions,
  retryFailedReplication: waiting.retryFailedReplication,
  clearReplicationBacklog: waiting.clearReplicationBacklog,
  getDeleteMarker: waiting.getDeleteMarker,
  getDocument: documents.getDocument,
  listDocuments: documents.listDocuments,
  putDocuments: documents.putDocuments,
}

type BoundOperations<Operations> = {
  [Name in keyof Operations]: Operations[Name] extends (core: EngineCore, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never
}

type Operation = (core: EngineCore, ...rest: unknown[]) => unknown

/** Binds the operations to `core`. */
function bindOperations(core: EngineCore): BoundOperations<typeof engineOperations> {
  const bound = Object.entries(engineOperations).map(([name, operation]) => [
    name,
    // Each operation is called with its own parameters, as the type of the result requires.
    (operation as Operation).bind(undefined, core),
  ])
  return Object.fromEntries(bound) as BoundOperations<typeof engineOperations>
}

/**
 * Returns an engine like another one, whose operations use the `core` of the object that inherits from it. They are bound when
 * they are read, because such an object serves one request, which uses one or two of them.
 */
function createRequesterPrototype(engine: types.Engine): types.Engine {
  const boundGetter = (operation: Operation): PropertyDescriptor => ({
    get(this: { core: EngineCore }) {
      return operation.bind(undefined, this.core)
    },
  })
  const getters = Object.entries(engineOperations).map(([name, operation]) => [
    name,
    boundGetter(operation as Operation),
  ])
  return Object.create(engine, Object.fromEntries(getters)) as types.Engine
}

function buildEngine(
  { core, feed, steadyNow, confirmClock, check, heal, lastHealAt, setScrubPace, scrubbedAt, stop }: RunningEngine,
  unlock: () => Promise<void>,
): types.Engine {
  let closing: Promise<void> | undefined
  const engine: types.Engine = {
    ...bindOperations(core),
    forRequester(requester) {
      const own: EngineCore = { ...core, commit: (decide) => core.committer.commit(decide, requester) }
      return Object.assign(Object.create(requesterPrototype) as types.Engine, { core: own })
    },
    deploymentId: core.pool.layout.deploymentId,
    startedAt: core.now(),
    clock: { now: core.now, steady: steadyNow },
    listBuckets: () => core.buckets.list(),
    getBucket: (name) => core.buckets.require(name).describe(),
    // Not bound like the others, because its type parameter would be lost.
    getBucketSetting: (bucket, name) => buckets.getBucketSetting(core, bucket, name),
    setTierAccess: (access) => {
      core.tiers.access = access
      core.tiers.collect()
    },
    setMaxVersions: (versions) => {
      core.limits.versions = versions
    },
    setBusyCheck: (isBusy) => {
      core.load.isBusy = isBusy
    },
    setCompressionRule: (rule) => {
      core.compression.isWanted = rule
    },
    subscribe: (listener, after) => feed.subscribe(listener, after),
    lastChange: () => feed.seq,
    lastChangeAt: () => feed.lastTime(),
    confirmClock,
    drives: () => core.pool.drives.map((drive) => describeDrive(core, drive)),
    check,
    heal,
    lastHealAt,
    setScrubPace,
    scrubbedAt,
    close() {
      closing ??= closeAll(stop, unlock)
      return closing
    },
  }
  const requesterPrototype = createRequesterPrototype(engine)
  return engine
}

async function closeAll(stop: () => Promise<void>, unlock: () => Promise<void>): Promise<void> {
  try {
    await stop()
  } finally {
    await unlock()
  }
}

function describeDrive({ pool, index }: EngineCore, drive: StoreDrive): types.DriveState {
  const used = index.get(indexKeys.driveUsage(drive.slot))
  return {
    path: drive.path,
    id: drive.id,
    state: drive.state,
    ...(drive.reason !== undefined && { reason: drive.reason }),
    ...(drive.state === 'healing' && { healed: drive.healed ?? 0 }),
    total: drive.total,
    free: drive.free,
    device: drive.device,
    used: used ? Number(used.toString('latin1')) : 0,
    keepsIndex: pool.layout.members.includes(drive.slot),
  }
}
