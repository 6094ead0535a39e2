import type { Kube, KubeObject, Resource, Selection, Stored } from '@stowage/kube'

/** Lists the objects of the whole cluster, or of the given namespaces for callers without the right to list the cluster. */
export async function listIn<T extends KubeObject>(
  kube: Kube,
  kind: Resource<T>,
  namespaces: readonly string[] | undefined,
  selection: Selection & { signal: AbortSignal },
): Promise<Stored<T>[]> {
  if (namespaces === undefined) return (await kube.list(kind, selection)).objects
  const lists = await Promise.all(namespaces.map((namespace) => kube.list(kind, { ...selection, namespace })))
  return lists.flatMap(({ objects }) => objects)
}
