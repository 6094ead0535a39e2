import { type ConfigLine, configLineText } from './config-lines.ts'
import type { StoreConfigTarget } from './config-target.ts'
import { type EnvironmentValue, subsystemKeys } from './environment-values.ts'
import { parseSwitch } from './value-types.ts'

interface TargetTextOptions {
  readonly environment: ReadonlyMap<string, EnvironmentValue>
  readonly problems: readonly string[]
  /** False for a target that exists only in the environment. */
  readonly isStored: boolean
}

/** Returns the text of a target, without secrets, after comments about environment variables and invalid values. */
export function configTargetText(
  target: StoreConfigTarget,
  { environment, problems, isStored }: TargetTextOptions,
): string {
  const { subsystem, name } = target
  const secrets = new Set(subsystem.keys.filter((key) => key.secret).map((key) => key.name))
  const variables = [...environment].filter(([key]) => !secrets.has(key))
  const comments = [
    ...variables.map(([, { variable, value }]) => `# ${variable}=${value.replaceAll(/[\r\n]+/g, ' ')}`),
    ...problems.map((problem) => `# ${problem}`),
  ]
  const line = isStored
    ? configTargetLine(target, { defaults: true })
    : { subsystem: subsystem.name, target: name, pairs: [] }
  return [...comments, configLineText(line)].map((each) => `${each}\n`).join('')
}

/** Returns the line of a target without secrets that are set; contains `enable` only if it is off. */
export function configTargetLine(
  { subsystem, name, stored }: StoreConfigTarget,
  { defaults }: { defaults: boolean },
): ConfigLine {
  const pairs = subsystemKeys(subsystem).flatMap((key): [string, string][] => {
    const value = stored[key.name]
    if (key.secret && value) return []
    if (key.name === 'enable' && subsystem.multipleTargets) {
      return parseSwitch(value ?? key.default) === false && (defaults || value !== undefined) ? [['enable', 'off']] : []
    }
    if (value === undefined && (!defaults || key.name === 'comment')) return []
    return [[key.name, value ?? key.default]]
  })
  return { subsystem: subsystem.name, target: name, pairs }
}
