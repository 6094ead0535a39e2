import { randomBytes } from 'node:crypto'
import { type Kube, type KubeObject, resources, type SavedKubeObject } from '@stowage/kube'

/** The component that events of the operator name. */
export const OPERATOR_COMPONENT = 'minio-operator'

/** Records an event of an object. */
export async function recordEvent(
  kube: Kube,
  object: SavedKubeObject<KubeObject>,
  {
    type = 'Normal',
    reason,
    message,
    component,
  }: { type?: string; reason: string; message: string; component: string },
): Promise<void> {
  const { namespace = 'default', name, uid } = object.metadata
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  await kube.create(resources.events, {
    metadata: { name: `${name}.${randomBytes(8).toString('hex')}`, namespace },
    involvedObject: {
      kind: object.kind ?? '',
      apiVersion: object.apiVersion ?? '',
      namespace,
      name,
      uid,
    },
    type,
    reason,
    message,
    source: { component },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  })
}
