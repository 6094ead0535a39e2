import { q } from '../../lib/api/query.ts'

/** What a quota calls the storage of a class, behind the name of the class. */
const SUFFIX = '.storageclass.storage.k8s.io/requests.storage'

export interface StorageClass {
  name: string
  /** Bytes that the quota leaves; no limit is a very large number. */
  available: number
}

/** The storage classes that a namespace may use. */
export function storageClasses(namespace: string) {
  return {
    ...q('getResourceQuota', { params: { namespace, quota: `${namespace}-storagequota` } }),
    retry: false,
    select: ({ elements }: { elements: { name: string; hard: number; used: number }[] }): StorageClass[] =>
      elements
        .filter(({ name }) => name.endsWith(SUFFIX))
        .map(({ name, hard, used }) => ({ name: name.slice(0, -SUFFIX.length), available: Math.max(0, hard - used) })),
  }
}
