import type { ObjectItem } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { q } from '../../../lib/api/query.ts'
import { navigate } from '../../../lib/navigation/navigate.ts'
import { type BrowserLocation, pathToFolder, pathToObject } from '../../../lib/navigation/object-address.ts'
import { withSearch } from '../../../lib/navigation/pages.ts'
import { currentListParams } from '../entries/list-params.ts'

/** Lists the first key with this prefix; the key equal to the prefix, if it exists, comes first. */
const firstKeyQuery = (bucket: string, prefix: string) =>
  q('listObjects', { params: { bucket }, query: { prefix, limit: 1 } })

export interface FoundObject {
  item: ObjectItem | undefined
  versionId: string | undefined
  /** Whether the latest version is a delete marker. */
  deleted: boolean
  loading: boolean
  error: unknown
}

/** Returns an object by key, with the ID of its latest version. Without a key no request is made. */
export function useObject(bucket: string, key: string | undefined): FoundObject {
  const enabled = key !== undefined
  const one = (how: { with_versions?: 'true' }) =>
    q('listObjects', { params: { bucket }, query: { prefix: key ?? '', limit: 1, ...how } })
  const listed = useQuery({ ...one({}), enabled })
  const versions = useQuery({ ...one({ with_versions: 'true' }), enabled })
  const item = listed.data?.objects.find((object) => object.name === key && !isFolder(object))
  const version = versions.data?.objects.find((object) => object.name === key && object.is_latest)
  return {
    item,
    versionId: version?.version_id === 'null' ? undefined : version?.version_id,
    deleted: item === undefined && version?.is_delete_marker === true,
    loading: listed.isPending || (item === undefined && versions.isPending),
    error: listed.error,
  }
}

const isFolder = ({ name, last_modified }: ObjectItem) => name.endsWith('/') && last_modified.startsWith('0001-')

/**
 * Corrects an address that does not show whether it ends with a folder or an object. For an empty folder it opens the object
 * of that name, if there is one; for a missing object it opens the folder of that name, if it contains anything.
 * @param empty whether the folder was listed and is empty
 * @param missing whether the object was requested and does not exist
 */
export function useCorrectedLocation(
  { bucket, prefix, key }: BrowserLocation,
  { empty, missing }: { empty: boolean; missing: boolean },
) {
  const asObject = prefix.slice(0, -1)
  const lookForObject = key === undefined && empty && asObject !== ''
  const object = useQuery({ ...firstKeyQuery(bucket, asObject), enabled: lookForObject })
  const isObject = lookForObject && object.data?.objects.some(({ name }) => name === asObject) === true

  const asFolder = `${key ?? ''}/`
  const lookForFolder = key !== undefined && missing
  const folder = useQuery({ ...firstKeyQuery(bucket, asFolder), enabled: lookForFolder })
  const inFolder = lookForFolder && (folder.data?.objects.length ?? 0) > 0

  useEffect(() => {
    if (isObject) navigate(withSearch(pathToObject(bucket, asObject), currentListParams()), { replace: true })
    else if (inFolder) navigate(pathToFolder(bucket, asFolder), { replace: true })
  }, [isObject, inFolder, bucket, asObject, asFolder])

  return { looking: (lookForObject && object.isPending) || (lookForFolder && folder.isPending) || isObject || inFolder }
}
