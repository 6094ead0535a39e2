import { type Endpoint, endpoints } from '@stowage/contract'
import { Refusal } from './errors.ts'

const paths = Object.values<Endpoint>(endpoints).flatMap(({ method, path, aliases }) =>
  [path, ...aliases].map((pattern) => ({ method, matches: new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}/?$`) })),
)

/** Why no call was found for a request: there is none at its path, or none with its method. @param url below the base path */
export function notFound(method: string, url: string): Refusal {
  const path = url.split('?', 1)[0] ?? ''
  const methods = [...new Set(paths.filter(({ matches }) => matches.test(path)).map((found) => found.method))]
  if (methods.length === 0) return new Refusal(404, `path ${path} was not found`)
  const allow = methods.join(', ')
  return new Refusal(405, `method ${method} is not allowed, but [${allow}] are`, { headers: { allow } })
}
