import type { AdminInfo } from '@stowage/contract'
import type { DriveInfo, ServerInfo, ServerState, StorageBackend } from '@stowage/madmin'

/**
 * Converts the server's report to the names of the specification.
 * @param countedAt when the usage was counted, in the form of the contract
 */
export function convertServerInfo(
  info: ServerInfo,
  countedAt?: string | null,
): Omit<AdminInfo, 'widgets' | 'metrics' | 'time'> {
  const usable = usableCapacity(info)
  const mayFail = info.backend.drivesMayFail ?? info.backend.standardParity
  return {
    buckets: info.buckets.count ?? 0,
    objects: info.objects.count ?? 0,
    usage: info.usage.size ?? 0,
    servers: info.servers.map(adminInfoServer),
    ...(mayFail === undefined ? {} : { drivesMayFail: mayFail }),
    ...(usable === undefined ? {} : { usableCapacity: usable }),
    ...(countedAt === undefined ? {} : { countedAt }),
  }
}

function adminInfoServer({ endpoint, state, uptime, version, commitID, poolNumbers, network, drives }: ServerState) {
  const [poolNumber = 0] = poolNumbers
  return {
    endpoint,
    state,
    uptime,
    version,
    commitID,
    poolNumber,
    network: { ...network },
    drives: drives.map(adminInfoDrive),
  }
}

function adminInfoDrive(drive: DriveInfo) {
  const { uuid, endpoint, state, path, rootDisk, healing, model, totalspace, usedspace, availspace } = drive
  const { pool, set, healed, errors, latencyMs } = drive
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
    ...(pool === undefined || set === undefined ? {} : { pool, set }),
    ...(healing && healed !== undefined ? { healed } : {}),
    ...(errors === undefined ? {} : { errors }),
    ...(latencyMs === undefined ? {} : { latencyMs }),
  }
}

/** Bytes that can be stored: all drives less parity. Undefined if the server does not report its parity. */
const usableCapacity = (info: ServerInfo) => withoutParity(info, ({ totalspace }) => totalspace)

/** Bytes that can still be stored. Undefined if the server does not report its parity. */
export const usableFreeBytes = (info: ServerInfo) => withoutParity(info, ({ availspace }) => availspace)

function withoutParity({ servers, backend }: ServerInfo, driveBytes: (drive: DriveInfo) => number): number | undefined {
  const share = dataShare(backend)
  if (share === undefined) return undefined
  const raw = servers.reduce((sum, server) => sum + sumDriveBytes(server.drives, driveBytes), 0)
  return Math.floor(raw * share)
}

/** Bytes of a server's drives. Drives on one file system share its bytes, so it counts once. */
function sumDriveBytes(drives: readonly DriveInfo[], driveBytes: (drive: DriveInfo) => number): number {
  const known = new Set<string>()
  return drives.reduce((sum, drive) => {
    const { device, totalspace } = drive
    if (device !== undefined && known.has(device)) return sum
    // A drive that is offline may report its file system, but no size.
    if (device !== undefined && totalspace > 0) known.add(device)
    return sum + driveBytes(drive)
  }, 0)
}

function dataShare({ standardParity, drivesPerSet }: StorageBackend): number | undefined {
  const [drives] = drivesPerSet
  if (standardParity === undefined || !drives) return undefined
  return (drives - standardParity) / drives
}
