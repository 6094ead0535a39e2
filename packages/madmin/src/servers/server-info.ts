import { asList, asNumber, asNumbers, asObject, asText, asTexts, pickMember } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'
import { type DriveInfo, readDrives } from './drive.ts'

export interface ServerState {
  readonly endpoint: string
  /** `online`, `offline` or `initializing`. */
  readonly state: string
  /** Seconds. */
  readonly uptime: number
  readonly version: string
  readonly commitID: string
  /** Pools of the server, from 1; empty on servers of 2021. */
  readonly poolNumbers: readonly number[]
  /** State of the other hosts as seen by this one: `online` or `offline`. */
  readonly network: Readonly<Record<string, string>>
  readonly drives: readonly DriveInfo[]
}

/** An erasure set, as last found by the scanner. Sizes in bytes. */
export interface ErasureSet {
  readonly pool: number
  readonly set: number
  readonly rawUsage: number
  readonly rawCapacity: number
  readonly usage: number
  readonly objects: number
  readonly versions: number
  readonly healingDrives: number
}

export interface ServerInfo {
  /** `online` or `initializing`. */
  readonly mode: string
  readonly region: string
  readonly deploymentID: string
  /** ARNs of the notification targets. */
  readonly sqsARN: readonly string[]
  /** Notification targets that have started. */
  readonly notifications: readonly NotificationStatus[]
  /** Counts are undefined if the server could not determine them. */
  readonly buckets: { readonly count: number | undefined }
  readonly objects: { readonly count: number | undefined }
  readonly versions: { readonly count: number | undefined }
  readonly deleteMarkers: { readonly count: number | undefined }
  /** Bytes. */
  readonly usage: { readonly size: number | undefined }
  readonly backend: StorageBackend
  readonly servers: readonly ServerState[]
  /** Empty on servers of 2021 and before the first scan. */
  readonly sets: readonly ErasureSet[]
}

export interface NotificationStatus {
  /** `webhook`, `postgresql` … */
  readonly service: string
  readonly target: string
  /** `online` or `offline`. */
  readonly status: string
  /**
   * Numbers of events that are waiting, that it has refused permanently, and that did not fit into the queue; undefined if the
   * server does not report them.
   */
  readonly queued: number | undefined
  readonly refused: number | undefined
  readonly dropped: number | undefined
  /** Why it accepts no events. */
  readonly lastError: string | undefined
}

export interface StorageBackend {
  /** `Erasure`; `FS` on single-drive servers of 2021. */
  readonly backendType: string
  readonly onlineDrives: number
  readonly offlineDrives: number
  /** Drives per set that may fail; undefined if the server does not report it. */
  readonly standardParity: number | undefined
  readonly reducedParity: number | undefined
  readonly totalSets: readonly number[]
  readonly drivesPerSet: readonly number[]
  /** Drives per set that may fail, if that is not the parity. Only Stowage reports it. */
  readonly drivesMayFail?: number
}

/**
 * Returns the state of the servers and their drives, even while a server is starting. Needs `admin:ServerInfo`.
 * @throws MadminError AccessDenied
 */
export async function serverInfo(
  t: Transport,
  {
    metrics,
    ...options
  }: AdminCallOptions & {
    /** Includes errors and latency of the drives. */
    metrics?: boolean
  } = {},
): Promise<ServerInfo> {
  const query = metrics ? { metrics: 'true' } : undefined
  return readServerInfo(await t.call({ method: 'GET', path: 'info', ...(query && { query }), ...options }))
}

/** Reads the answer of MinIO, and of RustFS, which wraps it. */
export function readServerInfo(answer: unknown): ServerInfo {
  const info = asObject(pickMember(answer, 'info') ?? answer)
  return {
    mode: asText(info.mode),
    region: asText(info.region),
    deploymentID: asText(info.deploymentID),
    sqsARN: asTexts(info.sqsARN),
    notifications: readNotifications(pickMember(info.services, 'notifications')),
    buckets: readCount(info.buckets),
    objects: readCount(info.objects),
    versions: readCount(info.versions),
    deleteMarkers: readCount(info.deletemarkers),
    usage: { size: asNumber(pickMember(info.usage, 'size')) },
    backend: readBackend(info.backend),
    servers: asList(info.servers).map(readServer),
    sets: readErasureSets(info.pools),
  }
}

/** Parses a list of kinds, each with a list of targets. */
function readNotifications(value: unknown): NotificationStatus[] {
  return asList(value).flatMap((kinds) =>
    Object.entries(asObject(kinds)).flatMap(([service, targets]) =>
      asList(targets).flatMap((entry) =>
        Object.entries(asObject(entry)).map(([target, state]) => ({
          service,
          target,
          status: asText(pickMember(state, 'status')).toLowerCase(),
          queued: asNumber(pickMember(state, 'queued')),
          refused: asNumber(pickMember(state, 'refused')),
          dropped: asNumber(pickMember(state, 'dropped')),
          lastError: asText(pickMember(state, 'lastError')) || undefined,
        })),
      ),
    ),
  )
}

function readCount(value: unknown): { count: number | undefined } {
  return { count: pickMember(value, 'error') ? undefined : asNumber(pickMember(value, 'count')) }
}

function readServer(value: unknown): ServerState {
  const pool = asNumber(pickMember(value, 'poolNumber'))
  const pools = asNumbers(pickMember(value, 'poolNumbers'))
  return {
    endpoint: asText(pickMember(value, 'endpoint')),
    state: asText(pickMember(value, 'state')),
    uptime: asNumber(pickMember(value, 'uptime')) ?? 0,
    version: asText(pickMember(value, 'version')),
    commitID: asText(pickMember(value, 'commitID')),
    // `poolNumber` is Go's largest integer if there are several, which `asNumber` treats as no value.
    poolNumbers: pools.length > 0 ? pools : pool ? [pool] : [],
    network: Object.fromEntries(
      Object.entries(asObject(pickMember(value, 'network'))).map(([host, state]) => [host, asText(state)]),
    ),
    drives: readDrives(pickMember(value, 'drives')),
  }
}

function readBackend(value: unknown): StorageBackend {
  const mayFail = asNumber(pickMember(value, 'drivesMayFail'))
  return {
    backendType: asText(pickMember(value, 'backendType')),
    onlineDrives: asNumber(pickMember(value, 'onlineDisks')) ?? 0,
    offlineDrives: asNumber(pickMember(value, 'offlineDisks')) ?? 0,
    standardParity: asNumber(pickMember(value, 'standardSCParity')),
    reducedParity: asNumber(pickMember(value, 'rrSCParity')),
    totalSets: asNumbers(pickMember(value, 'totalSets')),
    drivesPerSet: asNumbers(pickMember(value, 'totalDrivesPerSet')),
    ...(mayFail === undefined ? {} : { drivesMayFail: mayFail }),
  }
}

function readErasureSets(pools: unknown): ErasureSet[] {
  return Object.entries(asObject(pools)).flatMap(([pool, sets]) =>
    Object.entries(asObject(sets)).map(([set, value]) => ({
      pool: Number(pool),
      set: Number(set),
      rawUsage: asNumber(pickMember(value, 'rawUsage')) ?? 0,
      rawCapacity: asNumber(pickMember(value, 'rawCapacity')) ?? 0,
      usage: asNumber(pickMember(value, 'usage')) ?? 0,
      objects: asNumber(pickMember(value, 'objectsCount')) ?? 0,
      versions: asNumber(pickMember(value, 'versionsCount')) ?? 0,
      healingDrives: asNumber(pickMember(value, 'healDisks')) ?? 0,
    })),
  )
}
