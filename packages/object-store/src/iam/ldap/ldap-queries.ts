import {
  BusyError,
  type Client,
  Filter,
  NoSuchObjectError,
  ResultCodeError,
  SizeLimitExceededError,
  UnavailableError,
} from 'ldapts'
import { escapeDnValue, firstDnValue, isWithinDn, normalizeDn } from '../../lib/distinguished-name.ts'
import { S3Error } from '../../lib/errors.ts'
import type { LdapSettings } from './ldap-settings.ts'
import { type LdapUser, ldapSignInRefused } from './ldap-user.ts'

/* Queries of a directory, on an open connection. */

const MAX_GROUPS = 1000

export async function signInLdapUser(
  client: Client,
  settings: LdapSettings,
  username: string,
  password: string,
): Promise<LdapUser> {
  const { lookup } = settings
  if (!lookup) {
    const user = await bindByFormat(client, settings, username, password)
    return { ...user, groups: await findGroupDns(client, settings, user.dn, user.username) }
  }
  await bindLookupAccount(client, lookup)
  const user = await findUserByName(client, settings, username)
  if (!user) throw ldapSignInRefused()
  await bindUser(client, user.dn, password)
  await bindLookupAccount(client, lookup)
  return { ...user, groups: await findGroupDns(client, settings, user.dn, user.username) }
}

export async function bindLookupAccount(
  client: Client,
  { dn, password }: { dn: string; password: string },
): Promise<void> {
  await client.bind(dn, password)
}

/** @throws S3Error InvalidParameterValue */
async function bindUser(client: Client, dn: string, password: string): Promise<void> {
  try {
    await client.bind(dn, password)
  } catch (error) {
    // A directory that is busy or shutting down has not checked the password.
    const judged =
      error instanceof ResultCodeError && !(error instanceof BusyError || error instanceof UnavailableError)
    throw judged ? ldapSignInRefused(error) : error
  }
}

/** Tries each format; the first that the directory accepts is the user. */
async function bindByFormat(
  client: Client,
  settings: LdapSettings,
  username: string,
  password: string,
): Promise<NamedEntry> {
  const { userDnFormats, userBases, userFilter } = settings
  let refusal: unknown = ldapSignInRefused()
  for (const format of userDnFormats) {
    const dn = normalizeDn(format.replaceAll('%s', () => escapeDnValue(username)))
    if (dn === undefined) continue
    try {
      await bindUser(client, dn, password)
    } catch (error) {
      if (!(error instanceof S3Error)) throw error
      refusal = error
      continue
    }
    const spelled = await findDn(client, dn, [])
    if (userFilter === '' || userBases.length === 0) {
      // A directory that does not show the entry compares names without regard to case and spaces.
      const name = spelled === undefined ? foldName(username) : firstDnValue(spelled)
      return { dn: spelled ?? dn, username: name ?? foldName(username) }
    }
    // With the settings of 2021, the filter decides which users with a correct password may sign in.
    const [found, ...others] = await searchUsers(client, settings, username)
    if (found && others.length === 0 && found.dn === (spelled ?? dn)) return found
    throw ldapSignInRefused()
  }
  throw refusal
}

/** @throws S3Error InvalidParameterValue if several users have the name */
export async function findUserByName(
  client: Client,
  settings: LdapSettings,
  username: string,
): Promise<NamedEntry | undefined> {
  const found = await searchUsers(client, settings, username).catch((error: unknown) => {
    throw error instanceof SizeLimitExceededError ? ldapSignInRefused(error) : error
  })
  if (found.length > 1) throw ldapSignInRefused(new Error('several users have this name'))
  return found[0]
}

/** An entry of a user. */
type NamedEntry = Pick<LdapUser, 'dn' | 'username'>

/** Returns up to two users that have a name, whose sign-in names are those of the directory, not the text that was entered. */
async function searchUsers(
  client: Client,
  { userBases, userFilter }: LdapSettings,
  username: string,
): Promise<NamedEntry[]> {
  const attributes = [...userFilter.matchAll(/\(([A-Za-z][A-Za-z0-9-]*)=%s\)/g)].map(([, name = '']) => name)
  const found = new Map<string, string>()
  for (const base of userBases) {
    const { searchEntries } = await client.search(base, {
      scope: 'sub',
      filter: fillFilter(userFilter, { s: username }),
      attributes: attributes.length > 0 ? attributes : ['1.1'],
      sizeLimit: 2,
      derefAliases: 'never',
    })
    for (const { dn: text, ...entry } of searchEntries) {
      const dn = normalizeDn(text)
      if (dn !== undefined) found.set(dn, entryName(entry, username) ?? firstDnValue(dn) ?? foldName(username))
    }
  }
  return [...found].map(([dn, name]) => ({ dn, username: name })).toSorted((a, b) => (a.dn < b.dn ? -1 : 1))
}

/** Returns the value of an entry that was meant by the entered name, else its first one. */
function entryName(entry: Record<string, unknown>, entered: string): string | undefined {
  const values = Object.values(entry)
    .flat()
    .filter((value): value is string => typeof value === 'string' && value !== '')
  return values.find((value) => foldName(value) === foldName(entered)) ?? values[0]
}

/** Returns a name as directories compare it. */
const foldName = (name: string): string => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

/** Returns the name in the spelling of the directory; undefined if it does not exist, or is in none of the bases. */
export async function findDn(client: Client, dn: string, bases: readonly string[]): Promise<string | undefined> {
  if (bases.length > 0 && !bases.some((base) => isWithinDn(dn, base))) return undefined
  try {
    const { searchEntries } = await client.search(dn, { scope: 'base', attributes: ['1.1'], sizeLimit: 1 })
    const [entry] = searchEntries
    return entry && normalizeDn(entry.dn)
  } catch (error) {
    if (error instanceof NoSuchObjectError) return undefined
    throw error
  }
}

export async function findGroupDns(
  client: Client,
  { groupBases, groupFilter }: LdapSettings,
  dn: string,
  username: string,
): Promise<string[]> {
  if (groupFilter === '') return []
  return await searchDns(client, groupBases, fillFilter(groupFilter, { s: username, d: dn }), MAX_GROUPS)
}

/** Returns the names of entries that match a filter, sorted, without references to other servers. */
async function searchDns(client: Client, bases: readonly string[], filter: string, limit: number): Promise<string[]> {
  const names = new Set<string>()
  for (const base of bases) {
    const { searchEntries } = await client.search(base, {
      scope: 'sub',
      filter,
      attributes: ['1.1'],
      sizeLimit: limit,
      derefAliases: 'never',
    })
    for (const { dn } of searchEntries) {
      const name = normalizeDn(dn)
      if (name !== undefined) names.add(name)
    }
  }
  return [...names].toSorted()
}

/** Returns a filter with values in place of `%s` and `%d`, escaped so that they cannot change its meaning. */
function fillFilter(filter: string, values: { s: string; d?: string }): string {
  return filter.replace(/%[sd]/g, (placeholder) => Filter.escape(placeholder === '%s' ? values.s : (values.d ?? '')))
}
