import { GiB, TiB } from '../values/units.ts'

/** The minimum and maximum number of drives in an erasure set. */
const SMALLEST_SET = 4
const LARGEST_SET = 16

/**
 * Returns the number of drives in each erasure set; undefined if no size fits. Each server must contribute the same number of
 * drives to every set; the largest such size is used.
 */
export function erasureSet(servers: number, drives: number): number | undefined {
  const total = servers * drives
  for (let size = LARGEST_SET; size >= SMALLEST_SET; size--) {
    if (total % size !== 0) continue
    if (servers > size ? servers % size === 0 : size % servers === 0) return size
  }
  return undefined
}

/** Returns the possible parities, largest first: `EC:8` … `EC:2`; none if no erasure set fits. */
export function possibleParities(servers: number, drives: number): string[] {
  const set = erasureSet(servers, drives)
  if (set === undefined) return []
  const largest = Math.floor(set / 2)
  return Array.from({ length: largest - 1 }, (_, index) => `EC:${largest - index}`)
}

/** Returns the default parity: EC:4 for large pools that allow it, otherwise the largest. */
export function defaultParity(servers: number, drives: number): string | undefined {
  const choices = possibleParities(servers, drives)
  return servers >= 8 && servers * drives > 16 && choices.includes('EC:4') ? 'EC:4' : choices[0]
}

export interface ErasureRow {
  parity: string
  /** The number of drives in each erasure set. */
  set: number
  /** Bytes. */
  raw: number
  usable: number
  /** The number of servers that may fail while all data remain readable. */
  serverFailures: number
}

/** Returns the usable capacity and fault tolerance of a pool for each parity. @param size of each drive (bytes) */
export function erasureTable(servers: number, drives: number, size: number): ErasureRow[] {
  const set = erasureSet(servers, drives)
  if (set === undefined) return []
  const raw = servers * drives * size
  /** The number of drives that a server has in each set. */
  const perServer = Math.max(1, Math.ceil(set / servers))
  return possibleParities(servers, drives).map((parity) => {
    const count = Number(parity.slice(3))
    return {
      parity,
      set,
      raw,
      usable: Math.floor((raw / set) * (set - count)),
      serverFailures: Math.floor(count / perServer),
    }
  })
}

/** The maximum size of a drive in a plan. */
export const MAX_DRIVES_PER_SERVER = 12 * TiB
const SMALLEST_DRIVE = GiB

export type DistributionProblem =
  | 'The pool size must be greater than 1Gi'
  | 'Number of drives must be at least 1'
  | 'Some provided data is invalid, please try again.'
  | 'We were not able to allocate this server.'
  | 'Disk Size with this combination would be less than 1Gi, please try another combination'

export interface Distribution {
  problem: DistributionProblem | ''
  nodes: number
  /** The total number of volumes. */
  volumes: number
  /** The number of drives of each server. */
  drives: number
  /** The size of each volume (bytes). */
  size: number
}

/** Distributes a total size (bytes) over servers and their drives. */
export function distributeDrives(total: number, nodes: number, drives: number): Distribution {
  const none = (problem: DistributionProblem): Distribution => ({ problem, nodes: 0, volumes: 0, drives: 0, size: 0 })
  if (Number.isNaN(total) || Number.isNaN(nodes) || Number.isNaN(drives))
    return none('Some provided data is invalid, please try again.')
  if (total < SMALLEST_DRIVE) return none('The pool size must be greater than 1Gi')
  if (drives <= 0) return none('Number of drives must be at least 1')
  const whole = Math.ceil(drives)
  const volumes = nodes * whole
  const size = Math.floor(total / volumes)
  if (size > MAX_DRIVES_PER_SERVER) return none('We were not able to allocate this server.')
  if (size < SMALLEST_DRIVE)
    return none('Disk Size with this combination would be less than 1Gi, please try another combination')
  return { problem: '', nodes, volumes, drives: whole, size }
}

export interface MemoryPlan {
  problem: string
  /** Bytes. */
  request: number
  limit: number
}

/** The minimum memory limit of each server in large tenants (GiB), by tenant size (bytes). */
const FLOORS: readonly [from: number, gib: number][] = [
  [1024 * TiB, 64],
  [100 * TiB, 32],
  [10 * TiB, 16],
  [TiB, 8],
]

/**
 * Returns the memory of each server. @param request in GiB @param available the least memory of the nodes (bytes)
 * @param total size of the tenant (bytes)
 */
export function planMemory(request: number, available: number, total: number): MemoryPlan {
  const bytes = request * GiB
  const none = (problem: string): MemoryPlan => ({ problem, request: 0, limit: 0 })
  if (available <= 0) return none('There is no memory available for the selected number of nodes')
  if (available < 2 * GiB) return none('There are not enough memory resources available')
  if (Number.isNaN(bytes) || bytes < 2 * GiB) return none('The requested memory size must be greater than 2Gi')
  if (bytes > available)
    return none('The requested memory is greater than the max available memory for the selected number of nodes')
  const floor = FLOORS.find(([from]) => total >= from)?.[1] ?? 0
  return { problem: '', request: bytes, limit: Math.max(bytes, floor * GiB) }
}

/** Maximum length of a label, and therefore of a part of a host name. */
export const MAX_LABEL_LENGTH = 63
/** Characters that a StatefulSet adds to its name in a label of its pods: a hyphen and the hash of a revision. */
const REVISION = 11

/** Returns the length of the longest label and host name of a tenant with this pool. Above `MAX_LABEL_LENGTH` it cannot start. */
export function longestLabel(tenant: string, pool: string, servers: number): number {
  const set = `${tenant}-${pool}`
  return Math.max(`${set}-${servers - 1}`.length, set.length + REVISION, `${tenant}-console`.length)
}

/** Returns the first free name `pool-{n}`. */
export function nextPoolName(taken: readonly string[]): string {
  for (let n = 0; ; n++) if (!taken.includes(`pool-${n}`)) return `pool-${n}`
}
