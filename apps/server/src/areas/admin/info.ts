import type { AdminInfo } from '@stowage/contract'
import type { ServerInfo } from '../../lib/admin-interim.ts'

/** The server's own report in the specification's members. */
export function adminInfoOf(info: ServerInfo): AdminInfo {
  return {
    buckets: info.buckets?.count ?? 0,
    objects: info.objects?.count ?? 0,
    usage: info.usage?.size ?? 0,
    servers: (info.servers ?? []).map((server) => ({
      endpoint: server.endpoint ?? '',
      state: server.state ?? '',
      uptime: server.uptime ?? 0,
      version: server.version ?? '',
      commitID: server.commitID ?? '',
      poolNumber: poolOf(server),
      network: server.network ?? {},
      drives: (server.drives ?? []).map((drive) => ({
        uuid: drive.uuid ?? '',
        endpoint: drive.endpoint ?? '',
        state: drive.state ?? '',
        drivePath: drive.path ?? '',
        rootDisk: drive.rootDisk ?? false,
        healing: drive.healing ?? false,
        model: drive.model ?? '',
        totalSpace: drive.totalspace ?? 0,
        usedSpace: drive.usedspace ?? 0,
        availableSpace: drive.availspace ?? 0,
      })),
    })),
    widgets: null,
  }
}

/** Servers in several pools tell a number that says so by being the largest there is; the first of the pools is shown. */
function poolOf({ poolNumber, poolNumbers }: { poolNumber?: number; poolNumbers?: number[] }): number {
  return poolNumber !== undefined && Number.isSafeInteger(poolNumber) ? poolNumber : (poolNumbers?.[0] ?? 0)
}
