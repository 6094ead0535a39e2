import { type ApiError, fail } from '../errors.ts'
import { isObject, type JsonObject, quoted } from '../json.ts'
import type { Kind } from '../kinds/kind.ts'
import type { StoredObject } from '../object.ts'
import { DecodeError } from '../types/go-types.ts'
import type { WriteOptions } from './types.ts'

/** @throws ApiError BadRequest if the body is of another kind */
export function readObject(kind: Kind, body: JsonObject, options: WriteOptions): StoredObject {
  try {
    return decodeObject(kind, body, options, (unknown) => cannotBeHandled(kind, strictMessage(unknown)))
  } catch (error) {
    if (error instanceof DecodeError) throw cannotBeHandled(kind, error.message)
    throw error
  }
}

export function decodeObject(
  kind: Kind,
  body: JsonObject,
  { fieldValidation, warn }: WriteOptions,
  strict: (unknown: string[]) => Error,
): StoredObject {
  const { object, unknown, refusal } = kind.read(body)
  if (unknown.length > 0 && fieldValidation === 'Strict') throw strict(unknown)
  if (fieldValidation === 'Warn') for (const path of unknown) warn(`unknown field ${quoted(path)}`)
  if (refusal) throw refusal
  if (!isObject(object.metadata)) object.metadata = {}
  return object as unknown as StoredObject
}

function cannotBeHandled(kind: Kind, why: string): ApiError {
  return fail.badRequest(`${kind.kind} in version ${quoted(kind.version)} cannot be handled as a ${kind.kind}: ${why}`)
}

export function strictMessage(unknown: string[]): string {
  return `strict decoding error: ${unknown.map((path) => `unknown field ${quoted(path)}`).join(', ')}`
}

/** @throws ApiError BadRequest if the object is of another namespace */
export function checkNamespace({ metadata }: StoredObject, namespace: string | undefined): void {
  if (metadata.namespace && metadata.namespace !== namespace)
    throw fail.badRequest('the namespace of the provided object does not match the namespace sent on the request')
  if (namespace !== undefined) metadata.namespace = namespace
}
