export type {
  Action,
  CallOptions,
  Cluster,
  DeleteOptions,
  Identity,
  Kube,
  List,
  LogOptions,
  ObjectName,
  PatchOperation,
  Rules,
  Selection,
  Verdict,
  WriteOptions,
} from './api.ts'
export type { ClusterOptions, Retry } from './connection.ts'
export { KUBE_REASONS, KubeError, type KubeReason, type Status, type StatusCause } from './errors.ts'
export { openCluster } from './kube.ts'
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
