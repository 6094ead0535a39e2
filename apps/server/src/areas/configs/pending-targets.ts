import type { Capability } from '@stowage/contract'
import { type ConfigTextTarget, formatConfigTarget, MadminError, readConfigText } from '@stowage/madmin'
import type { StorageClients } from '../../lib/storage/storage-clients.ts'

export type ConfigClients = Pick<StorageClients, 'madmin' | 'session'>

export interface ListedConfigTarget extends ConfigTextTarget {
  /** The server lists the target only after a restart. */
  readonly waiting?: true
}

/** Number of history entries of deleted targets that are remembered. */
const MAX_DELETED = 10_000
/** Tolerance for uptimes and dates in whole seconds. */
const MARGIN_SECONDS = 1

/**
 * IDs of history entries of targets that this console has deleted since: the history of MinIO does not contain deletions.
 * The IDs are random, so they need no name of the server.
 */
const deletedEntries = new Set<string>()

/** Whether a target is enabled. Servers write `enable` only if it is off. */
export function isTargetEnabled(target: ConfigTextTarget): boolean {
  const value = target.environment.get('enable')?.value ?? target.values.get('enable')
  return value === undefined ? true : /^(on|true|yes|enabled|1)$/i.test(value)
}

/**
 * Adds the targets that wait for a restart. MinIO lists the targets as they were when it started, so those that were set since
 * are taken from its history.
 * @param listed by the server
 * @param subsystem or `notify_` for those of all kinds
 * @param keys of a target, which are empty until they are set
 */
export async function withPendingTargets(
  clients: ConfigClients,
  listed: readonly ConfigTextTarget[],
  subsystem: string,
  keys: readonly string[] = [],
): Promise<ListedConfigTarget[]> {
  const started = new Set(listed.filter(isStarted).map(targetKey))
  const waiting = new Map<string, ListedConfigTarget>()
  for (const { id, change } of await changesSinceStart(clients, subsystem)) {
    const name = targetKey(change)
    if (started.has(name) || deletedEntries.has(id)) continue
    const before = waiting.get(name)?.values ?? keys.map((key) => [key, ''] as const)
    waiting.set(name, { ...change, values: new Map([...before, ...change.values]), waiting: true })
  }
  return [...listed.filter((target) => !waiting.has(targetKey(target))), ...waiting.values()]
}

/** Deletes a target, or resets it if it is the default one. @throws MadminError XMinioConfigNotFoundError */
export async function deleteConfigTarget(
  clients: ConfigClients,
  subsystem: string,
  target: string,
): Promise<{ restart: boolean }> {
  const name = formatConfigTarget(subsystem, target)
  const result = await clients.madmin.deleteConfig(name)
  for (const { id, change } of await changesSinceStart(clients, subsystem)) {
    if (targetKey(change) === name) deletedEntries.add(id)
  }
  for (const id of deletedEntries) {
    if (deletedEntries.size <= MAX_DELETED) break
    deletedEntries.delete(id)
  }
  return result
}

const targetKey = ({ subsystem, target }: ConfigTextTarget) => formatConfigTarget(subsystem, target)

/** The default target is always listed. It is off until its first change is in force. */
const isStarted = (target: ConfigTextTarget) => target.target !== '_' || isTargetEnabled(target)

async function changesSinceStart(
  { madmin, session }: ConfigClients,
  subsystem: string,
): Promise<{ id: string; change: ConfigTextTarget }[]> {
  if (listsAtOnce(session.capabilities, subsystem)) return []
  try {
    const { servers } = await madmin.serverInfo()
    const seconds = Math.max(0, ...servers.map(({ uptime }) => uptime)) + MARGIN_SECONDS
    const entries = await madmin.listConfigHistory({ seconds })
    return entries.flatMap(({ id, data }) =>
      readConfigText(data)
        .filter((change) => change.subsystem.startsWith(subsystem))
        .map((change) => ({ id, change })),
    )
  } catch (error) {
    // A server without a history, or a user without the right to see it or the uptime.
    if (error instanceof MadminError) return []
    throw error
  }
}

/** Whether the server lists a target as soon as it is set. MinIO does so with the webhooks of records, but not in 2021. */
function listsAtOnce(capabilities: readonly Capability[], subsystem: string): boolean {
  if (capabilities.includes('aws-policies')) return true
  if (subsystem === 'logger_webhook' || subsystem === 'audit_webhook') return !capabilities.includes('quota-fifo')
  return !subsystem.startsWith('notify_')
}
