import { type Message, msg } from '../../../../lib/text/i18n.ts'
import type { TenantDraft } from './tenant-draft.ts'

/** The names of the text fields of `S`. */
type TextKey<S> = { [K in keyof S]: string extends S[K] ? K : never }[keyof S] & string

/** The declaration of a form field. */
export interface WizardField<K extends string = string> {
  key: K
  label: Message
  required?: boolean
  secret?: boolean
  /** A number from 0. */
  number?: boolean
  /** An example of the required image format. */
  image?: string
}

type Configure = TenantDraft['configure']
type ConfigureField = WizardField<TextKey<Configure>>

export const IMAGE_FIELDS: readonly ConfigureField[] = [
  { key: 'imageName', label: msg("MinIO's Image"), image: 'minio/minio:VERSION' },
  { key: 'kesImage', label: msg("KES' Image"), image: 'minio/kes:VERSION' },
]

export const REGISTRY_FIELDS: readonly ConfigureField[] = [
  { key: 'imageRegistry', label: msg('Endpoint'), required: true },
  { key: 'imageRegistryUsername', label: msg('Username'), required: true },
  { key: 'imageRegistryPassword', label: msg('Password'), required: true, secret: true },
]

/** A program that runs beside the tenant's servers, with settings for its volume and images. */
export interface AddOn {
  custom: 'logSearchCustom' | 'prometheusCustom'
  label: Message
  storageClass: TextKey<Configure>
  size: TextKey<Configure>
  sizeFactor: 'logSearchSizeFactor' | 'prometheusSizeFactor'
  images: readonly ConfigureField[]
}

export const ADD_ONS: readonly AddOn[] = [
  {
    custom: 'logSearchCustom',
    label: msg('Override Log Search defaults'),
    storageClass: 'logSearchSelectedStorageClass',
    size: 'logSearchVolumeSize',
    sizeFactor: 'logSearchSizeFactor',
    images: [
      { key: 'logSearchImage', label: msg('Log Search API’s Image'), image: 'minio/logsearchapi:VERSION' },
      { key: 'logSearchPostgresImage', label: msg('PostgreSQL’s Image'), image: 'library/postgres:VERSION' },
      { key: 'logSearchPostgresInitImage', label: msg('PostgreSQL Init’s Image'), image: 'library/busybox:VERSION' },
    ],
  },
  {
    custom: 'prometheusCustom',
    label: msg('Override Prometheus defaults'),
    storageClass: 'prometheusSelectedStorageClass',
    size: 'prometheusVolumeSize',
    sizeFactor: 'prometheusSizeFactor',
    images: [
      { key: 'prometheusImage', label: msg('Prometheus Image'), image: 'minio/prometheus:VERSION' },
      { key: 'prometheusSidecarImage', label: msg('Prometheus Sidecar Image'), image: 'project/container:VERSION' },
      { key: 'prometheusInitImage', label: msg('Prometheus Init Image'), image: 'project/container:VERSION' },
    ],
  },
]

export const OIDC_FIELDS: readonly WizardField<TextKey<TenantDraft['identityProvider']['openID']>>[] = [
  { key: 'url', label: msg('URL'), required: true },
  { key: 'configuration_url', label: msg('Configuration URL'), required: true },
  { key: 'client_id', label: msg('Client ID'), required: true },
  { key: 'secret_id', label: msg('Secret ID'), required: true, secret: true },
  { key: 'callback_url', label: msg('Callback URL') },
  { key: 'claim_name', label: msg('Claim Name'), required: true },
  { key: 'scopes', label: msg('Scopes') },
]

export const AD_FIELDS: readonly WizardField<TextKey<TenantDraft['identityProvider']['activeDirectory']>>[] = [
  { key: 'url', label: msg('LDAP Server Address'), required: true },
  { key: 'username_format', label: msg('Username Format') },
  { key: 'username_search_filter', label: msg('Username Search Filter') },
  { key: 'group_search_base_dn', label: msg('Group Search Base DN') },
  { key: 'group_search_filter', label: msg('Group Search Filter') },
  { key: 'group_name_attribute', label: msg('Group Name Attribute') },
  { key: 'lookup_bind_dn', label: msg('Lookup Bind DN') },
  { key: 'lookup_bind_password', label: msg('Lookup Bind Password'), secret: true },
  { key: 'user_dn_search_base_dn', label: msg('User DN Search Base DN') },
  { key: 'user_dn_search_filter', label: msg('User DN Search Filter') },
]

export const KEY_STORE_FIELDS: Readonly<Record<TenantDraft['encryption']['encryptionType'], readonly WizardField[]>> = {
  vault: [
    { key: 'endpoint', label: msg('Endpoint'), required: true },
    { key: 'engine', label: msg('Engine') },
    { key: 'namespace', label: msg('Namespace') },
    { key: 'prefix', label: msg('Prefix') },
    { key: 'approleEngine', label: msg('App Role Engine') },
    { key: 'id', label: msg('AppRole ID'), required: true },
    { key: 'secret', label: msg('AppRole Secret'), required: true, secret: true },
    { key: 'retry', label: msg('Retry (seconds)'), number: true },
    { key: 'ping', label: msg('Ping (seconds)'), number: true },
  ],
  aws: [
    { key: 'endpoint', label: msg('Endpoint'), required: true },
    { key: 'region', label: msg('Region'), required: true },
    { key: 'kmskey', label: msg('KMS Key') },
    { key: 'accesskey', label: msg('Access Key'), required: true },
    { key: 'secretkey', label: msg('Secret Key'), required: true, secret: true },
    { key: 'token', label: msg('Token'), secret: true },
  ],
  gemalto: [
    { key: 'endpoint', label: msg('Endpoint'), required: true },
    { key: 'token', label: msg('Token'), required: true, secret: true },
    { key: 'domain', label: msg('Domain'), required: true },
    { key: 'retry', label: msg('Retry (seconds)'), number: true },
  ],
  gcp: [
    { key: 'project_id', label: msg('Project ID'), required: true },
    { key: 'endpoint', label: msg('Endpoint') },
    { key: 'client_email', label: msg('Client Email') },
    { key: 'client_id', label: msg('Client ID') },
    { key: 'private_key_id', label: msg('Private Key ID') },
    { key: 'private_key', label: msg('Private Key'), secret: true },
  ],
}
