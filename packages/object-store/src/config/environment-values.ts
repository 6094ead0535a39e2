import type { ConfigKey, ConfigSubsystem } from './config-key.ts'
import { DEFAULT_CONFIG_TARGET } from './config-registry.ts'

/** A value from the environment, which overrides stored ones. */
export interface EnvironmentValue {
  readonly variable: string
  readonly value: string
}

/** By target and key. */
export type EnvironmentValues = ReadonlyMap<string, ReadonlyMap<string, EnvironmentValue>>

const PREFIX = 'MINIO_'

/**
 * Returns the values of a subsystem in the environment: `MINIO_NOTIFY_WEBHOOK_ENDPOINT` for the default target,
 * `MINIO_NOTIFY_WEBHOOK_ENDPOINT_PRIMARY` for the target PRIMARY. An empty variable counts as unset.
 */
export function environmentValues(
  subsystem: ConfigSubsystem,
  environment: Readonly<Record<string, string | undefined>>,
): EnvironmentValues {
  const found = new Map<string, Map<string, EnvironmentValue>>()
  const add = (target: string, key: string, variable: string) => {
    const value = environment[variable]
    if (value === undefined || value === '') return
    const values = found.get(target) ?? new Map<string, EnvironmentValue>()
    if (!values.has(key)) values.set(key, { variable, value })
    found.set(target, values)
  }
  const keys = subsystemKeys(subsystem)
  for (const { name, variables = [] } of keys)
    for (const variable of variables) add(DEFAULT_CONFIG_TARGET, name, variable)
  const start = `${PREFIX}${subsystem.name.toUpperCase()}_`
  for (const variable of Object.keys(environment).sort()) {
    if (!variable.startsWith(start)) continue
    const rest = variable.slice(start.length)
    const key = longestMatch(keys, rest)
    if (!key) continue
    const target = rest.slice(key.name.length + 1)
    if (target === '') add(DEFAULT_CONFIG_TARGET, key.name, variable)
    else if (subsystem.multipleTargets && /^[A-Za-z0-9_-]{1,64}$/.test(target)) add(target, key.name, variable)
  }
  return found
}

/** Returns all keys of a subsystem, including `enable` if it can have several targets. */
export function subsystemKeys(subsystem: ConfigSubsystem): readonly ConfigKey[] {
  if (!subsystem.multipleTargets) return subsystem.keys
  return [subsystem.onByDefault ? OPTIONAL_ENABLE_KEY : ENABLE_KEY, ...subsystem.keys]
}

export const ENABLE_KEY: ConfigKey = {
  name: 'enable',
  type: 'on|off',
  help: 'whether this target is in use',
  default: 'off',
  required: true,
}

const OPTIONAL_ENABLE_KEY: ConfigKey = { ...ENABLE_KEY, default: '', required: false }

/** `CLIENT_CERT_KEY` belongs to `client_cert_key`, not to a target KEY of `client_cert`. */
function longestMatch(keys: readonly ConfigKey[], rest: string): ConfigKey | undefined {
  return keys
    .filter(({ name }) => rest === name.toUpperCase() || rest.startsWith(`${name.toUpperCase()}_`))
    .sort((a, b) => b.name.length - a.name.length)[0]
}
