import type { AdminInfo } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from '../api/query.ts'
import { usePermissions } from './permissions.ts'

/** The number of healthy servers or drives, of all. */
export interface HealthyCount {
  healthy: number
  total: number
}

/** Counts the servers and drives of the store. */
export function countHealthy(info: AdminInfo): { servers: HealthyCount; drives: HealthyCount } {
  const drives = info.servers.flatMap((server) => server.drives)
  return {
    servers: { healthy: info.servers.filter((s) => s.state === 'online').length, total: info.servers.length },
    drives: { healthy: drives.filter((d) => d.state === 'ok').length, total: drives.length },
  }
}

/** Returns `ok` if all are healthy, `warn` if more than half, `bad` if half or fewer. */
export function healthState({ healthy, total }: HealthyCount): 'ok' | 'warn' | 'bad' {
  if (healthy >= total) return 'ok'
  return healthy * 2 <= total ? 'bad' : 'warn'
}

/** Returns information about the storage server; undefined without `admin:ServerInfo`. Refreshed every 30 s while visible. */
export function useAdminInfo(): AdminInfo | undefined {
  const can = usePermissions()('admin:ServerInfo')
  const { data } = useQuery({ ...q('getAdminInfo', {}), enabled: can === true, refetchInterval: 30_000, retry: false })
  return data
}
