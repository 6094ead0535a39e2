import { type Drive, drivesOf } from './drive.ts'
import { at, listOf, numberOf, numbersOf, objectOf, textOf, textsOf } from './json.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface Server {
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
  readonly drives: readonly Drive[]
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
  readonly backend: Backend
  readonly servers: readonly Server[]
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

export interface Backend {
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
  }: CallOptions & {
    /** Includes errors and latency of the drives. */
    metrics?: boolean
  } = {},
): Promise<ServerInfo> {
  const query = metrics ? { metrics: 'true' } : undefined
  return readServerInfo(await t.call({ method: 'GET', path: 'info', ...(query && { query }), ...options }))
}

/** Reads the answer of MinIO, and of RustFS, which wraps it. */
export function readServerInfo(answer: unknown): ServerInfo {
  const info = objectOf(at(answer, 'info') ?? answer)
  return {
    mode: textOf(info.mode),
    region: textOf(info.region),
    deploymentID: textOf(info.deploymentID),
    sqsARN: textsOf(info.sqsARN),
    notifications: notificationsOf(at(info.services, 'notifications')),
    buckets: countOf(info.buckets),
    objects: countOf(info.objects),
    versions: countOf(info.versions),
    deleteMarkers: countOf(info.deletemarkers),
    usage: { size: numberOf(at(info.usage, 'size')) },
    backend: backendOf(info.backend),
    servers: listOf(info.servers).map(serverOf),
    sets: setsOf(info.pools),
  }
}

/** Parses a list of kinds, each with a list of targets. */
function notificationsOf(value: unknown): NotificationStatus[] {
  return listOf(value).flatMap((kinds) =>
    Object.entries(objectOf(kinds)).flatMap(([service, targets]) =>
      listOf(targets).flatMap((entry) =>
        Object.entries(objectOf(entry)).map(([target, state]) => ({
          service,
          target,
          status: textOf(at(state, 'status')).toLowerCase(),
          queued: numberOf(at(state, 'queued')),
          refused: numberOf(at(state, 'refused')),
          dropped: numberOf(at(state, 'dropped')),
          lastError: textOf(at(state, 'lastError')) || undefined,
        })),
      ),
    ),
  )
}

function countOf(value: unknown): { count: number | undefined } {
  return { count: at(value, 'error') ? undefined : numberOf(at(value, 'count')) }
}

function serverOf(value: unknown): Server {
  const pool = numberOf(at(value, 'poolNumber'))
  const pools = numbersOf(at(value, 'poolNumbers'))
  return {
    endpoint: textOf(at(value, 'endpoint')),
    state: textOf(at(value, 'state')),
    uptime: numberOf(at(value, 'uptime')) ?? 0,
    version: textOf(at(value, 'version')),
    commitID: textOf(at(value, 'commitID')),
    // `poolNumber` is Go's largest integer if there are several, which `numberOf` treats as no value.
    poolNumbers: pools.length > 0 ? pools : pool ? [pool] : [],
    network: Object.fromEntries(
      Object.entries(objectOf(at(value, 'network'))).map(([host, state]) => [host, textOf(state)]),
    ),
    drives: drivesOf(at(value, 'drives')),
  }
}

function backendOf(value: unknown): Backend {
  const mayFail = numberOf(at(value, 'drivesMayFail'))
  return {
    backendType: textOf(at(value, 'backendType')),
    onlineDrives: numberOf(at(value, 'onlineDisks')) ?? 0,
    offlineDrives: numberOf(at(value, 'offlineDisks')) ?? 0,
    standardParity: numberOf(at(value, 'standardSCParity')),
    reducedParity: numberOf(at(value, 'rrSCParity')),
    totalSets: numbersOf(at(value, 'totalSets')),
    drivesPerSet: numbersOf(at(value, 'totalDrivesPerSet')),
    ...(mayFail === undefined ? {} : { drivesMayFail: mayFail }),
  }
}

function setsOf(pools: unknown): ErasureSet[] {
  return Object.entries(objectOf(pools)).flatMap(([pool, sets]) =>
    Object.entries(objectOf(sets)).map(([set, value]) => ({
      pool: Number(pool),
      set: Number(set),
      rawUsage: numberOf(at(value, 'rawUsage')) ?? 0,
      rawCapacity: numberOf(at(value, 'rawCapacity')) ?? 0,
      usage: numberOf(at(value, 'usage')) ?? 0,
      objects: numberOf(at(value, 'objectsCount')) ?? 0,
      versions: numberOf(at(value, 'versionsCount')) ?? 0,
      healingDrives: numberOf(at(value, 'healDisks')) ?? 0,
    })),
  )
}
