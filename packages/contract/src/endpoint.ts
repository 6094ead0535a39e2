/**
 * What is plain data about a call: enough to make a request and to register a route, and free of zod, so that the web
 * app's first chunk carries no schema library. The schemas of the same call stand in the area's other files.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Fastify's notation, `:name` for a path parameter. */
  path: `/${string}`
  /** One line for the API page. */
  summary: string
  /** `none`: no body is read. `bytes`: the raw body is the content. `form`: an HTML form's fields. */
  body: 'none' | 'json' | 'multipart' | 'bytes' | 'form'
  /** Status of success. */
  status: 200 | 201 | 204
  /** `lines`: one JSON value per line, the last one a report. `stream`: bytes. `empty`: no body. */
  answer: 'json' | 'lines' | 'stream' | 'empty'
  access: 'anonymous' | 'session'
  /**
   * What the caller's policy must allow, one action or all of several; required on every call that changes state.
   * The server asked decides; the console uses this to explain and to disable.
   */
  actions?: readonly IamAction[]
  /** Other paths of the same call, as later releases of the original console spell it. */
  aliases?: readonly `/${string}`[]
}

export type IamAction = `${'s3' | 'admin' | 'sts' | 'kms'}:${string}`

/** Keeps the literal types, so that a path's parameters and a call's kind are known to the compiler. */
export function defineEndpoints<const T extends Record<string, Endpoint>>(endpoints: T): T {
  return endpoints
}
