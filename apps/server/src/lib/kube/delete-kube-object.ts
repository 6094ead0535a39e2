import { type Kube, KubeError, type KubeObject, type KubeObjectAddress, type KubeResource } from '@stowage/kube'

/**
 * Deletes one object. Roles of the original console allow the deletion of secrets and volumes only for collections, so without
 * the right to delete it, it is deleted as a collection of one.
 * @param uid Conflict if the object of this name is another one
 * @throws KubeError NotFound, Conflict; Forbidden, which names the right to delete
 */
export async function deleteKubeObject<T extends KubeObject>(
  kube: Kube,
  kind: KubeResource<T>,
  at: KubeObjectAddress,
  { uid, signal }: { uid?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const options = { ...(uid === undefined ? {} : { preconditions: { uid } }), signal }
  try {
    await kube.delete(kind, at, options)
  } catch (error) {
    if (!isForbidden(error)) throw error
    try {
      const { namespace, name } = at
      await kube.deleteCollection(kind, { namespace, fieldSelector: `metadata.name=${name}` }, options)
    } catch (second) {
      throw isForbidden(second) ? error : second
    }
  }
}

const isForbidden = (error: unknown): error is KubeError => error instanceof KubeError && error.code === 'Forbidden'
