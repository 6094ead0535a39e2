import type { AdminInfo } from '@stowage/contract'
import type { HealthyCount } from '../../../lib/data/admin-info.ts'
import { t } from '../../../lib/text/i18n.ts'
import type { StatusIconState } from '../../../ui/icons/StatusIcon.tsx'

export type DashboardServer = AdminInfo['servers'][number]
export type DashboardDrive = DashboardServer['drives'][number]

/** A state for display: its icon and its word. */
export interface StateLabel {
  mark: StatusIconState
  word: string
}

/** Formats a state name of the storage server: `permission-denied` → `Permission denied`. */
const stateWord = (state: string) => (state.charAt(0).toUpperCase() + state.slice(1)).replaceAll('-', ' ')

/** Online is green, offline red, any other state grey. */
export function serverState({ state }: DashboardServer): StateLabel {
  if (state === 'online') return { mark: 'ok', word: t('Online') }
  if (state === 'offline') return { mark: 'bad', word: t('Offline') }
  return { mark: 'unknown', word: state === '' ? t('Unknown') : stateWord(state) }
}

/** Ok is green, healing blue. Offline and all other states (`corrupt`, `missing`, …) mean that the drive is not in use. */
export function driveState({ state, healing }: DashboardDrive): StateLabel {
  if (healing && state === 'ok') return { mark: 'run', word: t('Healing') }
  if (state === 'ok') return { mark: 'ok', word: t('Online') }
  if (state === '' || state === 'unknown') return { mark: 'unknown', word: t('Unknown') }
  return { mark: 'bad', word: state === 'offline' ? t('Offline') : stateWord(state) }
}

/** Returns the drive's path, or its endpoint if the server does not report the path. */
export const driveName = ({ drivePath, endpoint }: DashboardDrive) => drivePath || endpoint

const byText = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Sorts servers by endpoint, ignoring case, `stow-2` before `stow-10`, and the drives of each server likewise. */
export function sortServers(servers: readonly DashboardServer[]): DashboardServer[] {
  const sorted = <T extends { endpoint: string }>(items: readonly T[]) =>
    [...items].sort((a, b) => byText.compare(a.endpoint, b.endpoint))
  return sorted(servers).map((server) => ({ ...server, drives: sorted(server.drives) }))
}

/** Counts the peers that a server reaches, and lists those that it does not reach. */
export function networkHealth({ network }: DashboardServer): HealthyCount & { lost: string[] } {
  const peers = Object.entries(network)
  const lost = peers.filter(([, state]) => state !== 'online').map(([peer]) => peer)
  return { healthy: peers.length - lost.length, total: peers.length, lost: lost.sort(byText.compare) }
}

export function drivesHealth({ drives }: DashboardServer): HealthyCount {
  return { healthy: drives.filter(({ state }) => state === 'ok').length, total: drives.length }
}

/** Returns what uses the space of a drive, as shares of its size: the store's data, and other data on the same file system. */
export function driveFill({ totalSpace, usedSpace, availableSpace }: DashboardDrive): { own: number; other: number } {
  if (totalSpace <= 0) return { own: 0, other: 0 }
  const own = Math.min(1, usedSpace / totalSpace)
  return { own, other: Math.max(0, 1 - availableSpace / totalSpace - own) }
}

/** Reports whether other data uses enough of a drive that the gauge needs a legend. */
export const hasOtherData = (drive: DashboardDrive) => drive.state === 'ok' && driveFill(drive).other >= 0.01

/** Returns the names of offline servers and drives. They are listed above everything else. */
export function findFaults(servers: readonly DashboardServer[]): { servers: string[]; drives: string[] } {
  const several = servers.length > 1
  return {
    servers: servers.filter((server) => serverState(server).mark === 'bad').map(({ endpoint }) => endpoint),
    drives: servers.flatMap((server) =>
      server.drives
        .filter((drive) => driveState(drive).mark === 'bad')
        .map((drive) => (several ? `${server.endpoint} ${driveName(drive)}` : driveName(drive))),
    ),
  }
}

/** A set of drives that are not all in use, and how many more of them may fail without loss of data. */
export interface WeakErasureSet {
  /** Drives that are out of service or still being healed. */
  out: number
  total: number
  more: number
}

/**
 * Returns the set that can lose the fewest drives more; undefined if no drive is out of service.
 * @param mayFail drives of a set that may fail
 */
export function weakestErasureSet(servers: readonly DashboardServer[], mayFail: number): WeakErasureSet | undefined {
  const sets = new Map<string, { out: number; total: number }>()
  for (const drive of servers.flatMap(({ drives }) => drives)) {
    const key = `${drive.pool ?? 0} ${drive.set ?? 0}`
    const set = sets.get(key) ?? { out: 0, total: 0 }
    set.total++
    if (driveState(drive).mark !== 'ok') set.out++
    sets.set(key, set)
  }
  const weak = [...sets.values()].filter(({ out }) => out > 0).map((set) => ({ ...set, more: mayFail - set.out }))
  return weak.sort((a, b) => a.more - b.more)[0]
}
