import { type EnvironmentValue, keysOf } from './environment.ts'
import type { Target } from './target.ts'
import { type ConfigLine, formatLine } from './text.ts'
import { switchOf } from './values.ts'

interface Shown {
  readonly environment: ReadonlyMap<string, EnvironmentValue>
  readonly problems: readonly string[]
  /** False for a target that only the environment has. */
  readonly isStored: boolean
}

/** The text of a target, without secrets, behind comments about the environment and about values that are not good. */
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

/** Without secrets that have a value; `enable` is there only when it is off. */
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
