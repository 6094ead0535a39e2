import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../json.ts'
import type { Kind } from '../kinds/kind.ts'
import type { Meta, StoredObject } from '../object.ts'

/** Sets a part of an object back to what it was. */
export function restore(next: StoredObject, previous: StoredObject, part: string): void {
  if (previous[part] === undefined) delete next[part]
  else next[part] = previous[part]
}

/** Normalizes an object as the server would read it back, so that equal objects compare as equal. */
export function normalized(kind: Kind, object: StoredObject): StoredObject {
  if (kind.custom) return JSON.parse(JSON.stringify(object)) as StoredObject
  const { managedFields: _, ...metadata } = object.metadata as Meta & { managedFields?: unknown }
  const { object: result } = kind.read(JSON.parse(JSON.stringify({ ...object, metadata })) as JsonObject)
  return result as unknown as StoredObject
}

export function withoutVersion(object: StoredObject): unknown {
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** Whether anything except metadata and status changes. */
export function changesWhatCounts(next: StoredObject, previous: StoredObject): boolean {
  const rest = ({ metadata: _, status: __, ...others }: StoredObject) => others
  return !isDeepStrictEqual(rest(next), rest(previous))
}
