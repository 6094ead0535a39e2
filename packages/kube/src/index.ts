export type { ClusterOptions, Retry } from './connection.ts'
export { KUBE_REASONS, KubeError, type KubeReason, type Status, type StatusCause } from './errors.ts'
export {
  type Action,
  type CallOptions,
  type Cluster,
  type DeleteOptions,
  type Identity,
  type Kube,
  type List,
  type LogOptions,
  type ObjectName,
  openCluster,
  type PatchOperation,
  type Rules,
  type Selection,
  type Verdict,
  type WriteOptions,
} from './kube.ts'
export { type KubeconfigContext, readKubeconfig } from './kubeconfig.ts'
export { apiVersionOf, type KubeObject, type Resource, resource, resources, type Stored } from './resources.ts'
export {
  type CertificateReference,
  CONSOLE_LABEL,
  POOL_LABEL,
  TENANT_LABEL,
  type TenantKes,
  type TenantObject,
  type TenantPool,
  type TenantSpec,
  type TenantStatus,
  tenants,
} from './tenant.ts'
export type { WatchEvent, WatchTiming } from './watch.ts'
