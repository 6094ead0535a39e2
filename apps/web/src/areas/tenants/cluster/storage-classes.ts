import { q } from '../../../lib/api/query.ts'

/** Follows the name of the storage class in the name of a quota. */
const SUFFIX = '.storageclass.storage.k8s.io/requests.storage'

export interface AvailableStorageClass {
  name: string
  /** Bytes that the quota leaves; without a limit a very large number. */
  available: number
}

/** Returns query options for the storage classes that a namespace may use. */
export function storageClassesQuery(namespace: string) {
  return {
    ...q('getResourceQuota', { params: { namespace, quota: `${namespace}-storagequota` } }),
    retry: false,
    select: ({ elements }: { elements: { name: string; hard: number; used: number }[] }): AvailableStorageClass[] =>
      elements
        .filter(({ name }) => name.endsWith(SUFFIX))
        .map(({ name, hard, used }) => ({ name: name.slice(0, -SUFFIX.length), available: Math.max(0, hard - used) })),
  }
}
