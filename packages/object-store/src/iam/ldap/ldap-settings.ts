import type { ConfigValues } from '../../config/config.ts'
import { parseLdapAddress, splitDnList } from '../../config/ldap-registry.ts'
import { parseDurationMs, parseSwitch } from '../../config/value-types.ts'
import { normalizeDn } from '../../lib/distinguished-name.ts'

/** A directory for sign-in. */
export interface LdapSettings {
  host: string
  port: number
  /** `none`: passwords are sent unencrypted. */
  encryption: 'tls' | 'starttls' | 'none'
  verifyCertificate: boolean
  /** The account that looks up users and groups; undefined: users look themselves up. */
  lookup: { dn: string; password: string } | undefined
  /** Distinguished names with `%s` for the entered name; used without `lookup`. */
  userDnFormats: readonly string[]
  userBases: readonly string[]
  /** With `%s` for the entered name. */
  userFilter: string
  groupBases: readonly string[]
  /** With `%s` for the entered name and `%d` for the distinguished name of the user; empty: groups are not looked up. */
  groupFilter: string
  /** Duration of sessions that request none. */
  sessionSeconds: number
}

/** Returns what is missing in the settings of a directory with an address; undefined if they are complete. */
export function ldapSettingsProblem(values: ConfigValues): string | undefined {
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

/** Returns the directory in a configuration; undefined without one. */
export function readLdapSettings(values: ConfigValues): LdapSettings | undefined {
  const address = parseLdapAddress(values.server_addr ?? '')
  if (!address || ldapSettingsProblem(values) !== undefined || parseSwitch(values.enable ?? '') === false)
    return undefined
  const isOn = (key: string) => parseSwitch(values[key] ?? '') === true
  const encryption = isOn('server_starttls') ? 'starttls' : isOn('server_insecure') ? 'none' : 'tls'
  const { lookup_bind_dn: dn = '', lookup_bind_password: password = '' } = values
  return {
    host: address.host,
    port: address.port ?? (encryption === 'tls' ? 636 : 389),
    encryption,
    verifyCertificate: !isOn('tls_skip_verify'),
    lookup: dn === '' ? undefined : { dn, password },
    userDnFormats: splitDnList(values.username_format ?? ''),
    userBases: splitDnList(values.user_dn_search_base_dn || values.username_search_base_dn || '').map(normalizedDn),
    userFilter: values.user_dn_search_filter || values.username_search_filter || '',
    groupBases: splitDnList(groupBases(values)).map(normalizedDn),
    groupFilter: values.group_search_filter ?? '',
    sessionSeconds: Math.floor((parseDurationMs(values.sts_expiry ?? '') ?? 3_600_000) / 1000),
  }
}

/** The settings of 2021 have one base for both. */
const groupBases = (values: ConfigValues): string =>
  values.group_search_base_dn || values.username_search_base_dn || values.user_dn_search_base_dn || ''

/** `dnList` has validated it. */
const normalizedDn = (dn: string): string => normalizeDn(dn) ?? dn
