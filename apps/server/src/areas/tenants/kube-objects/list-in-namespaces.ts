import type { Kube, KubeObject, KubeResource, ListSelector, SavedKubeObject } from '@stowage/kube'

/** Lists the objects of the whole cluster, or of the given namespaces for callers without the right to list the cluster. */
export async function listInNamespaces<T extends KubeObject>(
  kube: Kube,
  kind: KubeResource<T>,
  namespaces: readonly string[] | undefined,
  selection: ListSelector & { signal: AbortSignal },
): Promise<SavedKubeObject<T>[]> {
  if (namespaces === undefined) return (await kube.list(kind, selection)).objects
  const lists = await Promise.all(namespaces.map((namespace) => kube.list(kind, { ...selection, namespace })))
  return lists.flatMap(({ objects }) => objects)
}
