import { type EnvironmentValue, keysOf } from './environment.ts'
import type { Target } from './target.ts'
import { type ConfigLine, formatLine } from './text.ts'
import { switchOf } from './values.ts'

interface Shown {
  readonly environment: ReadonlyMap<string, EnvironmentValue>
  readonly problems: readonly string[]
  /** False for a target that exists only in the environment. */
  readonly isStored: boolean
}

/** Returns the text of a target, without secrets, after comments about environment variables and invalid values. */
export function targetText(target: Target, { environment, problems, isStored }: Shown): string {
  const { subsystem, name } = target
  const secrets = new Set(subsystem.keys.filter((key) => key.secret).map((key) => key.name))
  const variables = [...environment].filter(([key]) => !secrets.has(key))
  const comments = [
    ...variables.map(([, { variable, value }]) => `# ${variable}=${value.replaceAll(/[\r\n]+/g, ' ')}`),
    ...problems.map((problem) => `# ${problem}`),
  ]
  const line = isStored
    ? targetLine(target, { defaults: true })
    : { subsystem: subsystem.name, target: name, pairs: [] }
  return [...comments, formatLine(line)].map((each) => `${each}\n`).join('')
}

/** Returns the line of a target without secrets that are set; contains `enable` only if it is off. */
export function targetLine({ subsystem, name, stored }: Target, { defaults }: { defaults: boolean }): ConfigLine {
  const pairs = keysOf(subsystem).flatMap((key): [string, string][] => {
    const value = stored[key.name]
    if (key.secret && value) return []
    if (key.name === 'enable' && subsystem.multipleTargets) {
      return switchOf(value ?? key.default) === false && (defaults || value !== undefined) ? [['enable', 'off']] : []
    }
    if (value === undefined && (!defaults || key.name === 'comment')) return []
    return [[key.name, value ?? key.default]]
  })
  return { subsystem: subsystem.name, target: name, pairs }
}
