export type {
  KubeAccessRequest,
  KubeCallOptions,
  Cluster,
  KubeDeleteOptions,
  CallerIdentity,
  Kube,
  ObjectList,
  PodLogOptions,
  KubeObjectAddress,
  PatchOperation,
  KubeAccessRules,
  ListSelector,
  KubeAccessReview,
  KubeWriteOptions,
} from './api.ts'
export type { ClusterOptions, KubeRetryOptions } from './connection.ts'
export { KUBE_REASONS, KubeError, type KubeReason, type KubeStatus, type StatusCause } from './kube-error.ts'
export { openCluster } from './kube.ts'
export { type KubeconfigContext, readKubeconfig } from './kubeconfig.ts'
export { formatApiVersion, type KubeObject, type KubeResource, defineResource, resources, type SavedKubeObject } from './resources.ts'
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
export type { KubeWatchEvent, WatchTiming } from './watch.ts'
