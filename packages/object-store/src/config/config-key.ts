import type { ValueType } from './values.ts'

/** One key of a subsystem, as data: help, validation and what is shown follow from it. */
export interface ConfigKey {
  readonly name: string
  readonly type: ValueType
  /** One line, without a full stop. */
  readonly help: string
  readonly default: string
  /** Must have a value in every target that is on. */
  readonly required?: boolean
  /** Is never sent to a client. */
  readonly secret?: boolean
  /** Environment variables that set it beside those made from its name, the first that is set counts. */
  readonly variables?: readonly string[]
  /** What is wrong with a value of the right type; undefined when it is good. */
  readonly check?: (value: string) => string | undefined
}

export interface Subsystem {
  readonly name: string
  readonly help: string
  /** Whether there may be several, each with a name of its own and a key `enable`. */
  readonly multipleTargets: boolean
  /** Whether targets of the environment are on without `enable`. Stored ones always have it. */
  readonly onByDefault?: boolean
  /** Whether a change is in force at once; else it waits for a restart. */
  readonly dynamic: boolean
  readonly keys: readonly ConfigKey[]
}

export const COMMENT: ConfigKey = { name: 'comment', type: 'sentence', help: 'a note for administrators', default: '' }

/** A whole number in a range. */
export function numberKey(
  name: string,
  help: string,
  preset: number,
  [min, max]: readonly [number, number],
): ConfigKey {
  const check = (value: string) =>
    Number(value) >= min && Number(value) <= max ? undefined : `must be ${min} to ${max}`
  return { name, type: 'number', help, default: String(preset), check }
}
