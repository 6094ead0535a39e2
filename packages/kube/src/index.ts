export type {
  CallerIdentity,
  Cluster,
  Kube,
  KubeAccessRequest,
  KubeAccessReview,
  KubeAccessRules,
  KubeCallOptions,
  KubeDeleteOptions,
  KubeObjectAddress,
  KubeWriteOptions,
  ListSelector,
  ObjectList,
  PatchOperation,
  PodLogOptions,
} from './api.ts'
export type { ClusterOptions, KubeRetryOptions } from './connection.ts'
export { openCluster } from './kube.ts'
export { KUBE_REASONS, KubeError, type KubeReason, type KubeStatus, type StatusCause } from './kube-error.ts'
export { type KubeconfigContext, readKubeconfig } from './kubeconfig.ts'
export {
  defineResource,
  formatApiVersion,
  type KubeObject,
  type KubeResource,
  resources,
  type SavedKubeObject,
} from './resources.ts'
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
