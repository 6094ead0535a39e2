import type { KubeKind } from '../kinds/kind.ts'
import { isJsonObject, type KubeJsonObject, quoteLikeGo } from '../object/json.ts'
import { type KubeApiError, kubeErrors } from '../object/kube-api-error.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import { DecodeError } from '../types/go-types.ts'
import type { ObjectWriteOptions } from './types.ts'

/** @throws ApiError BadRequest if the body is of another kind */
export function readObject(kind: KubeKind, body: KubeJsonObject, options: ObjectWriteOptions): SandboxObject {
  try {
    return decodeObject(kind, body, options, (unknown) => cannotBeHandled(kind, strictMessage(unknown)))
  } catch (error) {
    if (error instanceof DecodeError) throw cannotBeHandled(kind, error.message)
    throw error
  }
}

export function decodeObject(
  kind: KubeKind,
  body: KubeJsonObject,
  { fieldValidation, warn }: ObjectWriteOptions,
  strict: (unknown: string[]) => Error,
): SandboxObject {
  const { object, unknown, refusal } = kind.read(body)
  if (unknown.length > 0 && fieldValidation === 'Strict') throw strict(unknown)
  if (fieldValidation === 'Warn') for (const path of unknown) warn(`unknown field ${quoteLikeGo(path)}`)
  if (refusal) throw refusal
  if (!isJsonObject(object.metadata)) object.metadata = {}
  return object as unknown as SandboxObject
}

function cannotBeHandled(kind: KubeKind, why: string): KubeApiError {
  return kubeErrors.badRequest(
    `${kind.kind} in version ${quoteLikeGo(kind.version)} cannot be handled as a ${kind.kind}: ${why}`,
  )
}

export function strictMessage(unknown: string[]): string {
  return `strict decoding error: ${unknown.map((path) => `unknown field ${quoteLikeGo(path)}`).join(', ')}`
}

/** @throws ApiError BadRequest if the object is of another namespace */
export function checkNamespace({ metadata }: SandboxObject, namespace: string | undefined): void {
  if (metadata.namespace && metadata.namespace !== namespace)
    throw kubeErrors.badRequest('the namespace of the provided object does not match the namespace sent on the request')
  if (namespace !== undefined) metadata.namespace = namespace
}
