import { S3Error } from '../errors.ts'
import { type Effective, problemWith } from './effective.ts'
import { keysOf } from './environment.ts'
import { nameOf, type Target, type TargetChange, type Values } from './target.ts'
import { switchOf } from './values.ts'

/** Returns what is wrong with otherwise valid values, for instance that they would lock everyone out. */
export type Guard = (values: Values, target: string) => string | undefined

/** Maximum number of targets per subsystem. */
const MAX_TARGETS = 100

/** @throws S3Error XMinioAdminConfigBadJSON */
export function requireValid(
  target: Target,
  stored: Values,
  { values }: Effective,
  guards: readonly Guard[] = [],
): void {
  const { subsystem, name } = target
  const refuse = (reason: string) => {
    throw new S3Error('XMinioAdminConfigBadJSON', `${nameOf(target)}: ${reason}`)
  }
  for (const key of keysOf(subsystem)) {
    const value = stored[key.name] ?? ''
    const problem = value === '' ? undefined : problemWith(key, value)
    if (problem !== undefined) refuse(`${key.name} ${problem}`)
  }
  if (!subsystem.multipleTargets || switchOf(values.enable ?? '') === true) {
    const missing = keysOf(subsystem).find((key) => key.required && !values[key.name])
    if (missing) refuse(`${missing.name} must not be empty`)
  }
  for (const guard of guards) {
    const problem = guard(values, name)
    if (problem !== undefined) refuse(problem)
  }
}

/** @throws S3Error XMinioConfigError when a subsystem would have too many targets */
export function requireRoom(changes: readonly TargetChange[], namesOf: (subsystem: string) => readonly string[]): void {
  for (const { target, stored } of changes) {
    const known = namesOf(target.subsystem.name)
    if (stored && !known.includes(target.name) && known.length >= MAX_TARGETS) {
      throw new S3Error('XMinioConfigError', `A sub-system can have ${MAX_TARGETS} targets.`)
    }
  }
}
