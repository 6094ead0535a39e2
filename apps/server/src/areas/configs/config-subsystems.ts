import { createHash } from 'node:crypto'
import { reason } from '@stowage/contract'
import { type FormField, findConfigForm } from '@stowage/contract/configs/config-forms'
import { type ConfigHelp, type ConfigTextTarget, type Madmin, MadminError, readConfigText } from '@stowage/madmin'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { isSecretKey, withoutPassword } from './hidden-passwords.ts'
import { type ConfigClients, type ListedConfigTarget, withPendingTargets } from './pending-targets.ts'

/** A subsystem of the server, with the name and keys used in the console's API. */
export interface ServerSubsystem {
  /** Name in the console's API. */
  readonly name: string
  /** Name on the server. */
  readonly serverName: string
  readonly help: ConfigHelp
  readonly toServerKey: (key: string) => string
  readonly fromServerKey: (key: string) => string
}

/** Servers since 2023 keep the region and its comment in `site`. */
const REGION_IN_SITE: Readonly<Record<string, string>> = { name: 'region', comment: 'comment' }

/** Returns a subsystem and the server's help about it; undefined if the server does not have it. */
export async function findSubsystem(madmin: Madmin, name: string): Promise<ServerSubsystem | undefined> {
  const same = (key: string) => key
  const help = await readSubsystemHelp(madmin, name)
  if (help) return { name, serverName: name, help, toServerKey: same, fromServerKey: same }
  const site = name === 'region' ? await readSubsystemHelp(madmin, 'site') : undefined
  if (!site) return undefined
  const names = Object.entries(REGION_IN_SITE)
  const keys = site.keys.flatMap((key) => {
    const [own] = names.find(([, serverKey]) => serverKey === key.key) ?? []
    return own === undefined ? [] : [{ ...key, key: own }]
  })
  return {
    name,
    serverName: 'site',
    help: { ...site, keys },
    toServerKey: (key) => REGION_IN_SITE[key] ?? key,
    fromServerKey: (key) => names.find(([, serverKey]) => serverKey === key)?.[0] ?? '',
  }
}

/** @throws HttpError 404 */
export async function requireSubsystem(madmin: Madmin, name: string): Promise<ServerSubsystem> {
  const found = await findSubsystem(madmin, name)
  if (!found) throw unsupportedSubsystem(name)
  return found
}

export function unsupportedSubsystem(name: string): HttpError {
  return new HttpError(404, reason('config-unsupported', { name }))
}

async function readSubsystemHelp(madmin: Madmin, name: string): Promise<ConfigHelp | undefined> {
  try {
    return await madmin.configHelp(name)
  } catch (error) {
    if (error instanceof MadminError && error.code === 'XMinioConfigError') return undefined
    throw error
  }
}

/** Returns the targets of a subsystem, including those that the storage server does not list before its restart. */
export async function readTargets(
  clients: ConfigClients,
  { serverName, help }: ServerSubsystem,
): Promise<ListedConfigTarget[]> {
  const targets = readConfigText(await clients.madmin.getConfig(serverName))
  const listed = targets.filter((target) => target.subsystem === serverName)
  const keys = help.keys.map(({ key }) => key).filter((key) => key !== 'enable')
  return await withPendingTargets(clients, listed, serverName, keys)
}

export interface ShownConfigValue {
  key: string
  value?: string
  type?: string
  description?: string
  secret?: boolean
  isSet?: boolean
  variable?: string
  unsupported?: boolean
}

/** Returns the values of a target for the browser, without secrets: the fields of the form first, then all others. */
export function shownValues(subsystem: ServerSubsystem, target: ConfigTextTarget | undefined): ShownConfigValue[] {
  const help = new Map(subsystem.help.keys.map((key) => [key.key, key]))
  const form = findConfigForm(subsystem.name) ?? []
  const named = [...(target?.values.keys() ?? [])].map(subsystem.fromServerKey).filter((key) => key !== '')
  const keys = new Set([...form.map(({ key }) => key), ...help.keys(), ...named])
  keys.delete('enable')
  return [...keys].map((key) => {
    const about = help.get(key)
    const isKnown = about !== undefined || named.includes(key)
    return {
      key,
      ...shownValue(subsystem, target, key),
      ...(about ? { type: about.type, description: about.description } : {}),
      ...(isKnown ? {} : { unsupported: true }),
    }
  })
}

function shownValue(
  subsystem: ServerSubsystem,
  target: ConfigTextTarget | undefined,
  key: string,
): Omit<ShownConfigValue, 'key'> {
  const serverKey = subsystem.toServerKey(key)
  const environment = target?.environment.get(serverKey)
  const value = environment?.value ?? target?.values.get(serverKey)
  const locked = environment ? { variable: environment.variable } : {}
  if (isSecretKey(serverKey)) {
    // Servers leave out secrets that are set; servers of 2021 return them.
    const isSet = target !== undefined && value !== '' && hasKey(subsystem, key)
    return { secret: true, isSet, ...locked }
  }
  if (value === undefined || value === '') return locked
  const shown = withoutPassword(serverKey, value)
  return { value: shown, ...(shown === value ? {} : { secret: true, isSet: true }), ...locked }
}

function hasKey({ help }: ServerSubsystem, key: string): boolean {
  return help.keys.some((each) => each.key === key)
}

/** Returns a hash of a target's settings, which changes when any of them changes. */
export function targetVersion(target: ConfigTextTarget | undefined): string {
  const content = target ? [[...target.values], [...target.environment.values()]] : []
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)
}

/** Returns the required fields of the form that this server supports. */
export function requiredFields(subsystem: ServerSubsystem): FormField[] {
  const known = new Set(subsystem.help.keys.map(({ key }) => key))
  return (findConfigForm(subsystem.name) ?? []).filter(({ key, required }) => required && known.has(key))
}
