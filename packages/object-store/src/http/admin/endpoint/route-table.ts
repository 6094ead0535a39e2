/** A route that requests are matched against. */
export interface AdminRoute {
  readonly method: string
  /**
   * Without the version. `{name}` matches one segment, `{name...}` at the end matches the rest of the path, which may be empty:
   * `tier/{tier}`, `heal/{bucket}/{prefix...}`.
   */
  readonly path: string
  /** Query parameters that must be present; they may be empty. */
  readonly query?: readonly string[]
}

/** The values of a path's placeholders, decoded. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name extends `${infer Base}...` ? Base : Name]: string } & PathParameters<Rest>
  : unknown

interface Pattern<R> {
  route: R
  segments: readonly string[]
}

const PLACEHOLDER = /^\{(\w+)(\.\.\.)?\}$/

/** Finds the route of a request. Paths without placeholders are looked up; the others are tried, the most specific first. */
export class RouteTable<R extends AdminRoute> {
  readonly #plain = new Map<string, R[]>()
  readonly #patterns = new Map<string, Pattern<R>[]>()

  /** @throws TypeError when two routes would match the same requests, or a path is not well-formed */
  constructor(routes: readonly R[]) {
    const shapes = new Map<string, string>()
    for (const route of routes) {
      const shape = routeShape(route)
      const other = shapes.get(shape)
      if (other !== undefined) throw new TypeError(`two routes match ${route.method} ${other} and ${route.path}`)
      shapes.set(shape, route.path)
      const segments = route.path.split('/')
      if (segments.some((segment) => PLACEHOLDER.test(segment))) this.#addPattern(route, segments)
      else append(this.#plain, `${route.method} ${route.path}`, route)
    }
    const mostConditions = (a: R, b: R) => (b.query?.length ?? 0) - (a.query?.length ?? 0)
    for (const list of this.#plain.values()) list.sort(mostConditions)
    for (const list of this.#patterns.values()) {
      list.sort((a, b) => compareShapes(a.segments, b.segments) || mostConditions(a.route, b.route))
    }
  }

  /** @param rawPath percent-encoded, without the version: an encoded slash belongs to its segment */
  find(
    method: string,
    rawPath: string,
    query: URLSearchParams,
  ): { route: R; parameters: Record<string, string> } | undefined {
    const given = rawPath.split('/').map(decodeURIComponent)
    const hasQuery = (route: R) => route.query?.every((name) => query.has(name)) ?? true
    const plain = this.#plain.get(`${method} ${given.join('/')}`)?.find(hasQuery)
    if (plain) return { route: plain, parameters: {} }
    for (const { route, segments } of this.#patterns.get(method) ?? []) {
      const parameters = hasQuery(route) ? match(segments, given) : undefined
      if (parameters) return { route, parameters }
    }
    return undefined
  }

  #addPattern(route: R, segments: string[]): void {
    const names = new Set<string>()
    for (const [i, segment] of segments.entries()) {
      const [, name, rest] = PLACEHOLDER.exec(segment) ?? []
      const isMalformed = name === undefined ? /[{}]/.test(segment) : names.has(name)
      if (isMalformed || (rest !== undefined && i < segments.length - 1)) {
        throw new TypeError(`the path ${route.path} is not well-formed`)
      }
      if (name !== undefined) names.add(name)
    }
    append(this.#patterns, route.method, { route, segments })
  }
}

/** Returns the shape of a route. Routes of the same shape match the same requests; names of placeholders do not matter. */
function routeShape({ method, path, query }: AdminRoute): string {
  const segments = path.split('/').map((segment) => segment.replace(PLACEHOLDER, (_, __, rest = '') => `{${rest}}`))
  return `${method} ${segments.join('/')}?${[...(query ?? [])].sort().join('&')}`
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

/** Sorts literal segments before placeholders, and placeholders for a segment before those for the rest of the path. */
function compareShapes(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = rank(a[i]) - rank(b[i])
    if (difference !== 0) return difference
  }
  return 0
}

function rank(segment: string | undefined): number {
  const [found, , rest] = PLACEHOLDER.exec(segment ?? '') ?? []
  return found === undefined ? 0 : rest === undefined ? 1 : 2
}

function match(segments: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  const parameters: [string, string][] = []
  for (const [i, segment] of segments.entries()) {
    const [, name, rest] = PLACEHOLDER.exec(segment) ?? []
    if (name !== undefined && rest !== undefined) {
      return Object.fromEntries([...parameters, [name, given.slice(i).join('/')]])
    }
    const value = given[i]
    if (value === undefined || (name === undefined && value !== segment)) return undefined
    if (name !== undefined) {
      // An empty segment is a missing name.
      if (value === '') return undefined
      parameters.push([name, value])
    }
  }
  return given.length === segments.length ? Object.fromEntries(parameters) : undefined
}
