import { S3Error } from '../lib/errors.ts'
import {
  type ConfigTargetChange,
  type ConfigValues,
  configTargetName,
  type StoreConfigTarget,
} from './config-target.ts'
import { configValueProblem, type EffectiveValues } from './effective-values.ts'
import { subsystemKeys } from './environment-values.ts'
import { parseSwitch } from './value-types.ts'

/** Returns what is wrong with otherwise valid values, for instance that they would lock everyone out. */
export type ConfigGuard = (values: ConfigValues, target: string) => string | undefined

/** Maximum number of targets per subsystem. */
const MAX_TARGETS = 100

/** @throws S3Error XMinioAdminConfigBadJSON */
export function requireValidTarget(
  target: StoreConfigTarget,
  stored: ConfigValues,
  { values }: EffectiveValues,
  guards: readonly ConfigGuard[] = [],
): void {
  const { subsystem, name } = target
  const refuse = (reason: string) => {
    throw new S3Error('XMinioAdminConfigBadJSON', `${configTargetName(target)}: ${reason}`)
  }
  for (const key of subsystemKeys(subsystem)) {
    const value = stored[key.name] ?? ''
    const problem = value === '' ? undefined : configValueProblem(key, value)
    if (problem !== undefined) refuse(`${key.name} ${problem}`)
  }
  if (!subsystem.multipleTargets || parseSwitch(values.enable ?? '') === true) {
    const missing = subsystemKeys(subsystem).find((key) => key.required && !values[key.name])
    if (missing) refuse(`${missing.name} must not be empty`)
  }
  for (const guard of guards) {
    const problem = guard(values, name)
    if (problem !== undefined) refuse(problem)
  }
}

/** @throws S3Error XMinioConfigError when a subsystem would have too many targets */
export function requireTargetLimit(
  changes: readonly ConfigTargetChange[],
  namesOf: (subsystem: string) => readonly string[],
): void {
  for (const { target, stored } of changes) {
    const known = namesOf(target.subsystem.name)
    if (stored && !known.includes(target.name) && known.length >= MAX_TARGETS) {
      throw new S3Error('XMinioConfigError', `A sub-system can have ${MAX_TARGETS} targets.`)
    }
  }
}
