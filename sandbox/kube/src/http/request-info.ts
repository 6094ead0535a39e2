import type { RbacAttributes } from '../auth/authorizer.ts'
import { parseFieldSelector } from '../object/selectors.ts'

/** What a request is about, according to its method and path. */
export type RequestInfo =
  | {
      readonly is: 'resource'
      readonly group: string
      readonly version: string
      readonly verb: string
      readonly resource: string
      readonly namespace: string | undefined
      readonly name: string | undefined
      readonly subresource: string | undefined
    }
  | { readonly is: 'path'; readonly path: string; readonly verb: string }

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
  GET: 'get',
  HEAD: 'get',
}

/** @returns undefined if the path is not encoded correctly */
export function requestInfo(method: string, path: string, query: URLSearchParams): RequestInfo | undefined {
  let parts: string[]
  try {
    parts = path
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent)
  } catch {
    return undefined
  }
  const verb = VERBS[method] ?? method.toLowerCase()
  const [root, ...rest] = parts
  const isCore = root === 'api' && rest.length >= 2
  const isGroup = root === 'apis' && rest.length >= 3
  if (!isCore && !isGroup) return { is: 'path', path, verb }
  const [group, version, ...below] = isCore ? ['', ...rest] : rest
  const place = parseResourcePath(below)
  return {
    is: 'resource',
    group: group ?? '',
    version: version ?? '',
    ...place,
    verb: collectionVerb(verb, place.name, query),
    // A list with the name of one object only needs the right to that object.
    name: place.name ?? (verb === 'get' ? nameIn(query) : undefined),
  }
}

function parseResourcePath(parts: string[]) {
  const none = { namespace: undefined, name: undefined, subresource: undefined }
  if (parts[0] !== 'namespaces' || parts.length === 1) {
    const [resource = '', name, ...sub] = parts
    return { ...none, resource, name, subresource: sub.length > 0 ? sub.join('/') : undefined }
  }
  const [, namespace, resource, name, ...sub] = parts
  // Paths below a namespace belong to it, except these sub-resources of the namespace itself.
  if (resource === undefined || resource === 'status' || resource === 'finalize')
    return { namespace, resource: 'namespaces', name: namespace, subresource: resource }
  return { namespace, resource, name, subresource: sub.length > 0 ? sub.join('/') : undefined }
}

function collectionVerb(verb: string, name: string | undefined, query: URLSearchParams): string {
  if (name !== undefined) return verb
  if (verb === 'get') return isWatch(query) ? 'watch' : 'list'
  return verb === 'delete' ? 'deletecollection' : verb
}

export function isWatch(query: URLSearchParams): boolean {
  return isQueryFlagSet(query, 'watch')
}

/** @see k8s.io/apimachinery pkg/runtime Convert_Slice_string_To_bool: any value but these is true, also an empty one */
export function isQueryFlagSet(query: URLSearchParams, name: string): boolean {
  const value = query.get(name)
  return value !== null && !['0', 'false'].includes(value.toLowerCase())
}

function nameIn(query: URLSearchParams): string | undefined {
  try {
    return parseFieldSelector(query.get('fieldSelector') ?? '').exact('metadata.name')
  } catch {
    // Reported when the selector is used.
    return undefined
  }
}

export function requestAttributes(info: RequestInfo): RbacAttributes {
  if (info.is === 'path') return { verb: info.verb, path: info.path }
  const { verb, group, resource, subresource, namespace, name } = info
  return { verb, group, resource, subresource, namespace, name }
}
