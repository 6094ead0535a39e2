/**
 * The strings in `pages` of a session: the route patterns of the specification, unchanged, because clients compare them as
 * text.
 */
export type SessionPage = ConsolePage | OperatorPage

type ConsolePage =
  | '/account'
  | '/account/change-password'
  | '/buckets'
  | '/buckets/*'
  | '/dashboard'
  | '/groups'
  | '/heal'
  | '/health-info'
  | '/license'
  | '/logs'
  | '/metrics'
  | '/object-browser'
  | '/object-browser/:bucket'
  | '/object-browser/:bucket/*'
  | '/policies'
  | '/policies/:policyName'
  | '/profiling'
  | '/remote-buckets'
  | '/replication'
  | '/settings'
  | '/trace'
  | '/users'
  | '/users/:userName+'
  | '/watch'

type OperatorPage =
  | '/license'
  | '/storage'
  | '/storage/drives'
  | '/storage/volumes'
  | '/tenants'
  | '/tenants/add'
  | '/tenants/add/*'
  | TenantPath
  | `${TenantPath}/${'hop' | 'license' | 'metrics' | 'pods' | 'pods/:podName' | 'pools' | 'security' | 'summary' | 'volumes'}`

type TenantPath = '/namespaces/:tenantNamespace/tenants/:tenantName'
