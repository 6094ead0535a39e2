import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type KubeJson, type KubeJsonObject } from '../object/json.ts'
import { KubeApiError, kubeErrors } from '../object/kube-api-error.ts'
import { jsonType } from '../types/go-types.ts'

/** A step of a JSON patch, unvalidated. */
interface PatchOperation {
  op?: unknown
  path?: unknown
  from?: unknown
  value?: KubeJson
}

const MAX_OPERATIONS = 10_000

/** The server's answer to any patch that cannot be applied to its object. */
const doesNotApply = () =>
  new KubeApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {})

export function parsePatch(text: string): KubeJson {
  try {
    return JSON.parse(text) as KubeJson
  } catch {
    throw kubeErrors.badRequest('error decoding patch: unexpected end of JSON input')
  }
}

/**
 * Applies a JSON patch (RFC 6902); the given object is not modified.
 * @throws ApiError BadRequest if it is not a patch, Invalid if it cannot be applied
 */
export function applyJsonPatch(object: KubeJsonObject, patch: KubeJson): KubeJsonObject {
  if (!Array.isArray(patch))
    throw kubeErrors.badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonType(patch)} into Go value of type []handlers.jsonPatchOp`,
    )
  if (patch.length > MAX_OPERATIONS)
    throw new KubeApiError(
      413,
      'RequestEntityTooLarge',
      `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`,
    )
  let result: KubeJson = structuredClone(object)
  for (const operation of patch) {
    if (!isJsonObject(operation)) throw doesNotApply()
    result = apply(result, operation)
  }
  if (!isJsonObject(result)) throw doesNotApply()
  return result
}

function apply(root: KubeJson, { op, path, from, value }: PatchOperation): KubeJson {
  const at = pointer(path)
  switch (op) {
    case 'add':
      return add(root, at, required(value))
    case 'remove':
      remove(root, at)
      return root
    case 'replace':
      return replace(root, at, required(value))
    case 'move': {
      const source = pointer(from)
      const moved = read(root, source)
      remove(root, source)
      return add(root, at, moved)
    }
    case 'copy':
      return add(root, at, structuredClone(read(root, pointer(from))))
    case 'test':
      if (!isDeepStrictEqual(find(root, at) ?? null, value ?? null)) throw doesNotApply()
      return root
    default:
      throw doesNotApply()
  }
}

function required(value: KubeJson | undefined): KubeJson {
  if (value === undefined) throw doesNotApply()
  return value
}

function pointer(text: unknown): string[] {
  if (typeof text !== 'string' || (text !== '' && !text.startsWith('/'))) throw doesNotApply()
  return text === ''
    ? []
    : text
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function find(root: KubeJson, path: string[]): KubeJson | undefined {
  let value: KubeJson | undefined = root
  for (const part of path) {
    if (Array.isArray(value)) value = value[index(part, value.length - 1)]
    else if (isJsonObject(value)) value = Object.hasOwn(value, part) ? value[part] : undefined
    else throw doesNotApply()
  }
  return value
}

function read(root: KubeJson, path: string[]): KubeJson {
  return required(find(root, path))
}

function findParent(root: KubeJson, path: string[]): [KubeJson[] | KubeJsonObject, string] {
  const parent = find(root, path.slice(0, -1))
  const last = path.at(-1)
  if (last === undefined || (!Array.isArray(parent) && !isJsonObject(parent))) throw doesNotApply()
  return [parent, last]
}

function add(root: KubeJson, path: string[], value: KubeJson): KubeJson {
  if (path.length === 0) return value
  const [parent, last] = findParent(root, path)
  if (Array.isArray(parent)) parent.splice(last === '-' ? parent.length : index(last, parent.length), 0, value)
  else set(parent, last, value)
  return root
}

/** Replaces a member. Servers add it if it is missing. */
function replace(root: KubeJson, path: string[], value: KubeJson): KubeJson {
  if (path.length === 0) return value
  const [parent, last] = findParent(root, path)
  if (Array.isArray(parent)) parent[index(last, parent.length - 1)] = value
  else set(parent, last, value)
  return root
}

function remove(root: KubeJson, path: string[]): void {
  const [parent, last] = findParent(root, path)
  if (Array.isArray(parent)) parent.splice(index(last, parent.length - 1), 1)
  else if (Object.hasOwn(parent, last)) delete parent[last]
  else throw doesNotApply()
}

/** Sets a member; `__proto__` is an ordinary name. */
function set(object: KubeJsonObject, name: string, value: KubeJson): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

function index(text: string, most: number): number {
  if (!/^(0|[1-9]\d{0,9})$/.test(text) || Number(text) > most) throw doesNotApply()
  return Number(text)
}

/**
 * Applies a JSON merge patch (RFC 7386); the given object is not modified.
 * @throws ApiError BadRequest if it is not an object
 */
export function applyMergePatch(object: KubeJsonObject, patch: KubeJson): KubeJsonObject {
  if (!isJsonObject(patch))
    throw kubeErrors.badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonType(patch)} into Go value of type map[string]interface {}`,
    )
  return merged(object, patch)
}

function merged(target: KubeJson | undefined, patch: KubeJsonObject): KubeJsonObject {
  const result = isJsonObject(target) ? structuredClone(target) : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete result[name]
    else set(result, name, isJsonObject(value) ? merged(result[name], value) : value)
  }
  return result
}
