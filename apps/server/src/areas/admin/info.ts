import type { AdminInfo } from '@stowage/contract'
import type { Backend, Drive, Server, ServerInfo } from '@stowage/madmin'

/**
 * The server's own report in the specification's members.
 * @param countedAt when the usage was counted, where the server tells it
 */
export function adminInfoOf(info: ServerInfo, countedAt?: string): AdminInfo {
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
  const raw = servers.flatMap((server) => server.drives).reduce((sum, drive) => sum + drive.totalspace, 0)
  return Math.floor(raw * share)
}

function dataShare({ standardParity, drivesPerSet }: Backend): number | undefined {
  const [drives] = drivesPerSet
  if (standardParity === undefined || !drives) return undefined
  return (drives - standardParity) / drives
}
