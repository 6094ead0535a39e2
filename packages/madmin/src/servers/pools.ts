import { asFlag, asList, asNumber, asObject, asText, asTime, pickMember } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

/** A group of erasure sets that was added to a server at the same time. */
export interface ServerPool {
  /**
   * Argument with which the server was started, such as `https://server-{0...3}/data{0...1}`; it identifies the pool in other
   * calls.
   */
  readonly cmdline: string
  /** Absent for a pool that was never drained. */
  readonly decommission: Decommission | undefined
}

/** The draining of a pool, which moves its objects to the other pools. Sizes in bytes. */
export interface Decommission {
  /** RFC 3339. */
  readonly startTime: string
  readonly totalSize: number
  /** Free space of the pool at the start, and now. */
  readonly startSize: number
  readonly currentSize: number
  readonly complete: boolean
  readonly failed: boolean
  readonly canceled: boolean
  readonly objects: number
  readonly failedObjects: number
  readonly bytes: number
}

/**
 * Lists the pools of a server. Needs `admin:ServerInfo` or `admin:DecommissionPool`.
 * @throws MadminError `unsupported` if the server does not have this call
 * @see minio/minio@7aac2a2 cmd/admin-handlers-pools.go ListPools
 */
export async function listPools(t: Transport, options?: AdminCallOptions): Promise<ServerPool[]> {
  const pools = await t.call({ method: 'GET', path: 'pools/list', ...options })
  return asList(pools).map((pool) => ({
    cmdline: asText(pickMember(pool, 'cmdline')),
    decommission: readDecommission(pickMember(pool, 'decommissionInfo')),
  }))
}

/** Starts to drain a pool. Needs `admin:DecommissionPool`. @throws MadminError InvalidArgument, DecommissionNotAllowed */
export async function decommissionPool(t: Transport, cmdline: string, options?: AdminCallOptions): Promise<void> {
  await t.call({ method: 'POST', path: 'pools/decommission', query: { pool: cmdline }, ...options })
}

/** Stops draining a pool; moved objects stay where they are. Needs `admin:DecommissionPool`. */
export async function cancelDecommission(t: Transport, cmdline: string, options?: AdminCallOptions): Promise<void> {
  await t.call({ method: 'POST', path: 'pools/cancel', query: { pool: cmdline }, ...options })
}

/** Go's zero time means that the pool was never drained. */
function readDecommission(value: unknown): Decommission | undefined {
  const info = asObject(value)
  const startTime = asTime(info.startTime)
  if (startTime === undefined || startTime.startsWith('0001-')) return undefined
  const number = (name: string) => asNumber(info[name]) ?? 0
  return {
    startTime,
    totalSize: number('totalSize'),
    startSize: number('startSize'),
    currentSize: number('currentSize'),
    complete: asFlag(info.complete),
    failed: asFlag(info.failed),
    canceled: asFlag(info.canceled),
    objects: number('objectsDecommissioned'),
    failedObjects: number('objectsDecommissionedFailed'),
    bytes: number('bytesDecommissioned'),
  }
}
