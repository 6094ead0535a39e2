import type { Kube } from '@stowage/kube'
import type { KubeSession } from '../session/payload.ts'

/** What a handler of operator mode works with: the cluster, with the caller's own credential and no other. */
export interface KubeClients {
  session: KubeSession
  kube: Kube
}
