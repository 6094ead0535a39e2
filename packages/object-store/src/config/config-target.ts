import { S3Error } from '../lib/errors.ts'
import type { ConfigSubsystem } from './config-key.ts'
import type { ConfigLine } from './config-lines.ts'
import { DEFAULT_CONFIG_TARGET } from './config-registry.ts'
import { subsystemKeys } from './environment-values.ts'
import { parseSwitch } from './value-types.ts'

/** The values of a target by key. */
export type ConfigValues = Readonly<Record<string, string>>

/** A target of a subsystem with its stored values. */
export interface StoreConfigTarget {
  readonly subsystem: ConfigSubsystem
  readonly name: string
  readonly stored: ConfigValues
}

export interface ConfigTargetChange {
  readonly target: StoreConfigTarget
  /** Undefined: the target is deleted. */
  readonly stored: ConfigValues | undefined
}

/** `subsystem` or `subsystem:target`. */
export function configTargetName({ subsystem, name }: StoreConfigTarget): string {
  return name === DEFAULT_CONFIG_TARGET ? subsystem.name : `${subsystem.name}:${name}`
}

export function isTargetDisabled({ subsystem, stored }: StoreConfigTarget): boolean {
  return subsystem.multipleTargets && parseSwitch(stored.enable ?? 'off') !== true
}

/**
 * Returns the stored values after a change. An empty value resets a key to its default. A target with a key `enable` is
 * enabled if the change does not contain it.
 * @param options.keep whether keys that are not in the change are kept; secrets always are
 */
export function mergeStoredValues(
  target: StoreConfigTarget,
  given: ConfigLine['pairs'],
  { keep }: { keep: boolean },
): ConfigValues {
  const { subsystem, stored } = target
  const secrets = new Set(subsystem.keys.filter((key) => key.secret).map((key) => key.name))
  const kept = Object.entries(stored).filter(([key]) => keep || secrets.has(key))
  const hasSwitch = subsystemKeys(subsystem).some(({ name }) => name === 'enable')
  const values = new Map([...(hasSwitch ? [['enable', 'on'] as const] : []), ...kept, ...given])
  if (hasSwitch && !given.some(([key]) => key === 'enable')) values.set('enable', 'on')
  return Object.fromEntries([...values].filter(([, value]) => value !== ''))
}

/** @throws S3Error XMinioConfigError */
export function requireConfigKey(subsystem: ConfigSubsystem, key: string): void {
  if (subsystemKeys(subsystem).some(({ name }) => name === key)) return
  const message = `sub-system '${subsystem.name}' has no key '${key.slice(0, 64)}'; quote values that contain blanks`
  throw new S3Error('XMinioConfigError', message)
}

/** @throws S3Error XMinioAdminConfigDuplicateKeys */
export function requireDistinctTargets(changes: readonly ConfigTargetChange[]): void {
  const seen = new Set<string>()
  for (const { target } of changes) {
    const name = configTargetName(target)
    if (seen.has(name)) throw new S3Error('XMinioAdminConfigDuplicateKeys', `The target ${name} is given twice.`)
    seen.add(name)
  }
}
