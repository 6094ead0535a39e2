import { availableParallelism } from 'node:os'
import type { DriveState } from '../../../engine/interface/types.ts'
import { STORE_VERSION } from '../../../lib/version.ts'
import type { StoreCall } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { erasureLayout } from './erasure-layout.ts'
import { totalUsage } from './usage-totals.ts'

export const serverInfoEndpoint: AdminEndpoint = {
  name: 'ServerInfo',
  method: 'GET',
  path: 'info',
  handle: (call) => call.json(serverInfoDocument(call)),
}

/** The answer of `info`; a health report contains it too. */
export function serverInfoDocument(call: StoreCall): object {
  const { engine, store } = call
  const buckets = engine.listBuckets()
  const usage = totalUsage(buckets.map(({ name }) => engine.bucketUsage(name)))
  const { distributed, drives, parity } = erasureLayout(engine)
  const states = engine.drives()
  const online = states.filter((drive) => drive.state !== 'offline').length
  return {
    mode: 'online',
    ...(store.domains.length > 0 ? { domain: store.domains } : {}),
    region: store.region,
    sqsARN: store.events.arns(),
    deploymentID: engine.deploymentId,
    buckets: { count: buckets.length },
    objects: { count: usage.objects },
    versions: { count: usage.versions },
    deletemarkers: { count: usage.deleteMarkers },
    usage: { size: usage.size },
    services: {
      kms: {},
      kmsStatus: [],
      ldap: {},
      logger: [],
      audit: auditTargets(call),
      notifications: notificationTargets(call),
    },
    backend: {
      backendType: distributed ? 'Erasure' : 'FS',
      onlineDisks: online,
      offlineDisks: drives - online,
      standardSCParity: parity,
      rrSCParity: parity,
      totalSets: [1],
      totalDrivesPerSet: [drives],
      // Only this store has this member. Everything has two copies, for any number of drives above one.
      drivesMayFail: drives > 1 ? 1 : 0,
    },
    servers: [serverProperties(call, states)],
    pools: {
      0: {
        0: {
          id: 0,
          rawUsage: sum(states, 'used'),
          rawCapacity: sum(states, 'total'),
          usage: usage.size,
          objectsCount: usage.objects,
          versionsCount: usage.versions,
          deleteMarkersCount: usage.deleteMarkers,
          healDisks: states.filter((drive) => drive.state === 'healing').length,
        },
      },
    },
  }
}

/** Returns one object per target, with its name as the only member. */
function auditTargets({ store }: StoreCall): object[] {
  return store.audit.status().map(({ name, isOnline }) => ({ [name]: { status: isOnline ? 'online' : 'offline' } }))
}

/** Returns targets by kind; includes members that only this store has. */
function notificationTargets({ store }: StoreCall): object[] {
  return store.events.status().map(({ arn, waiting, dropped, refused, failing }) => {
    const [id = '', service = ''] = arn.split(':').slice(-2)
    const state = {
      status: failing ? 'offline' : 'online',
      queued: waiting,
      dropped,
      refused,
      ...(failing && { lastError: failing.reason }),
    }
    return { [service]: [{ [id]: state }] }
  })
}

function serverProperties(call: StoreCall, drives: DriveState[]): object {
  const memory = process.memoryUsage()
  const endpoint = call.header('host') ?? ''
  return {
    state: 'online',
    endpoint,
    uptime: Math.floor((Date.now() - call.engine.startedAt) / 1000),
    version: STORE_VERSION,
    commitID: '',
    network: { [endpoint]: 'online' },
    drives: drives.map(wireDrive),
    poolNumber: 1,
    poolNumbers: [1],
    mem_stats: {
      Alloc: memory.heapUsed,
      TotalAlloc: memory.heapTotal,
      Mallocs: 0,
      Frees: 0,
      HeapAlloc: memory.heapUsed,
    },
    go_max_procs: availableParallelism(),
    num_cpu: availableParallelism(),
    runtime_version: `node ${process.version}`,
    edition: 'stowage',
  }
}

/** Describes a drive for `info` and `storageinfo`. */
export function wireDrive(drive: DriveState, index: number): object {
  return {
    endpoint: drive.path,
    path: drive.path,
    ...(drive.state === 'healing' ? { healing: true, heal_info: healInfo(drive, index) } : {}),
    state: drive.state === 'offline' ? 'offline' : 'ok',
    uuid: drive.id,
    ...deviceNumbers(drive.device),
    totalspace: drive.total,
    usedspace: drive.used,
    availspace: drive.free,
    used_inodes: 0,
    free_inodes: 0,
    local: true,
    pool_index: 0,
    set_index: 0,
    disk_index: index,
  }
}

/** Returns the healing progress, with MinIO's names. Bytes are estimated from the share of healed blobs. */
function healInfo({ id, path, used, healed = 0 }: DriveState, index: number): object {
  return {
    id,
    pool_index: 0,
    set_index: 0,
    disk_index: index,
    endpoint: path,
    path,
    objects_total_size: used,
    bytes_done: Math.floor(used * healed),
  }
}

/** Extracts the numbers from Linux' `st_dev`, which has each in two parts. Divides, because JavaScript shifts only 32 bits. */
function deviceNumbers(device: number): { major: number; minor: number } {
  const high = Math.floor(device / 2 ** 32)
  return { major: (high & ~0xfff) | ((device >>> 8) & 0xfff), minor: ((device >>> 12) & ~0xff) | (device & 0xff) }
}

function sum(drives: DriveState[], field: 'used' | 'total'): number {
  return drives.reduce((total, drive) => total + drive[field], 0)
}
