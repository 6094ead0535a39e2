import type { ActionName } from '@stowage/iam-policy'

/**
 * The plain data of a call: enough to make a request and to register a route. It does not use zod, to keep the schema library
 * out of the web app's first chunk. The schemas and the summary of a call are in other files of its area.
 */
export interface Endpoint {
  /** The area of the call; its tag on the API page. */
  area: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In Fastify's notation: `:name` for a path parameter. */
  path: `/${string}`
  /** `none`: no body is read. `bytes`: the raw body is the content. `form`: the fields of an HTML form. */
  body: 'none' | 'json' | 'multipart' | 'bytes' | 'form'
  /** The status of a successful response. */
  status: 101 | 200 | 201 | 204
  /**
   * `lines`: one JSON value per line, the last one a report. `stream`: bytes. `empty`: no body. `socket`: the call is a
   * WebSocket, and the response schema describes one message; see `live-frames.ts`.
   */
  answer: 'json' | 'lines' | 'stream' | 'empty' | 'socket'
  access: 'anonymous' | 'session'
  /** Which consoles have the call: those of a storage server, those that manage tenants (operator mode), or both. */
  mode: 'storage' | 'operator' | 'both'
  /**
   * The actions that the caller's policies must allow, all of them. The storage server decides; the console uses this to
   * explain and to disable controls.
   */
  actions: readonly ActionName[]
  /**
   * Names of the GET calls whose results this call may change; the web app makes them again. Calls about something that this
   * call deletes are not listed, because they would only fail.
   */
  changes: readonly string[]
  /**
   * What a POST, PUT or PATCH does to what is stored. `tests/http/shell/saves.test.ts` makes the calls that write something
   * `new` twice, and those that write a `whole` value as two editors would.
   *
   * - `new`: creates something that the caller names. If it exists, the response is 409: always, or, where the call replaced or
   *   extended it in the original console, if the body has `create_only`.
   * - `whole`: sets a whole value. The body takes the value that the change is based on (`before`, or a `version` or ETag); if
   *   the stored value differs, the response is 409 (412 for an ETag).
   * - `new or whole`: both.
   * - `generated`: creates something under a name of its own, so that nothing can be replaced.
   * - `part`: changes only what the body names (a member, a status, a secret that cannot be read), whatever the rest is.
   * - `action`: starts a job, moves objects, signs in …
   * - `nothing`: only reads.
   */
  writes: 'new' | 'whole' | 'new or whole' | 'generated' | 'part' | 'action' | 'nothing'
  /** Other paths of the call, as spelled by later releases of the original console. */
  aliases: readonly `/${string}`[]
}

/**
 * A call as declared in its area. These are the defaults:
 *
 * | | GET | POST | PUT | PATCH | DELETE |
 * |---|---|---|---|---|---|
 * | `body` | none | json | json | json | none |
 * | `status` | 200 | 201 | 200 | 204 | 204 |
 * | `answer` | json | empty | empty | empty | empty |
 *
 * A `socket` has the status 101. `access` is `session`, `mode` is `storage`. Every call that is not a GET must declare
 * `changes`, even if it is empty, and every POST, PUT and PATCH what it `writes`; the others write `nothing`.
 */
type EndpointSpec = Pick<Endpoint, 'path'> &
  Partial<Omit<Endpoint, 'area' | 'method' | 'path' | 'changes' | 'writes'>> &
  (
    | { method: 'GET' }
    | ({ method: 'DELETE' } & Pick<Endpoint, 'changes'> & Partial<Pick<Endpoint, 'writes'>>)
    | ({ method: Exclude<Endpoint['method'], 'GET' | 'DELETE'> } & Pick<Endpoint, 'changes' | 'writes'>)
  )

type SpecOrDefault<S, K extends string, Default> = S extends { [P in K]: infer V } ? V : Default

/** An endpoint with the literal types of its spec, so that the compiler can distinguish calls. */
type CompleteEndpoint<A extends string, S extends EndpointSpec> = {
  readonly area: A
  readonly method: S['method']
  readonly path: S['path']
  readonly body: SpecOrDefault<S, 'body', S['method'] extends 'GET' | 'DELETE' ? 'none' : 'json'>
  readonly status: Endpoint['status']
  readonly answer: SpecOrDefault<S, 'answer', S['method'] extends 'GET' ? 'json' : 'empty'>
  readonly access: SpecOrDefault<S, 'access', 'session'>
  readonly mode: Endpoint['mode']
  readonly actions: SpecOrDefault<S, 'actions', readonly []>
  readonly changes: SpecOrDefault<S, 'changes', readonly []>
  readonly writes: SpecOrDefault<S, 'writes', 'nothing'>
  readonly aliases: Endpoint['aliases']
}

type Endpoints<A extends string, T extends Record<string, EndpointSpec>> = {
  readonly [N in keyof T]: CompleteEndpoint<A, T[N]>
}

const DEFAULT_STATUS = { GET: 200, POST: 201, PUT: 200, PATCH: 204, DELETE: 204 } as const

/** Declares the calls of an area, by name. */
export function defineEndpoints<const A extends string, const T extends Record<string, EndpointSpec>>(
  area: A,
  specs: T,
): Endpoints<A, T> {
  const complete = (spec: EndpointSpec): Endpoint => ({
    area,
    body: spec.method === 'GET' || spec.method === 'DELETE' ? 'none' : 'json',
    status: spec.answer === 'socket' ? 101 : DEFAULT_STATUS[spec.method],
    answer: spec.method === 'GET' ? 'json' : 'empty',
    access: 'session',
    mode: 'storage',
    actions: [],
    changes: [],
    writes: 'nothing',
    aliases: [],
    ...spec,
  })
  // Object.fromEntries loses the type of each name.
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, complete(spec)])) as Endpoints<A, T>
}

/** The names of the calls that only read. */
export type GetCallName<T> = { [N in keyof T]: T[N] extends { method: 'GET' } ? N : never }[keyof T]

/** Joins the endpoints of all areas. A name in `changes` that is not a GET call does not compile. */
export function joinEndpoints<T extends { [N in keyof T]: { readonly changes: readonly GetCallName<T>[] } }>(
  endpoints: T,
): T {
  return endpoints
}
