import type { Kube, KubeObject, Resource, Selection, Stored } from '@stowage/kube'

/** Maximum number of namespaces that are read at the same time for callers without the right to list the whole cluster. */
const NAMESPACES = 100

/** Lists the objects of the whole cluster, or of the namespaces in a text that separates them by commas. */
export async function listIn<T extends KubeObject>(
  kube: Kube,
  kind: Resource<T>,
  namespaces: string | undefined,
  selection: Selection & { signal: AbortSignal },
): Promise<Stored<T>[]> {
  if (namespaces === undefined) return (await kube.list(kind, selection)).objects
  const names = namespaces.split(',').map((name) => name.trim())
  const wanted = [...new Set(names)].filter(Boolean).slice(0, NAMESPACES)
  const lists = await Promise.all(wanted.map((namespace) => kube.list(kind, { ...selection, namespace })))
  return lists.flatMap(({ objects }) => objects)
}
