import { reason } from '@stowage/contract'
import { serverConfigKey } from '@stowage/contract/configs/config-forms'
import {
  type ConfigTextTarget,
  findUnsendable,
  formatConfigLine,
  formatConfigTarget,
  type Madmin,
  MadminError,
} from '@stowage/madmin'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { settingQueue } from '../../lib/storage/setting-conflicts.ts'
import {
  readTargets,
  requiredFields,
  requireSubsystem,
  type ServerSubsystem,
  targetVersion,
} from './config-subsystems.ts'
import { isSecretKey, lacksPassword, withoutPassword } from './hidden-passwords.ts'
import type { ConfigClients } from './pending-targets.ts'

export interface WantedConfigChange {
  readonly name: string
  /** `_` for the default target. */
  readonly target: string
  readonly values: readonly { key: string; value: string }[]
  /** The version of the target that the caller has read; see `targetVersion`. */
  readonly version?: string | undefined
  /** Refuses to change a named target that exists. */
  readonly createOnly?: boolean | undefined
}

/**
 * Sets keys of a target; empty values reset keys to their defaults. Checks everything that can be checked here before anything
 * is sent.
 * @throws HttpError 400 with the field, 404, 409 if the target has changed since it was read
 */
export async function changeConfig(clients: ConfigClients, wanted: WantedConfigChange): Promise<{ restart: boolean }> {
  return await settingQueue.run(
    `config/${wanted.name}:${wanted.target}`,
    async () => await changeInTurn(clients, wanted),
  )
}

async function changeInTurn(clients: ConfigClients, wanted: WantedConfigChange): Promise<{ restart: boolean }> {
  const { madmin } = clients
  const subsystem = await requireSubsystem(madmin, wanted.name)
  const target = await requireTargetVersion(clients, subsystem, wanted)
  if (wanted.createOnly && target) {
    throw new HttpError(409, reason('target-exists', { target: formatConfigTarget(wanted.name, wanted.target) }))
  }
  const given = new Map(wanted.values.map(({ key, value }) => [serverConfigKey(key), value.trim()]))
  const values = new Map([...given].filter(([key, value]) => !isKept(subsystem, target, key, value)))
  for (const [key, value] of values) checkValue(subsystem, target, key, value)
  checkRequired(subsystem, target, given)
  const set = [...keptSwitch(subsystem, target, given), ...[...values].filter(([, value]) => value !== '')]
  const cleared = [...values.keys()].filter((key) => !values.get(key) && hasValue(subsystem, target, key))
  return await sendChange(madmin, subsystem, wanted.target, set, cleared)
}

/** Returns the target as it is now. @throws HttpError 409 if it has changed since the version that the caller has read */
export async function requireTargetVersion(
  clients: ConfigClients,
  subsystem: ServerSubsystem,
  { target, version }: Pick<WantedConfigChange, 'target' | 'version'>,
): Promise<ConfigTextTarget | undefined> {
  const present = (await readTargets(clients, subsystem)).find((each) => each.target === target)
  if (version !== undefined && version !== targetVersion(present)) throw new HttpError(409, reason('config-changed'))
  return present
}

/**
 * Returns `enable` as it is, if the change does not name it: servers turn a setting on with any change of another key, so that
 * a form which does not show the switch would turn compression on by its comment. The default target of a setting with several
 * ones is off until its first change, which turns it on.
 */
function keptSwitch(
  { help }: ServerSubsystem,
  target: ConfigTextTarget | undefined,
  given: ReadonlyMap<string, string>,
): [key: string, value: string][] {
  if (help.multipleTargets && target?.target === '_') return []
  const stored = target?.environment.has('enable') ? undefined : target?.values.get('enable')
  return stored === undefined || stored === '' || given.has('enable') ? [] : [['enable', stored]]
}

