import { type Endpoint, endpoints, reason } from '@stowage/contract'
import { HttpError } from '../errors/http-errors.ts'

const paths = Object.values<Endpoint>(endpoints).flatMap(({ method, path, aliases, mode }) =>
  [path, ...aliases].map((pattern) => ({
    method,
    mode,
    matches: new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}/?$`),
  })),
)

/**
 * Returns the error of a request that matches no call: unknown path or method.
 * @param url below the base path
 * @param mode of this console; calls of the other mode count as unknown
 */
export function notFoundError(method: string, url: string, mode: 'storage' | 'operator'): HttpError {
  const path = url.split('?', 1)[0] ?? ''
  const here = paths.filter((each) => each.mode === mode || each.mode === 'both')
  const methods = [...new Set(here.filter(({ matches }) => matches.test(path)).map((found) => found.method))]
  if (methods.length === 0) return new HttpError(404, reason('path-not-found', { path }))
  const allow = methods.join(', ')
  return new HttpError(405, reason('method-not-allowed', { method, allowed: allow }), { headers: { allow } })
}
