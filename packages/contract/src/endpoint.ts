/**
 * What is plain data about a call: enough to make a request and to register a route, and free of zod, so that the web
 * app's first chunk carries no schema library. The schemas and the summary of the same call are in the area's other files.
 */
export interface Endpoint {
  /** The area that the call belongs to; its tag on the API page. */
  area: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Fastify's notation, `:name` for a path parameter. */
  path: `/${string}`
  /** `none`: no body is read. `bytes`: the raw body is the content. `form`: an HTML form's fields. */
  body: 'none' | 'json' | 'multipart' | 'bytes' | 'form'
  /** Status of success. */
  status: 101 | 200 | 201 | 204
  /**
   * `lines`: one JSON value per line, the last one a report. `stream`: bytes. `empty`: no body. `socket`: the call is a
   * WebSocket, and the response schema is that of one message; see `live.ts`.
   */
  answer: 'json' | 'lines' | 'stream' | 'empty' | 'socket'
  access: 'anonymous' | 'session'
  /** Which consoles serve it: those of a storage server, those that manage the tenants of a cluster, or both. */
  mode: 'storage' | 'operator' | 'both'
  /**
   * What the caller's policy must allow: one action, or all of several. The storage server decides; the console uses this
   * to explain and to disable.
   */
  actions: readonly IamAction[]
  /**
   * Names of the GET calls whose answers may differ after this call: the web app reads them again. Reads of something
   * that the call deletes are not listed, since they would only fail.
   */
  changes: readonly string[]
  /** Other paths of the same call, as later releases of the original console spell it. */
  aliases: readonly `/${string}`[]
}

export type IamAction = `${'s3' | 'admin' | 'sts' | 'kms'}:${string}`

/**
 * A call as its area writes it down. What is left out has these defaults:
 *
 * | | GET | POST | PUT | PATCH | DELETE |
 * |---|---|---|---|---|---|
 * | `body` | none | json | json | json | none |
 * | `status` | 200 | 201 | 200 | 204 | 204 |
 * | `answer` | json | empty | empty | empty | empty |
 *
 * A `socket` has the status 101. `access` is `session`, `mode` is `storage`. Every call that is not a GET says what it
 * `changes`, be it nothing.
 */
type EndpointSpec = Pick<Endpoint, 'path'> &
  Partial<Omit<Endpoint, 'area' | 'method' | 'path' | 'changes'>> &
  ({ method: 'GET' } | ({ method: Exclude<Endpoint['method'], 'GET'> } & Pick<Endpoint, 'changes'>))

type Or<S, K extends string, Default> = S extends { [P in K]: infer V } ? V : Default

/** An endpoint with the literal types of its spec, so that the compiler knows each call's kind. */
type Complete<A extends string, S extends EndpointSpec> = {
  readonly area: A
  readonly method: S['method']
  readonly path: S['path']
  readonly body: Or<S, 'body', S['method'] extends 'GET' | 'DELETE' ? 'none' : 'json'>
  readonly status: Endpoint['status']
  readonly answer: Or<S, 'answer', S['method'] extends 'GET' ? 'json' : 'empty'>
  readonly access: Or<S, 'access', 'session'>
  readonly mode: Endpoint['mode']
  readonly actions: Or<S, 'actions', readonly []>
  readonly changes: Or<S, 'changes', readonly []>
  readonly aliases: Endpoint['aliases']
}

type Endpoints<A extends string, T extends Record<string, EndpointSpec>> = {
  readonly [N in keyof T]: Complete<A, T[N]>
}

const STATUS = { GET: 200, POST: 201, PUT: 200, PATCH: 204, DELETE: 204 } as const

/** The calls of an area, by name. */
export function defineEndpoints<const A extends string, const T extends Record<string, EndpointSpec>>(
  area: A,
  specs: T,
): Endpoints<A, T> {
  const complete = (spec: EndpointSpec): Endpoint => ({
    area,
    body: spec.method === 'GET' || spec.method === 'DELETE' ? 'none' : 'json',
    status: spec.answer === 'socket' ? 101 : STATUS[spec.method],
    answer: spec.method === 'GET' ? 'json' : 'empty',
    access: 'session',
    mode: 'storage',
    actions: [],
    changes: [],
    aliases: [],
    ...spec,
  })
  // Object.fromEntries forgets which name has which type.
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, complete(spec)])) as Endpoints<A, T>
}

/** The names of the calls that only read. */
export type Read<T> = { [N in keyof T]: T[N] extends { method: 'GET' } ? N : never }[keyof T]

/** Puts the areas together. A name in `changes` that no GET call has does not compile. */
export function joinEndpoints<T extends { [N in keyof T]: { readonly changes: readonly Read<T>[] } }>(endpoints: T): T {
  return endpoints
}
