import { S3Error } from '../errors.ts'
import type { Subsystem } from './config-key.ts'
import { keysOf } from './environment.ts'
import { DEFAULT_TARGET } from './registry.ts'
import type { ConfigLine } from './text.ts'
import { switchOf } from './values.ts'

/** The values of a target by key. */
export type Values = Readonly<Record<string, string>>

/** A target of a subsystem with its stored values. */
export interface Target {
  readonly subsystem: Subsystem
  readonly name: string
  readonly stored: Values
}

export interface TargetChange {
  readonly target: Target
  /** Undefined: the target is deleted. */
  readonly stored: Values | undefined
}

/** `subsystem` or `subsystem:target`. */
export function nameOf({ subsystem, name }: Target): string {
  return name === DEFAULT_TARGET ? subsystem.name : `${subsystem.name}:${name}`
}

export function isOff({ subsystem, stored }: Target): boolean {
  return subsystem.multipleTargets && switchOf(stored.enable ?? 'off') !== true
}

/**
 * Returns the stored values after a change. An empty value resets a key to its default. A target with a key `enable` is
 * enabled if the change does not contain it.
 * @param options.keep whether keys that are not in the change are kept; secrets always are
 */
export function merge(target: Target, given: ConfigLine['pairs'], { keep }: { keep: boolean }): Values {
  const { subsystem, stored } = target
  const secrets = new Set(subsystem.keys.filter((key) => key.secret).map((key) => key.name))
  const kept = Object.entries(stored).filter(([key]) => keep || secrets.has(key))
  const hasSwitch = keysOf(subsystem).some(({ name }) => name === 'enable')
  const values = new Map([...(hasSwitch ? [['enable', 'on'] as const] : []), ...kept, ...given])
  if (hasSwitch && !given.some(([key]) => key === 'enable')) values.set('enable', 'on')
  return Object.fromEntries([...values].filter(([, value]) => value !== ''))
}

/** @throws S3Error XMinioConfigError */
export function requireKey(subsystem: Subsystem, key: string): void {
  if (keysOf(subsystem).some(({ name }) => name === key)) return
  const message = `sub-system '${subsystem.name}' has no key '${key.slice(0, 64)}'; quote values that contain blanks`
  throw new S3Error('XMinioConfigError', message)
}

/** @throws S3Error XMinioAdminConfigDuplicateKeys */
export function requireDistinct(changes: readonly TargetChange[]): void {
  const seen = new Set<string>()
  for (const { target } of changes) {
    const name = nameOf(target)
    if (seen.has(name)) throw new S3Error('XMinioAdminConfigDuplicateKeys', `The target ${name} is given twice.`)
    seen.add(name)
  }
}
