import type { Capability } from '@stowage/contract'
import { type ConfigTarget, configTargetName, MadminError, readConfigText } from '@stowage/madmin'
import type { Clients } from '../../lib/storage/clients.ts'

export type ConfigClients = Pick<Clients, 'madmin' | 'session'>

export interface ListedTarget extends ConfigTarget {
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
const deleted = new Set<string>()

/** Whether a target is enabled. Servers write `enable` only if it is off. */
export function isEnabled(target: ConfigTarget): boolean {
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
export async function withWaitingTargets(
  clients: ConfigClients,
  listed: readonly ConfigTarget[],
  subsystem: string,
  keys: readonly string[] = [],
): Promise<ListedTarget[]> {
  const started = new Set(listed.filter(isStarted).map(nameOf))
  const waiting = new Map<string, ListedTarget>()
  for (const { id, change } of await changesSinceStart(clients, subsystem)) {
    const name = nameOf(change)
    if (started.has(name) || deleted.has(id)) continue
    const before = waiting.get(name)?.values ?? keys.map((key) => [key, ''] as const)
    waiting.set(name, { ...change, values: new Map([...before, ...change.values]), waiting: true })
  }
  return [...listed.filter((target) => !waiting.has(nameOf(target))), ...waiting.values()]
}

/** Deletes a target, or resets it if it is the default one. @throws MadminError XMinioConfigNotFoundError */
export async function deleteTarget(
  clients: ConfigClients,
  subsystem: string,
  target: string,
): Promise<{ restart: boolean }> {
  const name = configTargetName(subsystem, target)
  const result = await clients.madmin.deleteConfig(name)
  for (const { id, change } of await changesSinceStart(clients, subsystem)) {
    if (nameOf(change) === name) deleted.add(id)
  }
  for (const id of deleted) {
    if (deleted.size <= MAX_DELETED) break
    deleted.delete(id)
  }
  return result
}

const nameOf = ({ subsystem, target }: ConfigTarget) => configTargetName(subsystem, target)

/** The default target is always listed. It is off until its first change is in force. */
const isStarted = (target: ConfigTarget) => target.target !== '_' || isEnabled(target)

async function changesSinceStart(
  { madmin, session }: ConfigClients,
  subsystem: string,
): Promise<{ id: string; change: ConfigTarget }[]> {
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
