export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export interface ObjectMetadata {
  name: string
  generateName?: string
  namespace?: string
  uid: string
  resourceVersion: string
  generation?: number
  creationTimestamp: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: OwnerReference[]
  finalizers?: string[]
}

/** A stored object. Never modified in place: each change creates a new one. */
export interface SandboxObject {
  apiVersion: string
  kind: string
  metadata: ObjectMetadata
  [part: string]: unknown
}

export function controllerReference(object: SandboxObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller)
}
