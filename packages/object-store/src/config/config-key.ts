import type { ConfigValueType } from './value-types.ts'

/** Definition of one key of a subsystem: help, validation and display are derived from it. */
export interface ConfigKey {
  readonly name: string
  readonly type: ConfigValueType
  /** One line, without a period. */
  readonly help: string
  readonly default: string
  /** Required in every enabled target. */
  readonly required?: boolean
  /** Never sent to a client. */
  readonly secret?: boolean
  /**
   * Further environment variables for this key, in addition to the one made from its name; the first one that is set counts.
   */
  readonly variables?: readonly string[]
  /** Returns what is wrong with a value of the right type; undefined if it is valid. */
  readonly check?: (value: string) => string | undefined
}

export interface ConfigSubsystem {
  readonly name: string
  readonly help: string
  /** Whether there can be several targets, each with a name and a key `enable`. */
  readonly multipleTargets: boolean
  /** Whether targets from the environment are enabled without `enable`. Stored targets always have it. */
  readonly onByDefault?: boolean
  /** Whether a change takes effect immediately; otherwise it needs a restart. */
  readonly dynamic: boolean
  readonly keys: readonly ConfigKey[]
}

export const COMMENT_KEY: ConfigKey = {
  name: 'comment',
  type: 'sentence',
  help: 'a note for administrators',
  default: '',
}

/** Defines a key with an integer in a range. */
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
