import type { AdminInfo } from '@stowage/contract'
import type { Backend, Drive, Server, ServerInfo } from '@stowage/madmin'

/**
 * The server's own report in the specification's members.
 * @param countedAt when the usage was counted, as the contract has it
 */
export function adminInfoOf(info: ServerInfo, countedAt?: string | null): AdminInfo {
  const usable = usableCapacity(info)
  return {
    buckets: info.buckets.count ?? 0,
    objects: info.objects.count ?? 0,
    usage: info.usage.size ?? 0,
    servers: info.servers.map(serverOf),
    widgets: null,
    ...(usable === undefined ? {} : { usableCapacity: usable }),
    ...(countedAt === undefined ? {} : { countedAt }),
  }
}

function serverOf({ endpoint, state, uptime, version, commitID, poolNumbers, network, drives }: Server) {
  const [poolNumber = 0] = poolNumbers
  return {
    endpoint,
    state,
    uptime,
    version,
    commitID,
    poolNumber,
    network: { ...network },
    drives: drives.map(driveOf),
  }
}

function driveOf({ uuid, endpoint, state, path, rootDisk, healing, model, totalspace, usedspace, availspace }: Drive) {
  return {
    uuid,
    endpoint,
    state,
    drivePath: path,
    rootDisk,
    healing,
    model,
    totalSpace: totalspace,
    usedSpace: usedspace,
    availableSpace: availspace,
  }
}

/** Bytes that can be stored: all drives, less what a set spends on parity. Unknown where a server tells no parity. */
function usableCapacity({ servers, backend }: ServerInfo): number | undefined {
  const share = dataShare(backend)
  if (share === undefined) return undefined
  const raw = servers.reduce((sum, server) => sum + capacityOf(server.drives), 0)
  return Math.floor(raw * share)
}

/** Bytes of a server's drives; those that share a file system share its bytes, so it counts once. */
function capacityOf(drives: readonly Drive[]): number {
  const known = new Set<string>()
  return drives.reduce((sum, { device, totalspace }) => {
    if (device !== undefined && known.has(device)) return sum
    // One that is out of reach may tell its file system, but no size.
    if (device !== undefined && totalspace > 0) known.add(device)
    return sum + totalspace
  }, 0)
}

function dataShare({ standardParity, drivesPerSet }: Backend): number | undefined {
  const [drives] = drivesPerSet
  if (standardParity === undefined || !drives) return undefined
  return (drives - standardParity) / drives
}
