import type { AdminInfo } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from '../api/query.ts'
import { useMay } from '../session/permissions.ts'

/** How many of something work. */
export interface Part {
  healthy: number
  total: number
}

/** Servers and drives of the store, for users who may read server information. */
export function healthOf(info: AdminInfo): { servers: Part; drives: Part } {
  const drives = info.servers.flatMap((server) => server.drives)
  return {
    servers: { healthy: info.servers.filter((s) => s.state === 'online').length, total: info.servers.length },
    drives: { healthy: drives.filter((d) => d.state === 'ok').length, total: drives.length },
  }
}

/** ok: all of them · warn: more than half · bad: half or fewer. */
export function stateOf({ healthy, total }: Part): 'ok' | 'warn' | 'bad' {
  if (healthy >= total) return 'ok'
  return healthy * 2 <= total ? 'bad' : 'warn'
}

/** Information about the storage server; undefined without `admin:ServerInfo`. Read again every 30 s while it is visible. */
export function useAdminInfo(): AdminInfo | undefined {
  const can = useMay()('admin:ServerInfo')
  const { data } = useQuery({ ...q('getAdminInfo', {}), enabled: can === true, refetchInterval: 30_000, retry: false })
  return data
}
