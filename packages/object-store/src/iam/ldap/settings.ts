import type { Values } from '../../config/config.ts'
import { directoryAddress, listOfNames } from '../../config/ldap-registry.ts'
import { durationMs, switchOf } from '../../config/values.ts'
import { normalizeDn } from './dn.ts'

/** A directory whose users can sign in. */
export interface LdapSettings {
  host: string
  port: number
  /** `none`: passwords cross the network as they are. */
  encryption: 'tls' | 'starttls' | 'none'
  verifyCertificate: boolean
  /** The account that looks users and groups up; undefined: users look themselves up. */
  lookup: { dn: string; password: string } | undefined
  /** Names of users with `%s` for what somebody types; used without `lookup`. */
  userDnFormats: readonly string[]
  userBases: readonly string[]
  /** With `%s` for what somebody types. */
  userFilter: string
  groupBases: readonly string[]
  /** With `%s` for what somebody typed and `%d` for the name of the user; empty: groups are not looked up. */
  groupFilter: string
  /** Of sessions that ask for no duration. */
  sessionSeconds: number
}

/** What is missing of a directory that has an address; undefined when it can be asked. */
export function ldapProblem(values: Values): string | undefined {
  if (!values.server_addr) return undefined
  const { user_dn_search_filter, username_search_filter, username_format, lookup_bind_dn } = values
  const bases = values.user_dn_search_base_dn || values.username_search_base_dn
  if (lookup_bind_dn) {
    if (!bases) return 'user_dn_search_base_dn must not be empty where there is a lookup account'
    if (!user_dn_search_filter && !username_search_filter) {
      return 'user_dn_search_filter must not be empty where there is a lookup account'
    }
  } else if (!username_format) return 'lookup_bind_dn or username_format must not be empty'
  if (values.group_search_filter && !groupBases(values)) {
    return 'group_search_base_dn must not be empty where there is a group_search_filter'
  }
  return undefined
}

/** The directory of a configuration; undefined without one. */
export function readLdapSettings(values: Values): LdapSettings | undefined {
  const address = directoryAddress(values.server_addr ?? '')
  if (!address || ldapProblem(values) !== undefined) return undefined
  const isOn = (key: string) => switchOf(values[key] ?? '') === true
  const encryption = isOn('server_starttls') ? 'starttls' : isOn('server_insecure') ? 'none' : 'tls'
  const { lookup_bind_dn: dn = '', lookup_bind_password: password = '' } = values
  return {
    host: address.host,
    port: address.port ?? (encryption === 'tls' ? 636 : 389),
    encryption,
    verifyCertificate: !isOn('tls_skip_verify'),
    lookup: dn === '' ? undefined : { dn, password },
    userDnFormats: listOfNames(values.username_format ?? ''),
    userBases: listOfNames(values.user_dn_search_base_dn || values.username_search_base_dn || '').map(normal),
    userFilter: values.user_dn_search_filter || values.username_search_filter || '',
    groupBases: listOfNames(groupBases(values)).map(normal),
    groupFilter: values.group_search_filter ?? '',
    sessionSeconds: Math.floor((durationMs(values.sts_expiry ?? '') ?? 3_600_000) / 1000),
  }
}

/** The form of 2021 has one base for both. */
const groupBases = (values: Values): string =>
  values.group_search_base_dn || values.username_search_base_dn || values.user_dn_search_base_dn || ''

/** Checked by `dnList` before. */
const normal = (dn: string): string => normalizeDn(dn) ?? dn
