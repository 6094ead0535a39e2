import { type Endpoint, endpoints, reason } from '@stowage/contract'
import { HttpError } from './errors.ts'

const paths = Object.values<Endpoint>(endpoints).flatMap(({ method, path, aliases }) =>
  [path, ...aliases].map((pattern) => ({ method, matches: new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}/?$`) })),
)

/** Why no call matches a request: its path is unknown, or its method. @param url below the base path */
export function notFound(method: string, url: string): HttpError {
  const path = url.split('?', 1)[0] ?? ''
  const methods = [...new Set(paths.filter(({ matches }) => matches.test(path)).map((found) => found.method))]
  if (methods.length === 0) return new HttpError(404, reason('path-not-found', { path }))
  const allow = methods.join(', ')
  return new HttpError(405, reason('method-not-allowed', { method, allowed: allow }), { headers: { allow } })
}
