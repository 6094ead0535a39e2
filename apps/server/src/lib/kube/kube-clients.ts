import type { Kube } from '@stowage/kube'
import type { KubeSession } from '../session/session-payload.ts'

/** What handlers in operator mode work with: the cluster, accessed only with the caller's credential. */
export interface KubeClients {
  session: KubeSession
  kube: Kube
}
