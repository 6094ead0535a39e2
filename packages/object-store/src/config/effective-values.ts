import type { ConfigKey, ConfigSubsystem } from './config-key.ts'
import type { ConfigValues } from './config-target.ts'
import { type EnvironmentValue, subsystemKeys } from './environment-values.ts'
import { valueTypeProblem } from './value-types.ts'

export interface EffectiveValues {
  /** By key, with all keys of the subsystem. */
  readonly values: ConfigValues
  /** Descriptions of the invalid values of the environment and the store, which are not used. */
  readonly problems: string[]
}

/**
 * Returns the values of a target: from the environment, else stored, else the default. An invalid value is replaced by the next
 * source.
 */
export function effectiveValues(
  subsystem: ConfigSubsystem,
  environment: ReadonlyMap<string, EnvironmentValue>,
  stored: ConfigValues,
): EffectiveValues {
  const problems: string[] = []
  const values = subsystemKeys(subsystem).map((key): [string, string] => {
    const fromEnvironment = environment.get(key.name)
    const candidates = [
      ...(fromEnvironment ? [{ value: fromEnvironment.value, source: fromEnvironment.variable }] : []),
      ...(stored[key.name] === undefined ? [] : [{ value: stored[key.name] ?? '', source: subsystem.name }]),
    ]
    for (const { value, source } of candidates) {
      const problem = value === '' ? undefined : configValueProblem(key, value)
      if (problem === undefined) return [key.name, value]
      problems.push(`${source}: ${key.name} ${problem}; this value is not used`)
    }
    return [key.name, key.default]
  })
  return { values: Object.fromEntries(values), problems }
}

/** Returns what is wrong with a non-empty value; undefined if it is valid. */
export function configValueProblem(key: ConfigKey, value: string): string | undefined {
  if ([...value].some((c) => c < ' ' || c === '\x7f')) return 'must not contain control characters'
  return valueTypeProblem(key.type, value) ?? key.check?.(value)
}
