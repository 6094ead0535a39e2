import { normalizeDn } from '../lib/distinguished-name.ts'
import { MAX_SESSION_SECONDS, MIN_SESSION_SECONDS } from '../lib/session-limits.ts'
import { COMMENT_KEY, type ConfigSubsystem } from './config-key.ts'
import { parseDurationMs } from './value-types.ts'

const dnList = (value: string) =>
  splitDnList(value).every((dn) => normalizeDn(dn) !== undefined)
    ? undefined
    : 'must be distinguished names, separated by ";"'

const filter = (placeholders: string) => (value: string) =>
  value.startsWith('(') && value.endsWith(')') && new RegExp(`%[${placeholders}]`).test(value)
    ? undefined
    : `must be a filter in parentheses with ${[...placeholders].map((letter) => `%${letter}`).join(' or ')}`

export const LDAP_SUBSYSTEM: ConfigSubsystem = {
  name: 'identity_ldap',
  help: 'directory (LDAP) whose users can sign in',
  multipleTargets: false,
  dynamic: true,
  keys: [
    { name: 'enable', type: 'on|off', help: 'whether the directory is in use', default: 'on' },
    {
      name: 'server_addr',
      type: 'string',
      help: 'host and port of the directory, such as "ldap.example.com:636"',
      default: '',
      check: (value) => (parseLdapAddress(value) ? undefined : 'must be a host with or without a port'),
    },
    {
      name: 'username_format',
      type: 'string',
      help: 'names of users with %s for what is typed, separated by ";"; used where there is no lookup account',
      default: '',
      check: (value) =>
        splitDnList(value).every((dn) => dn.includes('%s') && normalizeDn(dn) !== undefined)
          ? undefined
          : 'must be distinguished names with %s, separated by ";"',
    },
    {
      name: 'lookup_bind_dn',
      type: 'string',
      help: 'account that looks users and groups up',
      default: '',
      check: (value) => (normalizeDn(value) === undefined ? 'must be a distinguished name' : undefined),
    },
    { name: 'lookup_bind_password', type: 'string', help: 'password of that account', default: '', secret: true },
    {
      name: 'user_dn_search_base_dn',
      type: 'string',
      help: 'where users are looked for; several are separated by ";"',
      default: '',
      check: dnList,
    },
    {
      name: 'user_dn_search_filter',
      type: 'string',
      help: 'filter that finds a user, such as "(uid=%s)"',
      default: '',
      check: filter('s'),
    },
    {
      name: 'username_search_base_dn',
      type: 'string',
      help: 'older name of user_dn_search_base_dn',
      default: '',
      check: dnList,
    },
    {
      name: 'username_search_filter',
      type: 'string',
      help: 'older name of user_dn_search_filter',
      default: '',
      check: filter('s'),
    },
    {
      name: 'group_search_base_dn',
      type: 'string',
      help: 'where groups are looked for; several are separated by ";"',
      default: '',
      check: dnList,
    },
    {
      name: 'group_search_filter',
      type: 'string',
      help: 'filter that finds the groups of a user, such as "(&(objectClass=groupOfNames)(member=%d))"',
      default: '',
      check: filter('sd'),
    },
    {
      name: 'sts_expiry',
      type: 'duration',
      help: 'how long sessions last that ask for no duration',
      default: '1h',
      check: (value) => {
        const seconds = (parseDurationMs(value) ?? 0) / 1000
        return seconds >= MIN_SESSION_SECONDS && seconds <= MAX_SESSION_SECONDS ? undefined : 'must be 15m to 7d'
      },
    },
    { name: 'tls_skip_verify', type: 'on|off', help: 'whether any certificate is accepted', default: 'off' },
    { name: 'server_insecure', type: 'on|off', help: 'whether passwords are sent without TLS', default: 'off' },
    { name: 'server_starttls', type: 'on|off', help: 'whether TLS begins by StartTLS', default: 'off' },
    COMMENT_KEY,
  ],
}

/** Splits a list at semicolons, because distinguished names contain commas. */
export const splitDnList = (value: string): string[] =>
  value
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** Parses host and port; undefined if the text is not an address. */
export function parseLdapAddress(text: string): { host: string; port: number | undefined } | undefined {
  const { host, port } = /^(?<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?<port>\d{1,5}))?$/i.exec(text)?.groups ?? {}
  if (host === undefined || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return undefined
  return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? undefined : Number(port) }
}
