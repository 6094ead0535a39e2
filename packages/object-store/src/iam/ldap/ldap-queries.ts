import {
  BusyError,
  type Client,
  Filter,
  NoSuchObjectError,
  ResultCodeError,
  SizeLimitExceededError,
  UnavailableError,
} from 'ldapts'
import { escapeDnValue, isWithinDn, normalizeDn } from '../../lib/distinguished-name.ts'
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
    const dn = await bindByFormat(client, settings, username, password)
    return { dn, username, groups: await findGroupDns(client, settings, dn, username) }
  }
  await bindLookupAccount(client, lookup)
  const dn = await findDnByName(client, settings, username)
  if (dn === undefined) throw ldapSignInRefused()
  await bindUser(client, dn, password)
  await bindLookupAccount(client, lookup)
  return { dn, username, groups: await findGroupDns(client, settings, dn, username) }
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
  { userDnFormats, userBases, userFilter }: LdapSettings,
  username: string,
  password: string,
): Promise<string> {
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
    if (userFilter === '' || userBases.length === 0) return spelled ?? dn
    // With the settings of 2021, the filter decides which users with a correct password may sign in.
    const found = await searchDns(client, userBases, fillFilter(userFilter, { s: username }), 2)
    if (found.length === 1 && found[0] === (spelled ?? dn)) return found[0]
    throw ldapSignInRefused()
  }
  throw refusal
}

/** @throws S3Error InvalidParameterValue if several users have the name */
export async function findDnByName(
  client: Client,
  { userBases, userFilter }: LdapSettings,
  username: string,
): Promise<string | undefined> {
  const found = await searchDns(client, userBases, fillFilter(userFilter, { s: username }), 2).catch(
    (error: unknown) => {
      throw error instanceof SizeLimitExceededError ? ldapSignInRefused(error) : error
    },
  )
  if (found.length > 1) throw ldapSignInRefused(new Error('several users have this name'))
  return found[0]
}

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
