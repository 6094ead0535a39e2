import { reason } from '@stowage/contract'
import type { TenantIdentityProvider } from '@stowage/contract/tenants/create-tenant'
import { type ConfigForm, type ConfigVariables, isConfigValue, wouldLoseQuotes } from '@stowage/kube/config-env'
import { HttpError } from '../../../lib/errors/http-errors.ts'

type ActiveDirectory = NonNullable<TenantIdentityProvider['active_directory']>
type Oidc = NonNullable<TenantIdentityProvider['oidc']>

/** Fields of the form and the variables that they set. */
export const LDAP_TEXTS = {
  url: 'SERVER_ADDR',
  username_format: 'USERNAME_FORMAT',
  username_search_filter: 'USERNAME_SEARCH_FILTER',
  lookup_bind_dn: 'LOOKUP_BIND_DN',
  lookup_bind_password: 'LOOKUP_BIND_PASSWORD',
  user_dn_search_base_dn: 'USER_DN_SEARCH_BASE_DN',
  user_dn_search_filter: 'USER_DN_SEARCH_FILTER',
  group_name_attribute: 'GROUP_NAME_ATTRIBUTE',
  group_search_base_dn: 'GROUP_SEARCH_BASE_DN',
  group_search_filter: 'GROUP_SEARCH_FILTER',
} as const
export const LDAP_SWITCHES = {
  skip_tls_verification: 'TLS_SKIP_VERIFY',
  server_insecure: 'SERVER_INSECURE',
  server_start_tls: 'SERVER_STARTTLS',
} as const
export const OIDC_TEXTS = {
  configuration_url: 'CONFIG_URL',
  client_id: 'CLIENT_ID',
  secret_id: 'CLIENT_SECRET',
  claim_name: 'CLAIM_NAME',
  callback_url: 'REDIRECT_URI',
  scopes: 'SCOPES',
} as const

export const LDAP_PREFIX = 'MINIO_IDENTITY_LDAP_'
export const OIDC_PREFIX = 'MINIO_IDENTITY_OPENID_'

export function ldapVariables(form: ActiveDirectory): Record<string, string> {
  const texts = Object.entries(LDAP_TEXTS).map(([field, name]) => [
    LDAP_PREFIX + name,
    form[field as keyof typeof LDAP_TEXTS] ?? '',
  ])
  const switches = Object.entries(LDAP_SWITCHES).flatMap(([field, name]) =>
    form[field as keyof typeof LDAP_SWITCHES] ? [[LDAP_PREFIX + name, 'on']] : [],
  )
  return Object.fromEntries([...texts, ...switches])
}

export function oidcVariables(form: Oidc): Record<string, string> {
  return Object.fromEntries(
    Object.entries(OIDC_TEXTS).map(([field, name]) => [
      OIDC_PREFIX + name,
      form[field as keyof typeof OIDC_TEXTS] || (field === 'scopes' ? 'openid,profile,email' : ''),
    ]),
  )
}

/** @throws HttpError 400 for a value that the servers would read as another one */
export function checkVariables(variables: ConfigVariables, form: ConfigForm): ConfigVariables {
  for (const [variable, value] of Object.entries(variables)) {
    if (!isConfigValue(value))
      throw new HttpError(400, reason('configuration-value-invalid', { variable }), { field: variable })
    if (wouldLoseQuotes(value, form))
      throw new HttpError(400, reason('configuration-value-quoted', { variable }), { field: variable })
  }
  return variables
}
