import { join, resolve } from 'node:path'
import type { Drive } from '../drives/drive.ts'
import { openDrives } from '../drives/pool.ts'
import { closeDataFolder, ensureFolder } from '../folder.ts'
import { KEY_FILE } from '../key-ring/key-file.ts'
import { KeyRing } from '../key-ring/key-ring.ts'
import { assemble, type Running } from './assemble.ts'
import * as buckets from './buckets.ts'
import { completeUpload } from './complete-upload.ts'
import type { Core, Log } from './core.ts'
import { deleteObject, deleteObjects } from './delete-object.ts'
import * as documents from './documents.ts'
import { createEncryptionKey, hasEncryptionKey, listEncryptionKeys } from './encryption-keys.ts'
import { getObject } from './get-object.ts'
import { keys } from './keys.ts'
import { applyLifecycle, scanLifecycle } from './lifecycle.ts'
import * as listing from './listing.ts'
import { lockFolder } from './lock.ts'
import * as objectLock from './object-lock.ts'
import * as objects from './objects.ts'
import * as parts from './parts.ts'
import { restoreVersion } from './restore.ts'
import { isTierUsed, tierUsage } from './tiers.ts'
import { transitionVersion } from './transition.ts'
import type * as types from './types.ts'
import * as uploads from './uploads.ts'
import * as waiting from './waiting.ts'

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

/**
 * Opens or creates the data folder and its drives, and applies the journal to the index.
 * @throws DataFolderLocked, and Error for an unusable drive
 */
export async function openEngine(options: types.EngineOptions): Promise<types.Engine> {
  const data = resolve(options.data)
  await ensureFolder(data)
  const unlock = await lockFolder(data)
  try {
    const { now = Date.now, log = SILENT, discardEncrypted = false } = options
    // A custom clock is used by tests, which advance it.
    const steadyNow = options.steadyNow ?? options.now ?? (() => performance.now())
    const drives = options.drives.map((path) => resolve(path))
    for (const open of await closeDataFolder(data, drives)) log.warn({}, open)
    const pool = await openDrives(data, drives, options.minFree)
    const keyRing = await KeyRing.open(join(data, KEY_FILE))
    return engineOf(await assemble(pool, { keyRing, now, steadyNow, log, discardEncrypted }), unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

const operations = {
  createBucket: buckets.createBucket,
  deleteBucket: buckets.deleteBucket,
  setBucketSettings: buckets.setBucketSettings,
  usage: buckets.usage,
  putObject: objects.putObject,
  getObject,
  deleteObject,
  deleteObjects,
  copyObject: objects.copyObject,
  setObjectTags: objects.setObjectTags,
  setRetention: objectLock.setRetention,
  setLegalHold: objectLock.setLegalHold,
  listObjects: listing.listObjects,
  listVersions: listing.listVersions,
  scanLifecycle,
  applyLifecycle,
  transitionVersion,
  restoreVersion,
  tierUsage,
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
  receiveMetadata: objects.receiveMetadata,
  listWaiting: waiting.listWaiting,
  replicationCounts: waiting.replicationCounts,
  settleWaiting: waiting.settleWaiting,
  queueVersions: waiting.queueVersions,
  retryRefused: waiting.retryRefused,
  dropWaiting: waiting.dropWaiting,
  getMarker: waiting.getMarker,
  getDocument: documents.getDocument,
  listDocuments: documents.listDocuments,
  putDocuments: documents.putDocuments,
}

type Bound<Operations> = {
  [Name in keyof Operations]: Operations[Name] extends (core: Core, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never
}

type Operation = (core: Core, ...rest: unknown[]) => unknown

/** Binds the operations to `core`. */
function bind(core: Core): Bound<typeof operations> {
  const bound = Object.entries(operations).map(([name, operation]) => [
    name,
    // Each operation is called with its own parameters, as the type of the result requires.
    (operation as Operation).bind(undefined, core),
  ])
  return Object.fromEntries(bound) as Bound<typeof operations>
}

/**
 * Returns an engine like another one, whose operations use the `core` of the object that inherits from it. They are bound when
 * they are read, because such an object serves one request, which uses one or two of them.
 */
function engineOfCallers(engine: types.Engine): types.Engine {
  const operationOf = (operation: Operation): PropertyDescriptor => ({
    get(this: { core: Core }) {
      return operation.bind(undefined, this.core)
    },
  })
  const getters = Object.entries(operations).map(([name, operation]) => [name, operationOf(operation as Operation)])
  return Object.create(engine, Object.fromEntries(getters)) as types.Engine
}

function engineOf(
  { core, feed, steadyNow, confirmClock, check, heal, lastHealAt, setScrubPace, scrubbedAt, stop }: Running,
  unlock: () => Promise<void>,
): types.Engine {
  let closing: Promise<void> | undefined
  const engine: types.Engine = {
    ...bind(core),
    onBehalfOf(requester) {
      const own: Core = { ...core, commit: (decide) => core.committer.commit(decide, requester) }
      return Object.assign(Object.create(ofCallers) as types.Engine, { core: own })
    },
    deploymentId: core.pool.layout.deploymentId,
    startedAt: core.now(),
    clock: { now: core.now, steady: steadyNow },
    listBuckets: () => core.buckets.list(),
    getBucket: (name) => core.buckets.require(name).describe(),
    // Not bound like the others, because its type parameter would be lost.
    getBucketSetting: (bucket, name) => buckets.getBucketSetting(core, bucket, name),
    useTiers: (access) => {
      core.tiers.access = access
      core.tiers.collect()
    },
    setMaxVersions: (versions) => {
      core.limits.versions = versions
    },
    useLoad: (isBusy) => {
      core.load.isBusy = isBusy
    },
    useCompression: (rule) => {
      core.compression.isWanted = rule
    },
    subscribe: (listener, after) => feed.subscribe(listener, after),
    lastChange: () => feed.seq,
    lastChangeAt: () => feed.lastTime(),
    confirmClock,
    drives: () => core.pool.drives.map((drive) => driveState(core, drive)),
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
  const ofCallers = engineOfCallers(engine)
  return engine
}

async function closeAll(stop: () => Promise<void>, unlock: () => Promise<void>): Promise<void> {
  try {
    await stop()
  } finally {
    await unlock()
  }
}

function driveState({ pool, index }: Core, drive: Drive): types.DriveState {
  const used = index.get(keys.driveUse(drive.slot))
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
