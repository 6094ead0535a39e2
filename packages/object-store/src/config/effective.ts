import type { ConfigKey, Subsystem } from './config-key.ts'
import { type EnvironmentValue, keysOf } from './environment.ts'
import type { Values } from './target.ts'
import { problemOf } from './values.ts'

export interface Effective {
  /** By key; every key of the subsystem is there. */
  readonly values: Values
  /** Values of the environment and of the store that are not good and are not used. */
  readonly problems: string[]
}

/** The values of a target: of the environment, else stored, else the default. A value that is not good gives way to the next. */
export function effectiveValues(
  subsystem: Subsystem,
  environment: ReadonlyMap<string, EnvironmentValue>,
  stored: Values,
): Effective {
  const problems: string[] = []
  const values = keysOf(subsystem).map((key): [string, string] => {
    const fromEnvironment = environment.get(key.name)
    const candidates = [
      ...(fromEnvironment ? [{ value: fromEnvironment.value, source: fromEnvironment.variable }] : []),
      ...(stored[key.name] === undefined ? [] : [{ value: stored[key.name] ?? '', source: subsystem.name }]),
    ]
    for (const { value, source } of candidates) {
      const problem = value === '' ? undefined : problemWith(key, value)
      if (problem === undefined) return [key.name, value]
      problems.push(`${source}: ${key.name} ${problem}; this value is not used`)
    }
    return [key.name, key.default]
  })
  return { values: Object.fromEntries(values), problems }
}

/** What is wrong with a value that is not empty; undefined when it is good. */
export function problemWith(key: ConfigKey, value: string): string | undefined {
  if ([...value].some((c) => c < ' ' || c === '\x7f')) return 'must not contain control characters'
  return problemOf(key.type, value) ?? key.check?.(value)
}
