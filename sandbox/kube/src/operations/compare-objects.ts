import { isDeepStrictEqual } from 'node:util'
import type { KubeKind } from '../kinds/kind.ts'
import type { KubeJsonObject } from '../object/json.ts'
import type { ObjectMetadata, SandboxObject } from '../object/stored-object.ts'

/** Sets a part of an object back to what it was. */
export function restorePart(next: SandboxObject, previous: SandboxObject, part: string): void {
  if (previous[part] === undefined) delete next[part]
  else next[part] = previous[part]
}

/** Normalizes an object as the server would read it back, so that equal objects compare as equal. */
export function normalizeObject(kind: KubeKind, object: SandboxObject): SandboxObject {
  if (kind.custom) return JSON.parse(JSON.stringify(object)) as SandboxObject
  const { managedFields: _, ...metadata } = object.metadata as ObjectMetadata & { managedFields?: unknown }
  const { object: result } = kind.read(JSON.parse(JSON.stringify({ ...object, metadata })) as KubeJsonObject)
  return result as unknown as SandboxObject
}

export function withoutVersion(object: SandboxObject): unknown {
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** Whether anything except metadata and status changes. */
export function changesContent(next: SandboxObject, previous: SandboxObject): boolean {
  const rest = ({ metadata: _, status: __, ...others }: SandboxObject) => others
  return !isDeepStrictEqual(rest(next), rest(previous))
}