async function sendChange(
  madmin: Madmin,
  subsystem: ServerSubsystem,
  target: string,
  set: readonly (readonly [string, string])[],
  cleared: readonly string[],
): Promise<{ restart: boolean }> {
  const { serverName, toServerKey } = subsystem
  let restart = false
  try {
    if (set.length > 0) {
      const pairs = set.map(([key, value]) => [toServerKey(key), value] as const)
      restart = (await madmin.setConfig(formatConfigLine(serverName, target, pairs))).restart
    }
    if (cleared.length > 0) {
      const line = [formatConfigTarget(serverName, target), ...cleared.map(toServerKey)].join(' ')
      restart = (await madmin.deleteConfig(line)).restart || restart
    }
  } catch (error) {
    throw configRefusal(error, [...set.map(([key]) => key), ...cleared])
  }
  return { restart }
}

/** Returns an error with the server's own text, attached to the field that it names. */
export function configRefusal(error: unknown, keys: readonly string[]): unknown {
  if (!(error instanceof MadminError) || error.status !== 400) return error
  const named = keys.find((key) => new RegExp(`\\b${key}\\b`).test(error.message))
  // If only one value was sent, the error is about that one.
  const field = named ?? (keys.length === 1 ? keys[0] : undefined)
  return new HttpError(400, reason('config-refused'), {
    detail: error.message,
    cause: error,
    ...(field === undefined ? {} : { field }),
  })
}

/** Whether a value stays unchanged: a secret that was not entered again, or a value whose password was left out. */
function isKept(subsystem: ServerSubsystem, target: ConfigTextTarget | undefined, key: string, value: string): boolean {
  const name = subsystem.toServerKey(key)
  if (isSecretKey(name)) return value === ''
  const present = target?.values.get(name) ?? ''
  return withoutPassword(name, present) !== present && value === withoutPassword(name, present)
}

function checkValue(
  subsystem: ServerSubsystem,
  target: ConfigTextTarget | undefined,
  key: string,
  value: string,
): void {
  const { name, help } = subsystem
  const serverName = subsystem.toServerKey(key)
  const known = new Set(['enable', ...help.keys.map((each) => each.key)])
  const isListed = target?.values.has(serverName) && subsystem.fromServerKey(serverName) === key
  if (!known.has(key) && !isListed) {
    throw new HttpError(400, reason('config-key-unknown', { key, name }), { field: key })
  }
  const locked = target?.environment.get(serverName)
  if (locked && locked.value !== value) {
    throw new HttpError(400, reason('config-key-locked', { variable: locked.variable }), { field: key })
  }
  const problem = findUnsendable(value, [...known].map(subsystem.toServerKey))
  if (problem?.why === 'quote') throw new HttpError(400, reason('config-value-quote'), { field: key })
  if (problem?.why === 'control') throw new HttpError(400, reason('config-value-control'), { field: key })
  if (problem) throw new HttpError(400, reason('config-value-key', { key: problem.key ?? '' }), { field: key })
  const present = target?.values.get(serverName) ?? ''
  if (value !== '' && lacksPassword(serverName, present, value)) {
    throw new HttpError(400, reason('config-password-again'), { field: key })
  }
}

/** @throws HttpError 400 with a required field that would be empty */
function checkRequired(
  subsystem: ServerSubsystem,
  target: ConfigTextTarget | undefined,
  given: ReadonlyMap<string, string>,
): void {
  const missing = requiredFields(subsystem).find(({ key }) => {
    // A missing field keeps its value, as callers of the original console expect.
    if (!given.has(key)) return false
    return !given.get(key) && !(isSecretKey(subsystem.toServerKey(key)) && hasValue(subsystem, target, key))
  })
  if (missing) throw new HttpError(400, reason('required'), { field: missing.key })
}

/** Whether a key has a value. Servers never return secrets; they only report which ones are not set. */
function hasValue(subsystem: ServerSubsystem, target: ConfigTextTarget | undefined, key: string): boolean {
  const name = subsystem.toServerKey(key)
  if (!target) return false
  if (target.environment.has(name)) return true
  const value = target.values.get(name)
  return isSecretKey(name) ? value !== '' : value !== undefined && value !== ''
}
